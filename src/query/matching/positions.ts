/** Finds phrases and neighbouring phrases from the positions of words in a document. Position lists are ascending. */

/**
 * Returns the positions at which a phrase starts: each p such that `lists[i]`, the positions of word i, contains p +
 * i for every i.
 */
export function runStarts(lists: readonly (readonly number[])[]): readonly number[] {
  let starts = lists[0] ?? [];
  for (const [distance, list] of lists.entries()) {
    let at = 0;
    starts = starts.filter((start) => {
      while (at < list.length && list[at]! < start + distance) at++;
      return list[at] === start + distance;
    });
  }
  return starts;
}

/** The positions at which a phrase of `length` words starts. */
export interface Occurrences {
  starts: readonly number[];
  length: number;
}

/**
 * Returns true if the phrases occur near each other. Phrase i must have an occurrence at most `distances[i]`
 * words before or after an occurrence of phrase i - 1, and that occurrence must be near an occurrence of phrase
 * i - 2, and so on. Overlapping occurrences do not count.
 */
export function standNear(phrases: readonly Occurrences[], distances: readonly number[]): boolean {
  let reached = phrases[0]!;
  for (const [i, distance] of distances.entries()) {
    const next = phrases[i + 1]!;
    const starts = next.starts.filter((start) =>
      isReached(reached, start, start + next.length - 1, distance),
    );
    reached = { starts, length: next.length };
  }
  return reached.starts.length > 0;
}

function isReached({ starts, length }: Occurrences, first: number, last: number, distance: number): boolean {
  const from = firstAtLeast(starts, first - distance - length + 1);
  for (let at = from; at < starts.length && starts[at]! <= last + distance; at++) {
    if (starts[at]! + length - 1 < first || starts[at]! > last) return true;
  }
  return false;
}

/** Returns the index of the first item that is at least `value`. */
function firstAtLeast(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
