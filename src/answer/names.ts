/** Queries that may be the name of something, and texts cut to fit a box. */

/** Up to six words without operators of the query language. */
export function isName(query: string): boolean {
  return (
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.,&-]*(?: [\p{L}\p{M}\p{N}'’.,&-]+){0,5}$/u.test(query) &&
    /\p{L}{2}/u.test(query)
  );
}

/** The same name, whatever the case, accents, punctuation and what a site adds behind a dash. */
export function isSameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}

/** A title without what sites add to theirs: `Kuroshio – Example Encyclopedia`. */
export function withoutSite(title: string): string {
  return title.replace(/\s+[-–—|·:]\s+.*$/, '').trim();
}

/** At most so many characters, cut behind a sentence if one ends in the second half, otherwise behind a word. */
export function cutText(text: string, limit: number): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  if (folded.length <= limit) return folded;
  const head = folded.slice(0, limit);
  const sentence = Math.max(...['. ', '! ', '? ', '。'].map((end) => head.lastIndexOf(end)));
  if (sentence > limit / 2) return head.slice(0, sentence + 1);
  const word = head.lastIndexOf(' ');
  return `${head.slice(0, word > limit / 2 ? word : limit - 1).toWellFormed()}…`;
}

/** A name to look up: in small letters, without accents, blanks folded. */
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
