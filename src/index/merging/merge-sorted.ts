/** Walks the sorted entries of several segments in parallel, to merge or export them. */
import { Heap } from '../../base/mod.ts';
import type { TermEntry } from '../dictionary/mod.ts';
import type { SegmentReader } from '../segment/mod.ts';

/** The next entry of one of the sorted inputs of a merge, and the index of that input. */
export interface Head<Entry> {
  input: number;
  entry: Entry;
}

/**
 * Yields the terms of several segments in ascending order. For each term, yields its dictionary entries from
 * all segments that have the term.
 */
export function mergeTermEntries(readers: readonly SegmentReader[]): Generator<Head<TermEntry>[]> {
  return mergeEntries(
    readers.map((reader) => reader.terms()),
    (a, b) => compareStrings(a.term, b.term),
  );
}

/**
 * Merges several inputs that are sorted in ascending order. Yields each distinct entry once, as a list of the
 * equal entries of all inputs that have it.
 */
export function* mergeEntries<Entry>(
  walks: readonly Generator<Entry>[],
  order: (a: Entry, b: Entry) => number,
): Generator<Head<Entry>[]> {
  const heap = new Heap<Head<Entry>>((a, b) => order(a.entry, b.entry) < 0);
  const push = (input: number) => {
    const { value, done } = walks[input]!.next();
    if (!done) heap.push({ input, entry: value });
  };
  for (const input of walks.keys()) push(input);
  while (heap.size > 0) {
    const heads: Head<Entry>[] = [heap.pop()!];
    const { entry } = heads[0]!;
    while (heap.size > 0 && order(heap.peek()!.entry, entry) === 0) heads.push(heap.pop()!);
    yield heads;
    for (const { input } of heads) push(input);
  }
}

/** Compares two strings by UTF-16 units, as the operator `<` does. */
export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
