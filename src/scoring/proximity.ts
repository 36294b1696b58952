/** Measures how close together the words of a query are in a document. Position lists are ascending. */

type Positions = ArrayLike<number>;

/**
 * Returns the length of the shortest window that contains a position of every list; 0 if a list is empty.
 *
 * The window that begins at the least of the current heads ends at the greatest; no window that begins there
 * is shorter. Advancing the least head tries every beginning once. Lists share positions in identifiers only, where
 * the window has one position per list all the same: therefore a window of lists.length positions ends the search.
 */
export function smallestWindow(lists: readonly Positions[]): number {
  if (lists.length === 0 || lists.some((list) => list.length === 0)) return 0;
  const indexes = lists.map(() => 0);
  const heads = lists.map((list) => list[0]!);
  let best = Number.POSITIVE_INFINITY;
  for (;;) {
    let least = 0;
    let greatest = heads[0]!;
    for (let i = 1; i < heads.length; i++) {
      if (heads[i]! < heads[least]!) least = i;
      if (heads[i]! > greatest) greatest = heads[i]!;
    }
    best = Math.min(best, greatest - heads[least]! + 1);
    const next = lists[least]![++indexes[least]!];
    if (best <= lists.length) return lists.length;
    if (next === undefined) return best;
    heads[least] = next;
  }
}

/** Returns the greatest number of neighbouring lists that have consecutive positions. */
export function longestRun(lists: readonly Positions[]): number {
  let longest = 0;
  let before: Positions = [];
  for (const list of lists) {
    if (runs.length < list.length) runs = new Uint16Array(2 * list.length);
    let at = 0;
    for (let i = 0; i < list.length; i++) {
      const previous = list[i]! - 1;
      while (at < before.length && before[at]! < previous) at++;
      const run = at < before.length && before[at] === previous ? runsBefore[at]! + 1 : 1;
      runs[i] = run;
      if (run > longest) longest = run;
    }
    before = list;
    [runs, runsBefore] = [runsBefore, runs];
  }
  return longest;
}

/** Per position of a list, the length of the run that ends there: for the current list and the one before. */
let runs = new Uint16Array(512);
let runsBefore = new Uint16Array(512);

/** Returns how often a position of `second` is `distance` after one of `first`. */
export function pairCount(first: Positions, second: Positions, distance: number): number {
  let count = 0;
  let at = 0;
  for (let i = 0; i < first.length; i++) {
    const wanted = first[i]! + distance;
    while (at < second.length && second[at]! < wanted) at++;
    if (second[at] === wanted) count++;
  }
  return count;
}

/**
 * Returns the lengths of all maximal runs. A run is a sequence of adjacent words in the order of the query.
 * No two lists share a position.
 */
export function runLengths(lists: readonly Positions[]): number[] {
  const wordAt = new Map<number, number>();
  for (const [word, list] of lists.entries())
    for (let at = 0; at < list.length; at++) wordAt.set(list[at]!, word);
  const lengths: number[] = [];
  for (const [position, word] of wordAt) {
    if (word > 0 && wordAt.get(position - 1) === word - 1) continue;
    let length = 1;
    while (wordAt.get(position + length) === word + length) length++;
    lengths.push(length);
  }
  return lengths;
}
