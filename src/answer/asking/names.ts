/** Recognises queries that may be a name, and compares and shortens names and texts. */

/** Returns true for a query of up to six words without operators of the query language. */
export function isName(query: string): boolean {
  return (
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.,&-]*(?: [\p{L}\p{M}\p{N}'’.,&-]+){0,5}$/u.test(query) &&
    /\p{L}{2}/u.test(query)
  );
}

/** Returns true if two names are equal apart from case, accents, punctuation and a site name after a dash. */
export function isSameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}

/** Removes the site name from a title: `Kuroshio – Example Encyclopedia` becomes `Kuroshio`. */
export function withoutSite(title: string): string {
  return title.replace(/\s+[-–—|·:]\s+.*$/, '').trim();
}

/**
 * Shortens `text` to at most `limit` characters: after a sentence if one ends in the second half, otherwise
 * after a word.
 */
export function cutText(text: string, limit: number): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  if (folded.length <= limit) return folded;
  const head = folded.slice(0, limit);
  const sentence = Math.max(...['. ', '! ', '? ', '。'].map((end) => head.lastIndexOf(end)));
  if (sentence > limit / 2) return head.slice(0, sentence + 1);
  const word = head.lastIndexOf(' ');
  return `${head.slice(0, word > limit / 2 ? word : limit - 1).toWellFormed()}…`;
}

/** Normalizes a name for lookup: lower case, without accents, white space collapsed. */
export function folded(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}

function foldName(name: string): string {
  return withoutSite(name)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}
