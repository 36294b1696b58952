/**
 * How much of a query stands together somewhere in a document, by the positions that the second stage has looked up: a
 * snippet need not be looked for any longer once it shows as much.
 */

/** A quoted phrase, as numbers of the query's words, and what it adds where it stands. */
export interface QuotedPhrase {
  words: readonly number[];
  /** Per word, the form that was typed if no other will do. */
  exact: readonly (string | null)[];
  weight: number;
}

/** Words of text that surely fit into a snippet. */
const STRETCH = 16;
/** Of each word; what comes later is rarely shown. */
const MAX_PLACES = 100;
/** A position and the number of a word make one number: a query has no more words. */
const WORDS = 64;

/**
 * The most that the different words of one stretch weigh, with its phrase. Null if there is no stretch, or none with a
 * quoted phrase though one was asked for; positions before `from` (the title) do not count.
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

/** Whether the phrase stands there, its last word being that hit. */
function endsAt(hits: Float64Array, at: number, { words }: QuotedPhrase): boolean {
  const start = at - words.length + 1;
  if (start < 0) return false;
  const position = positionOf(hits[at]!) - words.length + 1;
  return words.every((word, i) => hits[start + i] === (position + i) * WORDS + word);
}

/** Ascending by position. */
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
