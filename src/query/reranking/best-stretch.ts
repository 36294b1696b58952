/**
 * Finds the best stretch of a document: the STRETCH consecutive words with the greatest total weight of query words.
 * Returns its weight. Uses the positions that the second stage has looked up. The search for a snippet stops at the
 * first window that reaches this weight.
 */

/**
 * A quoted phrase, as indexes into the words of the query. Its weight is added to a stretch that contains the
 * phrase.
 */
export interface QuotedPhrase {
  words: readonly number[];
  /** For each word of the phrase, the typed form if only this form matches, else null. */
  exact: readonly (string | null)[];
  weight: number;
}

/** The length of a stretch, in words. A stretch of this length fits into a snippet. */
const STRETCH = 16;
/** The maximum number of positions per word that are used. Later positions are seldom shown in a snippet. */
const MAX_PLACES = 100;
/**
 * A number that is greater than any number of query words. An occurrence is encoded as one number: position *
 * WORDS + word index.
 */
const WORDS = 64;

/**
 * Returns the weight of the best stretch: the sum of the weights of its different query words, plus the weight
 * of the quoted phrase in it. If `phrases` is not empty, only stretches that contain a quoted phrase count.
 * Positions before `from` are in the title and do not count. Returns null if there is no stretch.
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
    const quoted = phrases.length > 0 ? quotedAt(hits, at, phrases) : null;
    if (phrases.length > 0 && !quoted) continue;
    best = Math.max(best, weight + (quoted?.weight ?? 0));
  }
  return best > 0 ? best : null;
}

function quotedAt(
  hits: Float64Array,
  at: number,
  phrases: readonly QuotedPhrase[],
): QuotedPhrase | undefined {
  return phrases.find((phrase) => endsAt(hits, at, phrase));
}

/** Returns true if `hits[at]` is the last word of an occurrence of the phrase. */
function endsAt(hits: Float64Array, at: number, { words }: QuotedPhrase): boolean {
  const start = at - words.length + 1;
  if (start < 0) return false;
  const position = positionOf(hits[at]!) - words.length + 1;
  return words.every((word, i) => hits[start + i] === (position + i) * WORDS + word);
}

/**
 * Returns the occurrences of all query words, each encoded as position * WORDS + word index, in ascending
 * order.
 */
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
