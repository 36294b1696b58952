/**
 * How much of a query stands together somewhere in a document, by the positions that the second stage has looked up: a
 * snippet need not be looked for any longer once it shows as much.
 */

/** Words of text that surely fit into a snippet. */
const STRETCH = 16;
/** Of each word; what comes later is rarely shown. */
const MAX_PLACES = 100;
/** A position and the number of a word make one number: a query has no more words. */
const WORDS = 64;

/** The most that the different words of one stretch weigh; positions before `from` (the title) do not count. */
export function bestStretch(
  places: readonly (ArrayLike<number> | null)[],
  weights: readonly number[],
  from: number,
): number {
  const hits = hitsOf(places, from);
  const counts = new Uint16Array(places.length);
  let best = 0;
  let weight = 0;
  let first = 0;
  for (const hit of hits) {
    if (counts[hit % WORDS]!++ === 0) weight += weights[hit % WORDS]!;
    for (; positionOf(hit) - positionOf(hits[first]!) >= STRETCH; first++) {
      const word = hits[first]! % WORDS;
      if (--counts[word]! === 0) weight -= weights[word]!;
    }
    if (weight > best) best = weight;
  }
  return best;
}

/** Ascending by position. */
function hitsOf(places: readonly (ArrayLike<number> | null)[], from: number): Float64Array {
  const hits: number[] = [];
  for (const [word, positions] of places.entries()) {
    if (!positions || word >= WORDS) continue;
    let taken = 0;
    for (let at = 0; at < positions.length && taken < MAX_PLACES; at++) {
      if (positions[at]! < from) continue;
      hits.push(positions[at]! * WORDS + word);
      taken++;
    }
  }
  return Float64Array.from(hits).sort();
}

function positionOf(hit: number): number {
  return Math.floor(hit / WORDS);
}
