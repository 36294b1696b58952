/**
 * Recognises links that are marks beside the text and not part of it: `¶` and `#` after a heading, `[source]` and
 * `[docs]` after the name of a function. The reader drops their text, so that it is neither found nor quoted.
 */

/** Longer texts are never marks, in UTF-16 units, with the separator before them. */
export const MAX_MARK = 14;

const WORD = /[\p{L}\p{N}]/u;
const BRACKETED = /^\s*[[(](?:source|src|docs?|edit|view source|legend|permalink|link|top)[\])]$/i;
/** Class names that documentation generators give to links to source code, and the texts of these links. */
const SOURCE_LINK = /(?:^|\s)(?:srclink|src|sourceLink|view-source)(?:\s|$)/;
const SOURCE = /^\s*(?:source|src|view source)$/i;

/** `className` is the value of the class attribute, or the empty string. */
export function isLinkMark(text: string, href: string, className: string): boolean {
  if (!WORD.test(text)) return href.includes('#');
  return BRACKETED.test(text) || (SOURCE.test(text) && SOURCE_LINK.test(className));
}
