/** Normalises short strings of a page, such as titles: folds white space and limits the length. */

/**
 * Matches invisible characters (soft hyphens, byte order marks). `TextBuilder` removes the same characters
 * from the text of a page.
 */
const UNSEEN = /[\u00ad\ufeff]/g;
const SPACE = /[\s\p{Cc}]+/gu;

/** Folds white space in `text` to single spaces and cuts it to `max` UTF-16 units. */
export function foldSpace(text: string, max: number): string {
  const folded = text.replace(UNSEEN, '').replace(SPACE, ' ').trim();
  return cut(folded, max).trimEnd();
}

/** Returns at most `max` UTF-16 units of `text`, without splitting a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}
