/**
 * Renders the row of page numbers below the results: some numbers around the current page, and links to the
 * previous and next page.
 */
import { type Html, html } from '../html.ts';
import type { Words } from '../messages/mod.ts';
import { type SearchState, searchAddress } from './search-state.ts';

/** The number of pages on either side of the current page. Narrow screens show one page on either side. */
const REACH = 4;

export function renderPages(state: SearchState, count: number, words: Words): Html | null {
  if (count < 2) return null;
  const { page } = state;
  const address = (to: number) => searchAddress(state, { page: to });
  return html`<nav class="pages" aria-label="${words.text('pages.label')}">
${page > 1 ? html`<a rel="prev" href="${address(page - 1)}">${words.text('pages.previous')}</a>` : null}
${pageWindow(page, count).map((each) => pageLink(address(each), each, page, words))}
${page < count ? html`<a rel="next" href="${address(page + 1)}">${words.text('pages.next')}</a>` : null}
</nav>`;
}

/** Returns up to 2 × REACH + 1 page numbers, with the current page as near to the middle as possible. */
export function pageWindow(current: number, count: number): number[] {
  const size = Math.min(2 * REACH + 1, count);
  const first = Math.max(1, Math.min(current - REACH, count - size + 1));
  return Array.from({ length: size }, (_, index) => first + index);
}

function pageLink(address: string, page: number, current: number, words: Words): Html {
  const label = words.text('pages.page', { page });
  if (page === current) return html`<span aria-current="page">${words.number(page)}</span>\n`;
  const distance = Math.abs(page - current) > 1 ? 'far' : 'near';
  return html`<a class="${distance}" href="${address}" aria-label="${label}">${words.number(page)}</a>\n`;
}
