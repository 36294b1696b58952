/** Renders the message and the advice on a page without results. */
import type { SearchResponse } from '../../query/mod.ts';
import { type Html, html } from '../html.ts';
import { renderElsewhere } from '../pages/mod.ts';
import type { View } from '../request-context.ts';
import { indexStats } from '../server-context.ts';
import { searchAdvice } from './search-advice.ts';
import { filterCount, type SearchState, searchAddress, withoutFilters } from './search-state.ts';

/**
 * Matches a query with a word to search for: a word has at least one letter or digit. The queries `-`, `*` and
 * `🌊` have none.
 */
const HAS_WORD = /[\p{L}\p{Nd}\p{Nl}]/u;

export function nothingFound(view: View, state: SearchState, response: SearchResponse): Html {
  const { words } = view;
  if (state.page > 1 && response.total > 0) {
    return html`<section class="notice"><h2>${words.text('results.ended', { page: state.page })}</h2>
<p>${words.text('results.total', { count: response.total })}
<a href="${searchAddress(state)}">${words.text('results.toFirst')}</a></p></section>`;
  }
  return html`<section class="notice"><h2>${words.text('nothing.title')}</h2>
<ul>
${advice(view, state).map((item) => html`<li>${item}</li>\n`)}</ul>
${renderElsewhere(view, state.query)}</section>`;
}

function advice(view: View, state: SearchState): Html[] {
  const { site, words } = view;
  if ((indexStats(site)?.docCount ?? 0) === 0) return [html`${words.text('nothing.emptyIndex')}`];
  if (!HAS_WORD.test(state.query)) return [html`${words.text('nothing.noWord')}`];
  const looser = searchAdvice(state.query).map(({ key, query }) => {
    const link = html`<a href="${searchAddress(state, { query })}" dir="auto">${query}</a>`;
    return words.markup(key, { query: link });
  });
  const isNarrowed = filterCount(state) > 0 || state.tab !== 'all';
  const wider = searchAddress({ ...withoutFilters(state), tab: 'all' });
  const preferences = html`<a href="/preferences#rules">${words.text('foot.preferences')}</a>`;
  return [
    ...(isNarrowed ? [html`<a href="${wider}">${words.text('nothing.withoutFilters')}</a>`] : []),
    ...looser,
    ...(hidesSites(view) ? [words.markup('nothing.withoutRules', { preferences })] : []),
    html`${words.text('nothing.spelling')}`,
    html`${words.text('nothing.fewer')}`,
  ];
}

function hidesSites({ rules }: View): boolean {
  return rules.some(({ effect }) => effect === 'block');
}
