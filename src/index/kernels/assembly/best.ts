/**
 * Keeps the best matches of a query over all segments, in a heap with the worst match on top.
 *
 * A document with a score below `threshold` cannot be among the best. Of two documents with equal scores, the
 * one with the lesser fingerprint is better, so a document whose score equals the threshold must still be
 * considered.
 */

/** Byte offsets of the values in a match: its score, fingerprint, segment and document. */
const SCORE: usize = 0;
const FINGERPRINT: usize = 8;
const SEGMENT: usize = 16;
const DOC: usize = 20;
const MATCH_BYTES: u32 = 24;

export let threshold: f64 = 0;

let heap: usize = 0;
let size: u32 = 0;
let limit: u32 = 0;

/**
 * Starts a query that keeps the best `keep` matches. They are stored at the address `at`, which has room for
 * `keep` + 1 matches.
 */
export function startBest(at: usize, keep: u32): void {
  heap = at;
  limit = keep;
  size = 0;
  threshold = 0;
}

/** Ends a query: sorts the stored matches, best first, and returns their number. */
export function finishBest(): u32 {
  const count = size;
  while (size > 1) {
    size--;
    swap(heap, heap + size * MATCH_BYTES);
    siftDown(0);
  }
  return count;
}

/**
 * Raises the threshold to at least `score`. The caller must know that enough documents have this score or a
 * higher one.
 */
export function raiseThreshold(score: f64): void {
  threshold = max(threshold, score);
}

export function offer(score: f64, fingerprint: i64, segment: u32, doc: u32): void {
  if (score < threshold) return;
  if (size < limit) {
    write(heap + size++ * MATCH_BYTES, score, fingerprint, segment, doc);
    siftUp(size - 1);
  } else {
    if (score === load<f64>(heap) && fingerprint > load<i64>(heap, FINGERPRINT)) return;
    if (score < load<f64>(heap)) return;
    write(heap, score, fingerprint, segment, doc);
    siftDown(0);
  }
  if (size === limit) raiseThreshold(load<f64>(heap));
}

function write(at: usize, score: f64, fingerprint: i64, segment: u32, doc: u32): void {
  store<f64>(at, score, SCORE);
  store<i64>(at, fingerprint, FINGERPRINT);
  store<u32>(at, segment, SEGMENT);
  store<u32>(at, doc, DOC);
}

function isWorse(a: usize, b: usize): bool {
  const scoreA = load<f64>(a);
  const scoreB = load<f64>(b);
  return scoreA < scoreB || (scoreA === scoreB && load<i64>(a, FINGERPRINT) > load<i64>(b, FINGERPRINT));
}

function swap(a: usize, b: usize): void {
  for (let word: u32 = 0; word < MATCH_BYTES; word += 8) {
    const kept = load<i64>(a + word);
    store<i64>(a + word, load<i64>(b + word));
    store<i64>(b + word, kept);
  }
}

function siftUp(from: u32): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isWorse(heap + at * MATCH_BYTES, heap + parent * MATCH_BYTES)) return;
    swap(heap + at * MATCH_BYTES, heap + parent * MATCH_BYTES);
    at = parent;
  }
}

function siftDown(from: u32): void {
  let at = from;
  for (;;) {
    let child: u32 = 2 * at + 1;
    if (child >= size) return;
    if (child + 1 < size && isWorse(heap + (child + 1) * MATCH_BYTES, heap + child * MATCH_BYTES)) child++;
    if (!isWorse(heap + child * MATCH_BYTES, heap + at * MATCH_BYTES)) return;
    swap(heap + child * MATCH_BYTES, heap + at * MATCH_BYTES);
    at = child;
  }
}
