/**
 * Orders a thousand candidates by sorting plain numbers, which takes no call of a function for every comparison: a fifth
 * of the time of sorting the candidates themselves.
 */

/** Numbers of candidates, as the factor that leaves room for them below a document's number. */
const PLACES = 2 ** 20;

/** The places of the documents in ascending order of their numbers. `chosen` are the places that count. */
export function placesByDoc(docs: readonly { doc: number }[], chosen: readonly number[]): Uint32Array {
  const keys = new Float64Array(chosen.length);
  for (let at = 0; at < chosen.length; at++) keys[at] = docs[chosen[at]!]!.doc * PLACES + chosen[at]!;
  keys.sort();
  const places = new Uint32Array(chosen.length);
  for (let at = 0; at < places.length; at++) places[at] = keys[at]! % PLACES;
  return places;
}

/**
 * The places of the scores, the greatest first; `compare` decides between equal ones.
 *
 * The sorted scores tell where each one belongs: behind all that are greater. Equal ones take the places that follow each
 * other there, and are put in order afterwards.
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
