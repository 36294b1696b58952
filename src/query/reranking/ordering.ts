/**
 * Sorts the indexes of about a thousand candidates as plain numbers. Sorting numbers calls no comparison
 * function, and takes a fifth of the time of sorting the candidates themselves.
 */

/**
 * A number that is greater than any number of candidates. A sort key is doc * PLACES + index, so the index is
 * key % PLACES.
 */
const PLACES = 2 ** 20;

/** Sorts the indexes in `chosen` by the document number of the element of `docs` with that index, ascending. */
export function placesByDoc(docs: readonly { doc: number }[], chosen: readonly number[]): Uint32Array {
  const keys = new Float64Array(chosen.length);
  for (let at = 0; at < chosen.length; at++) keys[at] = docs[chosen[at]!]!.doc * PLACES + chosen[at]!;
  keys.sort();
  const places = new Uint32Array(chosen.length);
  for (let at = 0; at < places.length; at++) places[at] = keys[at]! % PLACES;
  return places;
}

/**
 * Returns the indexes of the scores, greatest score first. `compare` orders indexes with equal scores.
 *
 * First an array of the scores alone is sorted. The position of a score in this array is the position of its
 * index in the result. Equal scores are adjacent in the array; their indexes are sorted with `compare`.
 */
export function placesByScore(
  scores: Float64Array,
  compare: (one: number, other: number) => number,
): Uint32Array {
  const count = scores.length;
  const ascending = scores.toSorted();
  const places = new Uint32Array(count);
  const taken = new Uint32Array(count);
  let hasTies = false;
  for (let at = 0; at < count; at++) {
    const first = count - firstAbove(ascending, scores[at]!);
    if (taken[first]! > 0) hasTies = true;
    places[first + taken[first]!++] = at;
  }
  if (hasTies) {
    for (let from = 0; from < count; from += taken[from]!)
      if (taken[from]! > 1) places.subarray(from, from + taken[from]!).sort(compare);
  }
  return places;
}

function firstAbove(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
