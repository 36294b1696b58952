/**
 * Compares the texts of two copies: line by line, and changed lines word by word. A page may be built to be
 * slow to compare, so only the beginning of a long text is compared; `isCut` reports this.
 */
import { isShortened } from '../../page/mod.ts';
import { type Difference, differences } from './text-diff.ts';

/** The maximum number of lines of a copy that are compared. `page/` has already limited the length of the text. */
const MAX_LINES = 5000;
const MAX_LINE_LENGTH = 5000;
/** The maximum number of pairs of words that are compared, for one line and for all lines of a page. */
const MAX_CELLS = 250_000;
const MAX_CELLS_OF_PAGE = 8_000_000;
/**
 * The minimum share of common words in two lines that are shown as one changed line. Other lines are shown as
 * removed and added.
 */
const LEAST_SHARED = 0.4;

export type ComparedPart =
  | { kind: 'kept'; count: number }
  | { kind: 'removed' | 'added'; line: string }
  | { kind: 'changed'; words: Difference<string>[] };

export interface CopyDifferences {
  parts: ComparedPart[];
  addedCount: number;
  removedCount: number;
  /** True if part of the texts was not compared. */
  isCut: boolean;
}

export function compareTexts(older: string, newer: string): CopyDifferences {
  const [before, after] = [linesOf(older), linesOf(newer)];
  const found = differences(before.lines, after.lines);
  return {
    parts: pairs(found),
    addedCount: countOf(found, 'added'),
    removedCount: countOf(found, 'removed'),
    isCut: before.isCut || after.isCut,
  };
}

function linesOf(text: string): { lines: string[]; isCut: boolean } {
  const all = text.split('\n');
  const lines = all.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE_LENGTH));
  const isCut =
    isShortened({ text }) || all.length > MAX_LINES || all.some((line) => line.length > MAX_LINE_LENGTH);
  return { lines, isCut };
}

function countOf(found: readonly Difference<string>[], kind: Difference<string>['kind']): number {
  return found.reduce((sum, difference) => sum + (difference.kind === kind ? difference.items.length : 0), 0);
}

/**
 * Pairs removed lines with the added lines after them. A pair with enough words in common is shown as one
 * changed line.
 */
function pairs(found: readonly Difference<string>[]): ComparedPart[] {
  const budget = { cells: MAX_CELLS_OF_PAGE };
  return found.flatMap((difference, at): ComparedPart[] => {
    const { kind, items } = difference;
    if (kind === 'kept') return [{ kind, count: items.length }];
    const next = found[at + 1];
    const previous = found[at - 1];
    if (kind === 'added' && previous?.kind === 'removed')
      return items.slice(previous.items.length).map((line) => ({ kind, line }));
    if (kind === 'removed' && next?.kind === 'added')
      return items.flatMap((line, i) => changed(line, next.items[i], budget));
    return items.map((line) => ({ kind, line }));
  });
}

/** Compares two lines word by word, and subtracts the number of pairs of words from the budget. */
function changed(before: string, after: string | undefined, budget: { cells: number }): ComparedPart[] {
  if (after === undefined) return [{ kind: 'removed', line: before }];
  const [left, right] = [before, after].map((line) => line.split(/(?<=\s)/));
  const most = Math.min(MAX_CELLS, budget.cells);
  const parts = differences(left!, right!, most);
  budget.cells -= Math.min(most, left!.length * right!.length);
  const shared = parts.reduce((sum, { kind, items }) => sum + (kind === 'kept' ? items.length : 0), 0);
  if (shared >= LEAST_SHARED * Math.max(left!.length, right!.length))
    return [{ kind: 'changed', words: parts }];
  return [
    { kind: 'removed', line: before },
    { kind: 'added', line: after },
  ];
}
