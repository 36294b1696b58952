/**
 * Documents with all of the required words, and the phrases among them.
 *
 * The list with the fewest documents leads, the others are asked for each of its documents; one that does not have
 * it says where it goes on, and the leader leaps there. A block of the leader that cannot get over the threshold is
 * skipped unopened, and the places of a document are read only if its score would bring it among the best: unless
 * matches are to be counted, when every document must be looked at.
 */
import { threshold } from './best';
import {
  BLOCK,
  frequency,
  IDF,
  LIST,
  lastOf,
  NO_MORE,
  placeCount,
  seek,
  seekBlock,
  writePositions,
} from './cursors';
import { BLOCKS, MAXIMA } from './lists';
import { cursorOf, isGone, keep, SAFE, scoreOf, setFrequency, wordCount } from './query';

/** Set by the host: the required words in ascending order of documents, and the phrases. */
let required: usize = 0;
let requiredCount: u32 = 0;
/** Per phrase its length, then per word its number and the forms that count, as 64 bits, 0 for all; a length of 0 ends them. */
let phrases: usize = 0;
const SLOT: usize = 12;
let positions: usize = 0;
let positionsEnd: usize = 0;
let isTooLong: bool = false;

export function setRequired(at: usize, count: u32, phrasesAt: usize): void {
  required = at;
  requiredCount = count;
  phrases = phrasesAt;
}

/** At the beginning of a query: where there is room for positions. */
export function setUpPhrases(at: usize, bytes: usize): void {
  positions = at;
  positionsEnd = at + bytes;
  isTooLong = false;
}

/** A document has so many places that its phrases could not be checked here: the answer is not to be used. */
export function gaveUp(): bool {
  return isTooLong;
}

/** Goes on from document `from` up to `to`; returns how many documents matched, if they are counted. */
export function searchAll(from: u32, to: u32, extraMaximum: f64, isCounting: bool): u32 {
  const leader = cursorOf(load<u32>(required));
  const list: usize = load<u32>(leader, LIST);
  let checked: u32 = -1;
  let matches: u32 = 0;
  for (let target = from; target < to; ) {
    if (!seekBlock(leader, target)) break;
    const block = load<u32>(leader, BLOCK);
    if (!isCounting && block !== checked) {
      checked = block;
      const last = lastOf(list, block);
      if (maximumBetween(target, last) * SAFE + extraMaximum < threshold) {
        target = last + 1;
        continue;
      }
    }
    const doc = seek(leader, target);
    if (doc >= to) break;
    const next = agree(doc);
    if (next === NO_MORE) break;
    target = max(next, doc + 1);
    if (next === doc && isMatch(doc, isCounting)) matches++;
  }
  return matches;
}

/** The most that a document from `first` to `last` can have, by the blocks of all words in between. */
function maximumBetween(first: u32, last: u32): f64 {
  let sum: f64 = 0;
  for (let word: u32 = 0; word < wordCount; word++) {
    const cursor = cursorOf(word);
    if (!seekBlock(cursor, first)) continue;
    const list: usize = load<u32>(cursor, LIST);
    const blocks = load<u32>(list, BLOCKS);
    const table: usize = load<u32>(list, MAXIMA);
    let most: f64 = 0;
    for (let block = load<u32>(cursor, BLOCK); block < blocks; block++) {
      most = max(most, load<f64>(table + (block << 3)));
      if (lastOf(list, block) >= last) break;
    }
    sum += most * load<f64>(cursor, IDF);
  }
  return sum;
}

/** `doc` if all required lists have it, else the next document that is worth a try. */
function agree(doc: u32): u32 {
  for (let at: u32 = 1; at < requiredCount; at++) {
    const found = seek(cursorOf(load<u32>(required + (at << 2))), doc);
    if (found !== doc) return found;
  }
  return doc;
}

function isMatch(doc: u32, isCounting: bool): bool {
  if (isGone(doc)) return false;
  let found: u64 = 0;
  for (let word: u32 = 0; word < wordCount; word++) {
    const cursor = cursorOf(word);
    if (seek(cursor, doc) !== doc) continue;
    setFrequency(word, frequency(cursor));
    found |= (<u64>1) << word;
  }
  const score = scoreOf(doc, found);
  if (!isCounting && score < threshold) return false;
  if (!hasPhrases()) return false;
  keep(doc, score);
  return true;
}

function hasPhrases(): bool {
  let at = phrases;
  for (let length = load<u32>(at); length > 0; length = load<u32>(at)) {
    const needsPlaces = length > 1 || formsAt(at + 4, 0) !== 0;
    if (needsPlaces && !hasPhrase(at + 4, length)) return false;
    at += 4 + <usize>length * SLOT;
  }
  return true;
}

/** Whether the words stand side by side: begins with the rarest, and keeps the beginnings that the others confirm. */
function hasPhrase(words: usize, length: u32): bool {
  let rarest: u32 = 0;
  for (let slot: u32 = 1; slot < length; slot++)
    if (countAt(words, slot) < countAt(words, rarest)) rarest = slot;
  if (!fits(positions, countAt(words, rarest))) return false;
  let count = writePositions(cursorAt(words, rarest), positions, rarest, formsAt(words, rarest));
  for (let slot: u32 = 0; slot < length && count > 0; slot++) {
    if (slot === rarest) continue;
    const others = positions + (count << 2);
    if (!fits(others, countAt(words, slot))) return false;
    const otherCount = writePositions(cursorAt(words, slot), others, slot, formsAt(words, slot));
    count = intersect(positions, count, others, otherCount);
  }
  return count > 0;
}

function cursorAt(words: usize, slot: u32): usize {
  return cursorOf(load<u32>(words + <usize>slot * SLOT));
}

function formsAt(words: usize, slot: u32): u64 {
  return load<u64>(words + <usize>slot * SLOT, 4);
}

function countAt(words: usize, slot: u32): u32 {
  return placeCount(cursorAt(words, slot));
}

function fits(at: usize, count: u32): bool {
  if (<u64>at + ((<u64>count) << 2) <= <u64>positionsEnd) return true;
  isTooLong = true;
  return false;
}

/** Keeps what both ascending lists have, in the first; returns how much that is. Beginnings below 0 are signed. */
function intersect(a: usize, countA: u32, b: usize, countB: u32): u32 {
  const endA = a + (countA << 2);
  const endB = b + (countB << 2);
  let out = a;
  let atB = b;
  for (let atA = a; atA < endA; atA += 4) {
    const wanted = load<i32>(atA);
    while (atB < endB && load<i32>(atB) < wanted) atB += 4;
    if (atB === endB) break;
    if (load<i32>(atB) !== wanted) continue;
    store<i32>(out, wanted);
    out += 4;
  }
  return <u32>(out - a) >> 2;
}
