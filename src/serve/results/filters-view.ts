/**
 * Renders the rows above the results: the tabs, the filters with the counts of their values, and a chip for
 * each active filter, which removes it. A filter is a `<details>` with links, so it works without scripts,
 * and each state is a URL. The counts come from the response (`facets`), which counts only the best results.
 * If there are more results, the list of values mentions this.
 */
import type { FacetCount, ResultFacets, SearchResponse } from '../../query/mod.ts';
import { type Html, html } from '../html.ts';
import type { Words } from '../messages/mod.ts';
import type { View } from '../request-context.ts';
import {
  formatOfType,
  PERIODS,
  type SearchState,
  searchAddress,
  TABS,
  TYPES,
  withoutFilters,
} from './search-state.ts';

export function renderTabs({ words }: View, state: SearchState): Html {
  const tabs = TABS.map((tab) => {
    const label = words.text(`tab.${tab}`);
    const address = searchAddress(state, { tab });
    return tab === state.tab
      ? html`<a href="${address}" aria-current="page">${label}</a>\n`
      : html`<a href="${address}">${label}</a>\n`;
  });
  return html`<nav class="tabs" aria-label="${words.text('tabs.label')}">
${tabs}</nav>`;
}

export function renderFilters({ words }: View, state: SearchState, response: SearchResponse): Html {
  const { facets, total } = response;
  const isCut = facets !== undefined && facets.counted < total;
  const note = isCut ? words.text('filters.counted', { count: facets.counted }) : '';
  const lists = filterLists(words, facets);
  return html`<div class="filters" role="group" aria-label="${words.text('filters.title')}">
${lists.map((list) => renderList(words, state, list, note))}${renderSort(words, state)}${renderChips(words, state)}</div>`;
}

/** A value of a filter. `change` is the change of the search state if the searcher chooses this value. */
interface FilterValue {
  label: string;
  count: number | null;
  change: Partial<SearchState>;
}

interface FilterList {
  name: 'date' | 'language' | 'site' | 'type';
  values: FilterValue[];
}

/**
 * Returns the lists of filter values. A list without values is left out, except the list of sites, which has
 * a box for any site.
 */
function filterLists(words: Words, facets: ResultFacets | undefined): FilterList[] {
  const counts = (list: readonly FacetCount[] | undefined) =>
    new Map(list?.map(({ value, count }) => [value, count]));
  const periods = counts(facets?.periods);
  const formats = counts(facets?.formats);
  const lists: FilterList[] = [
    {
      name: 'date',
      values: PERIODS.map((period) => ({
        label: words.text(`date.${period}`),
        count: periods.get(period) ?? null,
        change: { period },
      })),
    },
    {
      name: 'language',
      values: (facets?.languages ?? []).map(({ value, count }) => ({
        label: words.languageName(value),
        count,
        change: { language: value },
      })),
    },
    {
      name: 'site',
      values: (facets?.sites ?? []).map(({ value, count }) => ({
        label: value,
        count,
        change: { site: value },
      })),
    },
    {
      name: 'type',
      values: TYPES.flatMap((type) => {
        const count = formats.get(formatOfType(type)) ?? (facets ? 0 : null);
        return count === 0 ? [] : [{ label: words.text(`type.${type}`), count, change: { type } }];
      }),
    },
  ];
  return lists.filter(({ name, values }) => values.length > 0 || name === 'site');
}

function renderList(words: Words, state: SearchState, { name, values }: FilterList, note: string): Html {
  const items = values.map(({ label, count, change }) => {
    const shown = count === null ? null : html` <span class="count">${words.number(count)}</span>`;
    const isChosen = Object.entries(change).every(
      ([key, value]) => state[key as keyof SearchState] === value,
    );
    const address = searchAddress(state, change);
    return isChosen
      ? html`<li><a class="value" href="${address}" aria-current="true"><bdi>${label}</bdi>${shown}</a></li>\n`
      : html`<li><a class="value" href="${address}"><bdi>${label}</bdi>${shown}</a></li>\n`;
  });
  return html`<details class="filter"><summary>${words.text(`filters.${name}`)}</summary>
<div class="sheet"><ul role="list">
${items}</ul>
${name === 'site' ? siteBox(words, state) : null}${note === '' ? null : html`<p>${note}</p>`}</div></details>
`;
}

/** Renders a box in which the searcher types a site that is not in the list. */
function siteBox(words: Words, state: SearchState): Html {
  const { query, tab, language, period, type, sort } = state;
  const kept = { q: query, tab: tab === 'all' ? '' : tab, lang: language, period, type, sort };
  const fields = Object.entries(kept).filter(([, value]) => value !== '');
  return html`<form action="/search" method="get">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input name="site" value="${state.site}" aria-label="${words.text('filters.otherSite')}" placeholder="example.org" dir="ltr"
 autocapitalize="none" autocomplete="off" spellcheck="false"><button>${words.text('filters.apply')}</button></form>
`;
}

/**
 * Renders the link that sorts by date. The News tab has no such link, because it is always sorted by date. A list
 * that is sorted by date has a chip instead.
 */
function renderSort(words: Words, state: SearchState): Html | null {
  if (state.tab === 'news' || state.sort !== '') return null;
  return html`<a class="sort" href="${searchAddress(state, { sort: 'date' })}">${words.text('sort.newest')}</a>
`;
}

/** Renders a chip for each active filter. A chip is a link that removes its filter. */
function renderChips(words: Words, state: SearchState): Html | null {
  const { site, language, period, type, sort } = state;
  const active: [label: string, address: string][] = [];
  const add = (label: string, change: Partial<SearchState>) =>
    active.push([label, searchAddress(state, change)]);
  if (period !== '') add(words.text(`date.${period}`), { period: '' });
  if (language !== '') add(words.languageName(language), { language: '' });
  if (site !== '') add(site, { site: '' });
  if (type !== '') add(words.text(`type.${type}`), { type: '' });
  if (sort !== '') add(words.text('sort.newest'), { sort: '' });
  if (active.length === 0) return null;
  const chips = active.map(
    ([label, address]) =>
      html`<li><a class="chip" href="${address}" aria-label="${words.text('filters.remove', { filter: label })}"><bdi>${label}</bdi> <span aria-hidden="true">×</span></a></li>\n`,
  );
  const all = html`<li><a href="${searchAddress({ ...withoutFilters(state), sort: '' })}">${words.text('filters.clear')}</a></li>`;
  return html`<ul class="chips" role="list" aria-label="${words.text('filters.active')}">
${chips}${active.length > 1 ? all : null}</ul>
`;
}
