/**
 * The patterns of robots.txt: `*` matches any octets, a final `$` the end of the path.
 *
 * Pattern and path are normalized before they are compared (§ 2.2.2), so that each octet is written in one
 * way:
 *
 *   unreserved (letters, digits, - . _ ~)   plain
 *   reserved (: / ? & = and so on)          unchanged, since `%2F` and `/` are different paths; but plain in a
 *                                           query, where `: / ? @ ! ' ( ) , ; [ ]` are not delimiters
 *   all others                              escaped, in upper-case digits
 *
 * Stars and dollar signs in a path are escaped too, so that `%2A` in a pattern means a star (§ 2.2.3).
 */
import { normalizeEscapes } from '../../url/mod.ts';

/**
 * Maximum length of a pattern; the rest is dropped. A URL has at most 2,048 octets, or three times as many if all of
 * them are escaped, so a longer pattern matches no URL unless it has thousands of stars.
 */
const MAX_SOURCE_LENGTH = 16 * 1024;
/** Maximum growth of a text by escaping: one octet becomes three, as in `%2A`. */
const MAX_ESCAPED_RATIO = 3;

export interface RobotsPattern {
  /** The text before the first star of the pattern. Every matching path begins with it. */
  readonly start: string;
  /** The non-empty texts between and after the stars. The last one ends in `$` if the pattern does. */
  readonly pieces: readonly string[];
  /** Number of octets of the normalized pattern; a longer pattern is more specific. */
  readonly length: number;
  /** True if the pattern was truncated. The truncated pattern matches every path that the original matches. */
  readonly isCut: boolean;
}

/**
 * Normalizes path and query of a URL for comparison with patterns. The result ends in `$`, which matches the `$` of a
 * pattern, and has no other `$`.
 */
export function compareForm(path: string): string {
  // Fast path: most paths are already normalized.
  if (/^[\w\-.~/]*$/.test(path)) return `${path}$`;
  return `${oneForm(path).replaceAll('*', '%2A').replaceAll('$', '%24')}$`;
}

/** Parses a pattern of robots.txt. `source` has one character per octet. */
export function parseRobotsPattern(source: string): RobotsPattern {
  const isCut = source.length > MAX_SOURCE_LENGTH;
  // If the truncation cut an escape such as `%2F` in two, its first half is removed.
  const text = isCut ? source.slice(0, MAX_SOURCE_LENGTH).replace(/%.?$/, '') : source;
  const anchored = !isCut && text.endsWith('$');
  const form = oneForm(anchored ? text.slice(0, -1) : text).replaceAll('$', '%24') + (anchored ? '$' : '');
  const [start, ...pieces] = form.split('*') as [string, ...string[]];
  const length = isCut ? MAX_ESCAPED_RATIO * source.length : form.length;
  return { start, pieces: pieces.filter((piece) => piece !== ''), length, isCut };
}

/** Matches escapes of characters that are not delimiters within a query. */
const QUERY_ESCAPES = /%(?:3A|2F|3F|40|21|27|28|29|2C|3B|5B|5D)/g;

function oneForm(text: string): string {
  const escaped = normalizeEscapes(text.replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g, escapeOctets));
  const mark = escaped.indexOf('?');
  if (mark < 0) return escaped;
  return escaped.slice(0, mark) + escaped.slice(mark).replace(QUERY_ESCAPES, decodeURIComponent);
}

/** Escapes a character as `%XX`. One character is one octet, both in a pattern and in a URL. */
function escapeOctets(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
