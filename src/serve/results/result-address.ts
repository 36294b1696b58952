/**
 * Formats the URL of a result, for reading and as a link.
 *
 * For reading, the segments of the path are decoded, and the middle of long segments is left out. The owner
 * of a page chooses its URL. Therefore characters that change the text direction, are invisible or look like
 * a separator stay escaped.
 *
 * The link leads to the passage that the snippet shows, by a text fragment: browsers scroll to the first
 * occurrence of its words and highlight it (https://wicg.github.io/scroll-to-text-fragment/).
 *
 *   https://example.org/start#:~:text=Run%20the%20installer%20as%20root
 *
 * Browsers that do not support text fragments, or do not find the words because the page has changed, show
 * the top of the page.
 */
import type { SearchResult } from '../../query/mod.ts';

/** The maximum length of the displayed path, which fits beside a host name on most screens. */
const MAX_LENGTH = 70;
const MAX_PART_LENGTH = 40;
const OMITTED = '…';
const DECEIVING = /[\p{C}\p{Zl}\p{Zp}/\\]/gu;
/** The minimum number of words of a passage in the link. Fewer words may occur on a page more than once. */
const MIN_PASSAGE_WORDS = 4;
const MAX_PASSAGE_WORDS = 8;
/**
 * The maximum length of the passage in the link. If its first words are longer, they are URLs, code, or text in
 * a script without spaces, and the link has no text fragment.
 */
const MAX_PASSAGE_LENGTH = 100;

export function breadcrumbs(url: string): string[] {
  const parsed = URL.parse(url);
  if (!parsed) return [];
  const parts = parsed.pathname.split('/').filter((part) => part !== '');
  if (parsed.search.length > 1) parts.push(parsed.search);
  const kept = parts.length > 3 ? [parts[0]!, ...parts.slice(-2)] : parts;
  const ways = waysToShow(
    kept.map((part) => withoutMiddle(readable(part))),
    parts.length,
  );
  return ways.find((crumbs) => crumbs.join(' › ').length <= MAX_LENGTH) ?? ways.at(-1)!;
}

/**
 * Returns the forms in which a path can be shown, the longest first. The path has `count` segments; `kept` has
 * only its first and last segments. The last segment says most about the page.
 */
function waysToShow(kept: readonly string[], count: number): string[][] {
  const [first = '', ...others] = kept;
  if (kept.length < 2) return [[...kept]];
  const all = count > kept.length ? [first, OMITTED, ...others] : [...kept];
  const last = kept.at(-1)!;
  return count > 2 ? [all, [first, OMITTED, last], [OMITTED, last]] : [all, [OMITTED, last]];
}

/** Shortens a path segment by leaving out its middle. The cut is never inside a character. */
function withoutMiddle(part: string): string {
  const characters = Array.from(part.slice(0, 1000));
  if (characters.length <= MAX_PART_LENGTH) return part;
  const end = Array.from(part.slice(-MAX_PART_LENGTH)).slice(-Math.floor(MAX_PART_LENGTH / 3));
  const start = characters.slice(0, MAX_PART_LENGTH - 1 - end.length);
  return `${start.join('')}${OMITTED}${end.join('')}`;
}

function readable(part: string): string {
  if (!part.includes('%')) return part;
  return decoded(part).replaceAll(DECEIVING, (character) => encodeURIComponent(character));
}

/**
 * Decodes the percent-escapes of a path segment as UTF-8. If that fails, decodes them as windows-1252,
 * because old sites encoded Western letters as one byte each.
 */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    const bytes = part.replaceAll(/%([\da-f]{2})/gi, (_, digits) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    return WESTERN.decode(Buffer.from(bytes, 'latin1'));
  }
}

const WESTERN = new TextDecoder('windows-1252');

/** Returns the URL of a result, with a text fragment if its snippet is a passage of the page. */
export function passageAddress({
  url,
  snippet,
  isPassage,
}: Pick<SearchResult, 'url' | 'snippet' | 'isPassage'>): string {
  if (!isPassage || url.includes('#')) return url;
  const words = snippet
    .slice(0, 2 * MAX_PASSAGE_LENGTH)
    .replace(/^… |…$/g, '')
    .split(/\s+/, MAX_PASSAGE_WORDS)
    .filter((word) => word !== '');
  const text = words.join(' ');
  return words.length < MIN_PASSAGE_WORDS || text.length > MAX_PASSAGE_LENGTH
    ? url
    : `${url}#:~:text=${encoded(text)}`;
}

/**
 * Escapes text for a text fragment, in which `-`, `,` and `&` are syntax. `encodeURIComponent` does not
 * escape `-`.
 */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('-', '%2D');
}
