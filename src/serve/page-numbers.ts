/** The row of page numbers below the results: a window around the current page, the way back and on. */
import { type Html, html } from './html.ts';

/** Pages shown on either side of the current one; narrow screens show one. */
const REACH = 4;

export function renderPages(query: string, current: number, count: number): Html | null {
  if (count < 2) return null;
  return html`<nav class="pages" aria-label="Pages of results">
${current > 1 ? html`<a rel="prev" href="${address(query, current - 1)}">Previous</a>` : null}
${pageWindow(current, count).map((page) => pageLink(query, page, current))}
${current < count ? html`<a rel="next" href="${address(query, current + 1)}">Next</a>` : null}
</nav>`;
}

/** Up to 2 × REACH + 1 pages with the current one as near to the middle as the ends allow. */
export function pageWindow(current: number, count: number): number[] {
  const size = Math.min(2 * REACH + 1, count);
  const first = Math.max(1, Math.min(current - REACH, count - size + 1));
  return Array.from({ length: size }, (_, index) => first + index);
}

function pageLink(query: string, page: number, current: number): Html {
  if (page === current) return html`<span aria-current="page">${page}</span>\n`;
  const distance = Math.abs(page - current) > 1 ? 'far' : 'near';
  return html`<a class="${distance}" href="${address(query, page)}" aria-label="Page ${page}">${page}</a>\n`;
}

function address(query: string, page: number): string {
  const path = `/search?q=${encodeURIComponent(query)}`;
  return page === 1 ? path : `${path}&page=${page}`;
}
