/**
 * Computes the weight of the best stretch of a document: the STRETCH positions in which words of the query with the
 * greatest total weight occur. Uses the positions that the second stage has looked up. The search for a snippet stops
 * at the first window that reaches this weight.
 */

/**
 * A quoted phrase as indexes of the query's words, and the weight that it adds to the stretch that contains
 * it.
 */
export interface QuotedPhrase {
  words: readonly number[];
  /** Per word, the typed form if no other form matches, else null. */
  exact: readonly (string | null)[];
  weight: number;
}

/** The length of a stretch, in words. A stretch of this length fits into a snippet. */
const STRETCH = 16;
/** The maximum number of positions per word. Later positions are ignored, because they are rarely shown. */
const MAX_PLACES = 100;
/** A hit is encoded as position * WORDS + word index. A query has at most WORDS words. */
const WORDS = 64;

/**
 * Returns the weight of the best stretch: the total weight of its different words, plus the weight of the quoted phrase
 * in it. If `phrases` is not empty, only stretches with one of the phrases count. Returns null if there is no stretch.
 * Positions before `from` (the title) do not count.
 */
export function bestStretch(
  places: readonly (ArrayLike<number> | null)[],
  weights: readonly number[],
  from: number,
  phrases: readonly QuotedPhrase[] = [],
): number | null {
  const hits = hitsOf(places, from);
  const counts = new Uint16Array(places.length);
  let best = 0;
  let weight = 0;
  let first = 0;
  for (let at = 0; at < hits.length; at++) {
    const hit = hits[at]!;
    if (counts[hit % WORDS]!++ === 0) weight += weights[hit % WORDS]!;
    for (; positionOf(hit) - positionOf(hits[first]!) >= STRETCH; first++) {
      const word = hits[first]! % WORDS;
      if (--counts[word]! === 0) weight -= weights[word]!;
    }
    const quoted = phrases.find((phrase) => endsAt(hits, at, phrase));
    if (phrases.length > 0 && !quoted) continue;
    best = Math.max(best, weight + (quoted?.weight ?? 0));
  }
  return best > 0 ? best : null;
}

/** Returns true if the phrase occurs with its last word at hit `at`. */
function endsAt(hits: Float64Array, at: number, { words }: QuotedPhrase): boolean {
  const start = at - words.length + 1;
  if (start < 0) return false;
  const position = positionOf(hits[at]!) - words.length + 1;
  return words.every((word, i) => hits[start + i] === (position + i) * WORDS + word);
}

/** Returns the hits, ascending by position. */
function hitsOf(places: readonly (ArrayLike<number> | null)[], from: number): Float64Array {
  const hits: number[] = [];
  for (let word = 0; word < Math.min(places.length, WORDS); word++) {
    const positions = places[word] ?? [];
    let at = 0;
    while (at < positions.length && positions[at]! < from) at++;
    const end = Math.min(positions.length, at + MAX_PLACES);
    for (; at < end; at++) hits.push(positions[at]! * WORDS + word);
  }
  return Float64Array.from(hits).sort();
}

function positionOf(hit: number): number {
  return Math.floor(hit / WORDS);
}
