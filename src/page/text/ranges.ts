/** Joins and trims lists of ranges of a page's text. */
import type { Range } from '../page.ts';

/** Sorts the ranges and joins those that overlap or touch. */
export function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** Removes the separator at the start of each range, and ranges after the end of the text. */
export function trimmed(ranges: readonly Range[], text: string): Range[] {
  return ranges.flatMap(([start, end]): Range[] => {
    const from = /\s/.test(text.charAt(start)) ? start + 1 : start;
    const to = Math.min(end, text.length);
    return from < to ? [[from, to]] : [];
  });
}
