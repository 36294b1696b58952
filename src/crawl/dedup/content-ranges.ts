/**
 * Which parts of a page's text tell it from other pages of its site: all but the boilerplate that `page/`
 * found. Menus, side bars and footers are the same on every page, or other on every visit; either would
 * blur the comparison.
 */
import type { Page, Range } from '../../page/mod.ts';

/** A page that would be left with fewer characters is a list of links by nature, and is taken whole. */
const LEAST_LENGTH = 200;

/** Ascending ranges of the text. */
export function contentRanges({ text, boilerplate = [] }: Pick<Page, 'text' | 'boilerplate'>): Range[] {
  const ranges: Range[] = [];
  let kept = 0;
  let from = 0;
  for (const [start, end] of boilerplate) {
    if (start > from) ranges.push([from, start]);
    kept += start - from;
    from = end;
  }
  if (from < text.length) ranges.push([from, text.length]);
  kept += text.length - from;
  return kept < LEAST_LENGTH ? [[0, text.length]] : ranges;
}
