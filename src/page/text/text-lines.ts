/** Splits the text of a page into lines, and measures how much of each line is linked. */
import { type Mark, MarkKind } from '../page.ts';

/**
 * Receives a line from `start` to `end`. `linked` is the number of its linked characters. `isHeading` is true
 * if a part of the line is a heading.
 */
type UseLine = (start: number, end: number, linked: number, isHeading: boolean) => void;

/** Calls `use` for each line of the text. `marks` are sorted by start. */
export function eachLine(text: string, marks: readonly Mark[], use: UseLine): void {
  let next = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    let linked = 0;
    let isHeading = false;
    for (; next < marks.length && marks[next]!.start < end; next++) {
      const mark = marks[next]!;
      if (mark.kind === MarkKind.link) linked += mark.end - mark.start;
      else if (mark.kind !== MarkKind.emphasis) isHeading = true;
    }
    use(start, end, linked, isHeading);
    start = end + 1;
  }
}
