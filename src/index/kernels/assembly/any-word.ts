/**
 * Documents with any of the words: block-max MaxScore in windows.
 *
 * Documents are gone through in windows of 1024. Within a window every list has a maximum: that of the blocks
 * which reach into it. Lists are ordered by it, and as many of the least as cannot lift a document over the
 * threshold even together are not walked ("optional" here): a document that has no other word is not among the
 * best. The others are summed up per document; only documents whose sum can still get over the threshold are
 * looked up in the optional lists, the weightiest first.
 *
 * Ding and Suel, "Faster top-k document retrieval using block-max indexes", 2011; Turtle and Flood, 1995. Because
 * of coordination (rank/) a bound is a sum of maxima times the share of the query's weight that is still possible.
 */
import { raiseThreshold, threshold } from './best';
import {
  BLOCK,
  COUNT,
  DECODED,
  docAt,
  frequency,
  frequencyAt,
  INDEX,
  LIST,
  lastOf,
  load128,
  loadFrequencies,
  MASS,
  SCALE,
  seek,
  seekBlock,
  WINDOW_BUFFER,
  WINDOW_MAXIMUM,
  WORD,
} from './cursors';
import { BLOCKS, MAXIMA, STATIC_MAXIMA, termScore } from './lists';
import {
  cursorOf,
  isGone,
  keep,
  listCount,
  massOf,
  norms,
  primedThreshold,
  SAFE,
  scoreOf,
  segment,
  setFrequency,
  staticOf,
  statics,
  weight,
} from './query';

const WINDOW: u32 = 1024;

/** Per document of the window: the sum so far, and which lists it is in. */
let sums: usize = 0;
let founds: usize = 0;
/** A bit per document that has a sum. */
let touched: usize = 0;
/** Lists in ascending order of their maximum, and the sums of maxima and masses of the first so many. */
let order: usize = 0;
let maxima: usize = 0;
let masses: usize = 0;

let windowStart: u32 = 0;
let windowEnd: u32 = 0;
let staticMaximum: f64 = 0;
let optional: u32 = 0;

/** `at` has room for 24 KiB; it is cleared. */
export function setUpWindows(at: usize): void {
  sums = at;
  founds = sums + 8 * WINDOW;
  touched = founds + 8 * WINDOW;
  order = touched + WINDOW / 8;
  maxima = order + 4 * 65;
  masses = maxima + 8 * 65;
  memory.fill(at, 0, 24 * 1024);
}

/** Goes on from document `from` up to `to`, both multiples of 1024 but for the end. */
export function searchAny(from: u32, to: u32, keepCount: u32): void {
  if (from === 0) raiseThreshold(primedThreshold(keepCount));
  for (let start = from; start < to; ) {
    windowStart = start;
    windowEnd = min(start + WINDOW, to);
    staticMaximum =
      statics === 0 ? 0 : load<f64>(<usize>load<u32>(segment, STATIC_MAXIMA) + ((start / WINDOW) << 3));
    const next = findMaxima();
    if (next >= windowEnd) {
      start = next - (next % WINDOW);
      continue;
    }
    orderLists();
    if (optional < listCount) searchWindow();
    start = windowEnd;
  }
}

/** Sets the maximum of each list in the window; returns a document before which there is nothing. */
function findMaxima(): u32 {
  let next: u32 = 0x7fffffff;
  for (let number: u32 = 0; number < listCount; number++) {
    const cursor = cursorOf(number);
    store<f64>(cursor, 0, WINDOW_MAXIMUM);
    if (!seekBlock(cursor, windowStart)) continue;
    const first = firstPossible(cursor);
    next = min(next, first);
    if (first < windowEnd) store<f64>(cursor, maximumInWindow(cursor), WINDOW_MAXIMUM);
  }
  return next;
}

/** A document of the list that is not after its next one. A block that spans windows is opened to know. */
function firstPossible(cursor: usize): u32 {
  const block = load<u32>(cursor, BLOCK);
  const list: usize = load<u32>(cursor, LIST);
  const before: u32 = block === 0 ? 0 : lastOf(list, block - 1) + 1;
  if (load<u32>(cursor, DECODED) !== block && lastOf(list, block) - before < WINDOW) {
    return max(before, windowStart);
  }
  return seek(cursor, windowStart);
}

function maximumInWindow(cursor: usize): f64 {
  const list: usize = load<u32>(cursor, LIST);
  const blocks = load<u32>(list, BLOCKS);
  const table: usize = load<u32>(list, MAXIMA);
  let most: f64 = 0;
  for (let block = load<u32>(cursor, BLOCK); block < blocks; block++) {
    most = max(most, load<f64>(table + (block << 3)));
    if (lastOf(list, block) + 1 >= windowEnd) break;
  }
  return most * load<f64>(cursor, SCALE) * SAFE;
}

/** Orders the lists by their maximum and finds how many are optional. */
function orderLists(): void {
  for (let number: u32 = 0; number < listCount; number++) {
    const maximum = load<f64>(cursorOf(number), WINDOW_MAXIMUM);
    let at = number;
    for (; at > 0; at--) {
      const other = load<u32>(order + ((at - 1) << 2));
      if (load<f64>(cursorOf(other), WINDOW_MAXIMUM) <= maximum) break;
      store<u32>(order + (at << 2), other);
    }
    store<u32>(order + (at << 2), number);
  }
  store<f64>(maxima, 0);
  store<f64>(masses, 0);
  optional = 0;
  for (let at: u32 = 0; at < listCount; at++) {
    const cursor = listAt(at);
    const maximum = load<f64>(cursor, WINDOW_MAXIMUM);
    const mass = load<f64>(masses + (at << 3)) + (maximum > 0 ? massOnTop(at) : 0);
    store<f64>(maxima + (at << 3) + 8, load<f64>(maxima + (at << 3)) + maximum);
    store<f64>(masses + (at << 3) + 8, mass);
    if (optional === at && !canReach(0, 0, at + 1, staticMaximum)) optional = at + 1;
  }
}

function listAt(place: u32): usize {
  return cursorOf(load<u32>(order + (place << 2)));
}

/** What a list adds to the greatest mass that the lists of its word before it in the order can give. */
function massOnTop(place: u32): f64 {
  const cursor = listAt(place);
  const mass = load<f64>(cursor, MASS);
  let least = mass;
  for (let at: u32 = 0; at < place; at++) {
    const other = listAt(at);
    if (load<u32>(other, WORD) !== load<u32>(cursor, WORD)) continue;
    if (load<f64>(other, WINDOW_MAXIMUM) > 0) least = min(least, mass - load<f64>(other, MASS));
  }
  return max(0, least);
}

/** Whether a sum and mass, with the first `rest` lists of the order on top, can reach the threshold. */
function canReach(sum: f64, mass: f64, rest: u32, extra: f64): bool {
  const most = sum + load<f64>(maxima + (rest << 3));
  const share = (mass + load<f64>(masses + (rest << 3))) / weight;
  return most * min(1, share * SAFE) * SAFE + extra >= threshold;
}

function searchWindow(): void {
  if (optional === listCount - 1) {
    searchOne(load<u32>(order + (optional << 2)));
    return;
  }
  for (let at = optional; at < listCount; at++) addList(load<u32>(order + (at << 2)));
  for (let bits: u32 = 0; bits < WINDOW / 64; bits++) {
    let rest = load<u64>(touched + (bits << 3));
    if (rest === 0) continue;
    store<u64>(touched + (bits << 3), 0);
    for (; rest !== 0; rest &= rest - 1) considerSum((bits << 6) + <u32>ctz(rest));
  }
}

/** One list is left to walk: no sums are needed. */
function searchOne(number: u32): void {
  const cursor = cursorOf(number);
  const scale = load<f64>(cursor, SCALE);
  const mass = load<f64>(cursor, MASS);
  const list: usize = load<u32>(cursor, LIST);
  const blocks = load<u32>(list, BLOCKS);
  const table: usize = load<u32>(list, MAXIMA);
  while (load<u32>(cursor, BLOCK) < blocks) {
    const block = load<u32>(cursor, BLOCK);
    const isHopeless = !canReach(scale * load<f64>(table + (block << 3)), mass, optional, staticMaximum);
    if (!isHopeless) {
      load128(cursor);
      loadFrequencies(cursor);
      const count = load<u32>(cursor, COUNT);
      let index = load<u32>(cursor, INDEX);
      for (; index < count; index++) {
        const doc = docAt(cursor, index);
        if (doc >= windowEnd) break;
        if (doc < windowStart) continue;
        const many = frequencyAt(cursor, index);
        const score = termScore(scale, many, load<f64>(norms + ((<usize>doc) << 3)));
        if (!canReach(score, mass, optional, staticOf(doc))) continue;
        setFrequency(number, many);
        consider(doc, score, (<u64>1) << number);
      }
      store<u32>(cursor, index, INDEX);
    }
    if (lastOf(list, block) >= windowEnd) return;
    store<u32>(cursor, block + 1, BLOCK);
  }
}

/** Adds what a list is worth to the sums of the window. The inner loop of a search. */
function addList(number: u32): void {
  const cursor = cursorOf(number);
  const scale = load<f64>(cursor, SCALE);
  const list: usize = load<u32>(cursor, LIST);
  const blocks = load<u32>(list, BLOCKS);
  const table: usize = load<u32>(list, MAXIMA);
  const others = load<f64>(maxima + (listCount << 3)) - load<f64>(cursor, WINDOW_MAXIMUM);
  const bit = (<u64>1) << number;
  while (load<u32>(cursor, BLOCK) < blocks) {
    const block = load<u32>(cursor, BLOCK);
    const most = (others + scale * load<f64>(table + (block << 3))) * SAFE + staticMaximum;
    if (most >= threshold) {
      load128(cursor);
      loadFrequencies(cursor);
      const count = load<u32>(cursor, COUNT);
      let index = load<u32>(cursor, INDEX);
      while (index < count && docAt(cursor, index) < windowStart) index++;
      for (; index < count; index++) {
        const doc = docAt(cursor, index);
        if (doc >= windowEnd) break;
        const at = doc - windowStart;
        const many = frequencyAt(cursor, index);
        const sum = sums + (at << 3);
        const found = founds + (at << 3);
        const bits = touched + ((at >> 6) << 3);
        store<f64>(sum, load<f64>(sum) + termScore(scale, many, load<f64>(norms + ((<usize>doc) << 3))));
        store<u64>(found, load<u64>(found) | bit);
        store<u64>(bits, load<u64>(bits) | ((<u64>1) << (at & 63)));
        store<u32>(cursor + (at << 2), many, WINDOW_BUFFER);
      }
      store<u32>(cursor, index, INDEX);
    }
    if (lastOf(list, block) >= windowEnd) return;
    store<u32>(cursor, block + 1, BLOCK);
  }
}

function considerSum(at: u32): void {
  const doc = windowStart + at;
  const sum = load<f64>(sums + (at << 3));
  const found = load<u64>(founds + (at << 3));
  store<f64>(sums + (at << 3), 0);
  store<u64>(founds + (at << 3), 0);
  if ((sum + load<f64>(maxima + (optional << 3))) * SAFE + staticOf(doc) < threshold) return;
  for (let rest = found; rest !== 0; rest &= rest - 1) {
    const number = <u32>ctz(rest);
    setFrequency(number, load<u32>(cursorOf(number) + (at << 2), WINDOW_BUFFER));
  }
  consider(doc, sum, found);
}

/** Looks a candidate up in the optional lists as long as it can get over the threshold. */
function consider(doc: u32, sumSoFar: f64, foundSoFar: u64): void {
  if (isGone(doc)) return;
  const norm = load<f64>(norms + ((<usize>doc) << 3));
  const extra = staticOf(doc);
  let sum = sumSoFar;
  let found = foundSoFar;
  let mass = massOf(found);
  for (let at = optional; at-- > 0; ) {
    if (!canReach(sum, mass, at + 1, extra)) return;
    const number = load<u32>(order + (at << 2));
    const cursor = cursorOf(number);
    if (load<f64>(cursor, WINDOW_MAXIMUM) === 0 || seek(cursor, doc) !== doc) continue;
    const many = frequency(cursor);
    setFrequency(number, many);
    sum += termScore(load<f64>(cursor, SCALE), many, norm);
    found |= (<u64>1) << number;
    mass = massOf(found);
  }
  if (canReach(sum, mass, 0, extra)) keep(doc, scoreOf(doc, found));
}
