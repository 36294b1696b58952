/**
 * Finds the lines at the top of a text that repeat the title of the page: its first heading, its breadcrumbs, its
 * name with a version number. Snippets leave them out, because a result shows the title anyway.
 */

/** Ranges [start, end) of lines in a text, ascending. */
export type Lines = readonly (readonly [number, number])[];

/** The number of characters of a text that are checked. Only lines at the top repeat the title. */
const LOOKED_AT = 1000;
const LONGEST_LINE = 300;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const NUMBER = /^v?\p{N}+$/u;

export function titleLines(text: string, title: string): Lines {
  const words = new Set(title.toLowerCase().match(WORD));
  const lines: [number, number][] = [];
  if (words.size === 0) return lines;
  const limit = Math.min(text.length, LOOKED_AT);
  for (let start = 0; start < limit; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (repeats(text, start, end, words)) lines.push([start, end]);
    start = end + 1;
  }
  return lines;
}

/**
 * Returns true if the title has all words of the line, in any order. The line may also have numbers that the title
 * lacks.
 */
function repeats(text: string, start: number, end: number, words: ReadonlySet<string>): boolean {
  if (end - start > LONGEST_LINE) return false;
  let shared = 0;
  WORD.lastIndex = start;
  for (let found = WORD.exec(text); found && found.index < end; found = WORD.exec(text)) {
    if (words.has(found[0].toLowerCase())) shared++;
    else if (!NUMBER.test(found[0])) return false;
  }
  return shared > 0;
}

/** Returns true if the whole text is one line that repeats the title. */
export function repeatsTitle(text: string, title: string): boolean {
  return titleLines(text, title).some(([start, end]) => start === 0 && end === text.length);
}

export function isWithin(lines: Lines, at: number): boolean {
  return lines.some(([start, end]) => at >= start && at < end);
}
