/**
 * The patterns of robots.txt: `*` stands for any octets, a final `$` for the end of the path.
 *
 * Pattern and path are brought into one form before they are compared (§ 2.2.2), in which each
 * octet is written in one way:
 *
 *   unreserved (letters, digits, - . _ ~)   plain
 *   reserved (: / ? & = and so on)          as it came, since `%2F` and `/` are different paths; but
 *                                           plain in a query, where `: / ? @ ! ' ( ) , ; [ ]` divide nothing
 *   all others                              escaped, in upper-case digits
 *
 * A path's own `*` and `$` are escaped too, so that `%2A` in a pattern means a star (§ 2.2.3).
 */
import { normalizeEscapes } from '../url/mod.ts';

export interface RobotsPattern {
  /** Octets in the form that is compared; more of them are more specific. */
  readonly length: number;
  /** `target` is a path in the form that `compareForm` gives. */
  matches(target: string): boolean;
}

/** What a URL's path and query are compared as. */
export function compareForm(path: string): string {
  // Most paths are in this form already.
  if (/^[\w\-.~/]*$/.test(path)) return path;
  return oneForm(path).replaceAll('*', '%2A').replaceAll('$', '%24');
}

/** `source` has one character for each octet. */
export function compilePattern(source: string): RobotsPattern {
  const anchored = source.endsWith('$');
  const text = oneForm(anchored ? source.slice(0, -1) : source).replaceAll('$', '%24');
  const length = text.length + (anchored ? 1 : 0);
  if (!text.includes('*')) {
    return { length, matches: (target) => (anchored ? target === text : target.startsWith(text)) };
  }
  const [first, ...pieces] = text.split('*') as [string, ...string[]];
  const last = anchored ? pieces.pop()! : '';
  return { length, matches: (target) => matchesPieces(target, first, pieces, last) };
}

/**
 * Whether `target` is `first`, then the pieces in order with anything between them, then `last` at the
 * very end. Taking the leftmost place for each piece is enough: a later place could only leave less
 * for the pieces behind it. Linear for each piece.
 */
function matchesPieces(target: string, first: string, pieces: readonly string[], last: string): boolean {
  if (!target.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = target.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return target.length - last.length >= at && target.endsWith(last);
}

/** Escapes of what divides nothing within a query. */
const QUERY_ESCAPES = /%(?:3A|2F|3F|40|21|27|28|29|2C|3B|5B|5D)/g;

function oneForm(text: string): string {
  const escaped = normalizeEscapes(text.replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g, escapeOctets));
  const mark = escaped.indexOf('?');
  if (mark < 0) return escaped;
  return escaped.slice(0, mark) + escaped.slice(mark).replace(QUERY_ESCAPES, decodeURIComponent);
}

/** One character is one octet, as both sides of the comparison are: a URL has no others. */
function escapeOctets(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
