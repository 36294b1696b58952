/**
 * Finds the related searches that are shown below the results: phrases of the index that continue the query,
 * then phrases that begin with one of its words. A query of one word is also continued by a likely next word.
 * This is not done for several words, because the result may make no sense: "chess problem method".
 */
import { contentWords, type Suggestion } from '../../query/mod.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../request-context.ts';
import { plain } from '../shown-text.ts';
import { filterCount, type SearchState, searchAddress } from './search-state.ts';

const SHOWN = 8;
const MAX_LENGTH = 50;
/**
 * The number of words of the query that are used. The longest are chosen, because they say most about the
 * query.
 */
const MAX_WORDS = 2;

/**
 * Returns related searches. Returns none for pages after the first, and for lists that are limited by a tab or
 * a filter, or are sorted by date.
 */
export async function findRelated({ site }: View, state: SearchState): Promise<string[]> {
  const isNarrowed = state.tab !== 'all' || state.sort !== '' || filterCount(state) > 0;
  if (!site.searcher.suggest || state.page > 1 || isNarrowed) return [];
  const words = contentWords(state.query).toSorted((a, b) => b.length - a.length);
  const isRelated = ({ text, isGuess }: Suggestion) =>
    isGuess ? words.length === 1 : contentWords(text).some((word) => words.includes(word));
  const prefixes = [`${state.query} `, ...words.slice(0, MAX_WORDS).map((word) => `${word} `)];
  const lists = await Promise.all(prefixes.map((prefix) => site.searcher.suggest!(prefix, SHOWN)));
  const known = new Set([keyOf(state.query)]);
  const related: string[] = [];
  for (const { text } of lists.flat().filter(isRelated)) {
    const key = keyOf(text);
    if (key === '' || known.has(key) || text.length > MAX_LENGTH) continue;
    known.add(key);
    related.push(text);
  }
  return related.slice(0, SHOWN);
}

/**
 * Returns a key that is the same for phrases that differ only in punctuation, in the order of their words or in
 * repeated words. Such phrases are the same search.
 */
function keyOf(text: string): string {
  return [...new Set(contentWords(text))].sort().join(' ');
}

export function renderRelated({ words }: View, state: SearchState, related: readonly string[]): Html | null {
  if (related.length === 0) return null;
  const link = (query: string) =>
    html`<li><a href="${searchAddress(state, { query })}" dir="auto">${plain(query)}</a></li>\n`;
  return html`<nav class="related" aria-labelledby="related"><h2 id="related">${words.text('related.title')}</h2>
<ul role="list">
${related.map(link)}</ul></nav>`;
}
