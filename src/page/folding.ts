/** Short strings as a page keeps them: white space folded, length bounded. */

/** White space and, unseen, soft hyphens and byte order marks; what `TextBuilder` does for long text. */
const UNSEEN = /[\u00ad\ufeff]/g;
const SPACE = /[\s\p{Cc}]+/gu;

/** `text` with white space folded to single spaces, at most `max` UTF-16 units long. */
export function fold(text: string, max: number): string {
  const folded = text.replace(UNSEEN, '').replace(SPACE, ' ').trim();
  return cut(folded, max).trimEnd();
}

/** At most `max` units of `text`, without leaving half a surrogate pair. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}
