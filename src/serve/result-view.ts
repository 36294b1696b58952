/** One result as markup. All of it comes from foreign pages: it is shown as text and nothing else. */
import type { SearchResult } from '../query/mod.ts';
import { type Html, html } from './html.ts';
import { renderMenu } from './result-menu.ts';
import { type SearchState, searchAddress } from './search-state.ts';
import { plain, shorten } from './shown-text.ts';
import type { View } from './view.ts';

const MAX_TITLE_LENGTH = 120;
const MAX_SEGMENT_LENGTH = 40;
/** Far more than a searcher gives; whatever it gives, a page stays a page. */
const MAX_SNIPPET_LENGTH = 1000;

export function renderResult(view: View, state: SearchState, result: SearchResult): Html {
  const crumbs = breadcrumbs(result.url);
  const title = result.title.trim() === '' ? [result.host, ...crumbs].join('/') : result.title;
  return html`<li class="result" dir="auto">
<h2><a class="title" href="${result.url}">${shorten(plain(title.slice(0, 10 * MAX_TITLE_LENGTH)), MAX_TITLE_LENGTH)}</a></h2>
<p class="crumbs" dir="ltr">${icon(result)}<bdi class="host">${result.host}</bdi>${crumbs.map(separated)}</p>
${renderMenu(view, state, result)}
<p class="about" dir="auto">${dated(view, result)}${quote(result)}</p>
${moreFromSite(view, state, result)}</li>
`;
}

/** Our own picture of the site, or a letter; never asked of the site itself. */
function icon({ url }: SearchResult): Html | null {
  const host = URL.parse(url)?.host ?? '';
  if (host === '') return null;
  return html`<img class="icon" src="/icon/${encodeURIComponent(host)}" alt="" width="16" height="16" loading="lazy">`;
}

/** The page's own day where it has one: that of the fetch says less, and stands in the menu. */
function dated({ words }: View, { date, fetchedAt }: SearchResult): Html {
  const day = date ?? fetchedAt.slice(0, 10);
  const written = words.date(Date.parse(day));
  const title = words.text(date === undefined ? 'result.fetched' : 'result.dated', { date: written });
  return html`<bdi><time datetime="${day}" title="${title}">${written}</time></bdi>`;
}

function quote({ snippet, highlights }: SearchResult): Html | null {
  return snippet === ''
    ? null
    : html` <span class="snippet">${highlight(snippet.slice(0, MAX_SNIPPET_LENGTH), highlights)}</span>`;
}

function moreFromSite(
  { words }: View,
  state: SearchState,
  { moreFromSite: more }: SearchResult,
): Html | null {
  if (!more) return null;
  const label = words.text('result.siteCount', { count: more.count });
  return html`<p class="more" dir="${words.direction}"><a href="${searchAddress(state, { query: more.query })}">${label}</a></p>
`;
}

/** The snippet with its highlights in `<mark>`. Ranges that overlap, run backwards or run over the end are cut. */
export function highlight(snippet: string, ranges: readonly (readonly [number, number])[]): Html[] {
  const pieces: Html[] = [];
  let done = 0;
  for (const [rangeStart, rangeEnd] of ranges) {
    const start = Math.max(rangeStart, done);
    const end = Math.min(rangeEnd, snippet.length);
    if (end <= start) continue;
    pieces.push(html`${plain(snippet.slice(done, start))}<mark>${plain(snippet.slice(start, end))}</mark>`);
    done = end;
  }
  pieces.push(html`${plain(snippet.slice(done))}`);
  return pieces;
}

/**
 * The path of a URL for reading: at most the first and the last two parts, decoded. A part keeps its
 * escapes where decoding would bring out control or direction characters, or a slash.
 */
export function breadcrumbs(url: string): string[] {
  const parsed = URL.parse(url);
  if (!parsed) return [];
  const parts = parsed.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(readable);
  const kept = parts.length > 3 ? [parts[0]!, '…', ...parts.slice(-2)] : parts;
  if (parsed.search.length > 1) kept.push(readable(parsed.search));
  return kept;
}

function separated(crumb: string): Html {
  return html` <span>›</span> <bdi>${crumb}</bdi>`;
}

function readable(part: string): string {
  return shorten(decode(part), MAX_SEGMENT_LENGTH);
}

function decode(part: string): string {
  try {
    const decoded = decodeURIComponent(part);
    return /[\p{C}\p{Zl}\p{Zp}/\\]/u.test(decoded) ? part : decoded;
  } catch {
    return part;
  }
}
