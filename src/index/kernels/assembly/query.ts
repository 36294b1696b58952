/** The query that runs now: its cursors, what its words weigh, and the segment it is in. */
import { offer } from './best';
import { CURSOR_BYTES, IDF, LIST, open } from './cursors';
import { BEST, FINGERPRINTS, isDeleted, NORMS, rankOf, STATICS, termScore } from './lists';

/** Sums of bounds round in another order than scores: a bound is taken to be a little more than it is. */
export const SAFE: f64 = 1.000000001;

export let segment: usize = 0;
export let segmentNumber: u32 = 0;
export let wordCount: u32 = 0;
/** The sum of the words' rarity over the whole index. */
export let weight: f64 = 1;
export let norms: usize = 0;
export let statics: usize = 0;

let cursors: usize = 0;
let fingerprints: usize = 0;
/** Per word, its frequency in the document that is being scored. */
let frequencies: usize = 0;

/** `at` has room for 64 cursors, `foundAt` for 64 numbers. */
export function startQuery(at: usize, foundAt: usize, totalWeight: f64): void {
  cursors = at;
  frequencies = foundAt;
  weight = totalWeight;
}

/** Enters a segment with `words` lists. The host sets each by `setWord`. */
export function enterSegment(at: usize, number: u32, words: u32): void {
  segment = at;
  segmentNumber = number;
  wordCount = words;
  norms = load<u32>(at, NORMS);
  statics = load<u32>(at, STATICS);
  fingerprints = load<u32>(at, FINGERPRINTS);
}

/** The list of a word in this segment. Words keep their order, those without a list are left out. */
export function setWord(word: u32, list: usize, idf: f64): void {
  const cursor = cursorOf(word);
  store<u32>(cursor, <u32>list, LIST);
  store<f64>(cursor, idf, IDF);
  open(cursor);
}

export function cursorOf(word: u32): usize {
  return cursors + <usize>word * CURSOR_BYTES;
}

/** A score that at least `keep` documents reach by this segment's lists alone. */
export function primedThreshold(keep: u32): f64 {
  let index: u32 = 0;
  while (index < 4 && rankOf(index) < keep) index++;
  if (index === 4) return 0;
  let best: f64 = 0;
  for (let word: u32 = 0; word < wordCount; word++) {
    const cursor = cursorOf(word);
    const idf = load<f64>(cursor, IDF);
    best = max(best, idf * load<f64>(<usize>load<u32>(cursor, LIST) + (index << 3), BEST) * (idf / weight));
  }
  return best / SAFE;
}

export function staticOf(doc: u32): f64 {
  return statics === 0 ? 0 : load<f64>(statics + ((<usize>doc) << 3));
}

export function setFrequency(word: u32, frequency: u32): void {
  store<u32>(frequencies + (word << 2), frequency);
}

/** The exact score of a document that has the words of `found`: the sum goes by the order of the words. */
export function scoreOf(doc: u32, found: u64): f64 {
  const norm = load<f64>(norms + ((<usize>doc) << 3));
  let sum: f64 = 0;
  let mass: f64 = 0;
  for (let word: u32 = 0; word < wordCount; word++) {
    if (!(found & ((<u64>1) << word))) continue;
    const idf = load<f64>(cursorOf(word), IDF);
    sum += termScore(idf, load<u32>(frequencies + (word << 2)), norm);
    mass += idf;
  }
  return sum * (mass / weight) + staticOf(doc);
}

export function keep(doc: u32, score: f64): void {
  offer(score, load<i64>(fingerprints + ((<usize>doc) << 3)), segmentNumber, doc);
}

export function isGone(doc: u32): bool {
  return isDeleted(segment, doc);
}
