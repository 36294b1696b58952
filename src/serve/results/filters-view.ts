/** The row above the results: tabs for kinds of results, and a form of filters that opens on click. */
import { type Html, html } from '../html.ts';
import type { Words } from '../messages/mod.ts';
import type { View } from '../request-context.ts';
import {
  filterCount,
  PERIODS,
  type SearchState,
  searchAddress,
  TYPES,
  tabsOf,
  withoutFilters,
} from './search-state.ts';

/** Languages offered in the filter. A language that the URL selects is added if it is not in the list. */
const LANGUAGES = [
  'ar',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fi',
  'fr',
  'he',
  'hi',
  'it',
  'ja',
  'ko',
  'nl',
  'no',
].concat(['pl', 'pt', 'ru', 'sv', 'tr', 'uk', 'zh']);

/** `kinds` are the kinds of results in the list without its tab. A single tab is not rendered. */
export function renderTabs(
  { words }: View,
  state: SearchState,
  kinds: readonly string[] | undefined,
): Html | null {
  const shown = tabsOf(kinds, state.tab);
  if (shown.length === 1) return null;
  const tabs = shown.map((tab) => {
    const label = words.text(`tab.${tab}`);
    const address = searchAddress(state, { tab });
    return tab === state.tab
      ? html`<a href="${address}" aria-current="page">${label}</a>\n`
      : html`<a href="${address}">${label}</a>\n`;
  });
  return html`<nav class="tabs" aria-label="${words.text('tabs.label')}">
${tabs}</nav>`;
}

export function renderFilters({ words }: View, state: SearchState): Html {
  const count = filterCount(state);
  const { language, period, type } = count === 0 ? unfiltered(words) : choices(words, state);
  return html`<details class="filters">
<summary>${count === 0 ? words.text('filters.title') : words.text('filters.active', { count })}</summary>
<form action="/search" method="get">
<input type="hidden" name="q" value="${state.query}">
${state.tab === 'all' ? null : html`<input type="hidden" name="tab" value="${state.tab}">`}
<label>${words.text('filters.site')} <input name="site" value="${state.site}" placeholder="example.org" dir="ltr"
 autocapitalize="none" autocomplete="off" spellcheck="false"></label>
<label>${words.text('filters.language')} ${language}</label>
<label>${words.text('filters.date')} ${period}</label>
<label>${words.text('filters.type')} ${type}</label>
<span class="actions"><button>${words.text('filters.apply')}</button>
${count === 0 ? null : html`<a href="${searchAddress(withoutFilters(state))}">${words.text('filters.clear')}</a>`}</span>
</form>
</details>`;
}

interface Choices {
  language: Html;
  period: Html;
  type: Html;
}

/** Choices with nothing selected, rendered once per language because nearly every page has them. */
const withoutChoice = new Map<string, Choices>();

function unfiltered(words: Words): Choices {
  const known = withoutChoice.get(words.tag) ?? choices(words, { language: '', period: '', type: '' });
  withoutChoice.set(words.tag, known);
  return known;
}

function choices(words: Words, state: Pick<SearchState, 'language' | 'period' | 'type'>): Choices {
  const any: Option = ['', words.text('filters.any')];
  const languages = languageOptions(words, state.language);
  const periods = PERIODS.map((period): Option => [period, words.text(`date.${period}`)]);
  const types = TYPES.map((type): Option => [type, words.text(`type.${type}`)]);
  return {
    language: choice('lang', [any, ...languages], state.language),
    period: choice('period', [any, ...periods], state.period),
    type: choice('type', [any, ...types], state.type),
  };
}

/** Sorted options by UI language, cached because sorting names by locale is slow. */
const known = new Map<string, readonly Option[]>();

function languageOptions(words: Words, chosen: string): readonly Option[] {
  const options = known.get(words.tag) ?? sortedOptions(words, LANGUAGES);
  known.set(words.tag, options);
  return chosen === '' || LANGUAGES.includes(chosen) ? options : sortedOptions(words, [...LANGUAGES, chosen]);
}

function sortedOptions(words: Words, tags: readonly string[]): Option[] {
  const options = tags.map((tag): Option => [tag, words.languageName(tag)]);
  return options.sort((a, b) => a[1].localeCompare(b[1], words.tag));
}

/** `language` is the language of the label, if it differs from that of the page. */
export type Option = [value: string, label: string, language?: string];

export function choice(name: string, options: readonly Option[], chosen: string): Html {
  return html`<select name="${name}">${options.map((option) => renderOption(option, chosen))}</select>`;
}

function renderOption([value, label, language]: Option, chosen: string): Html {
  const isChosen = value === chosen;
  if (language !== undefined)
    return isChosen
      ? html`<option value="${value}" lang="${language}" selected>${label}</option>`
      : html`<option value="${value}" lang="${language}">${label}</option>`;
  return isChosen
    ? html`<option value="${value}" selected>${label}</option>`
    : html`<option value="${value}">${label}</option>`;
}
