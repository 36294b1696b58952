/** Lists of stretches of a text. */
import type { Range } from './page.ts';

/** Ascending, and neither overlapping nor touching. */
export function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** The same without the separator at their start; those that lie behind the end of the text are dropped. */
export function trimmed(ranges: readonly Range[], text: string): Range[] {
  return ranges.flatMap(([start, end]): Range[] => {
    const from = /\s/.test(text.charAt(start)) ? start + 1 : start;
    const to = Math.min(end, text.length);
    return from < to ? [[from, to]] : [];
  });
}
