/** Normalises short strings of a page: white space folded, length limited. */

/**
 * Invisible characters (soft hyphens, byte order marks) and white space; `TextBuilder` treats long text the
 * same way.
 */
const UNSEEN = /[\u00ad\ufeff]/g;
const SPACE = /[\s\p{Cc}]+/gu;

/** Folds white space in `text` to single spaces and cuts it to `max` UTF-16 units. */
export function foldSpace(text: string, max: number): string {
  const folded = text.replace(UNSEEN, '').replace(SPACE, ' ').trim();
  return cut(folded, max).trimEnd();
}

/** Returns at most `max` units of `text`, without splitting a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}
