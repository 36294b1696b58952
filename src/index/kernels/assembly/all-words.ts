/**
 * Documents with all of the required words, and the phrases among them.
 *
 * The word with the fewest documents leads, the others are asked for each of its documents; one that does not have
 * it says where it goes on, and the leader leaps there. A block of the leader that cannot get over the threshold is
 * skipped unopened, and the places of a document are read only if its score would bring it among the best: unless
 * matches are to be counted, when every document must be looked at.
 *
 * A word may have several lists (query.ts): it stands where the first of them stands.
 */
import { threshold } from './best';
import { BLOCK, frequency, LIST, lastOf, NO_MORE, SCALE, seek, seekBlock } from './cursors';
import { BLOCKS, MAXIMA } from './lists';
import { hasPhrase, needsPlaces, SLOT_BYTES } from './phrase';
import { cursorOf, isGone, keep, listCount, SAFE, scoreOf, setFrequency } from './query';

/** Set by the host: per required word its first list and how many it has, in ascending order of documents. */
let required: usize = 0;
let requiredCount: u32 = 0;
/** Per phrase its length, then the slots of its words, see phrase.ts; a length of 0 ends them. */
let phrases: usize = 0;

export function setRequired(at: usize, count: u32, phrasesAt: usize): void {
  required = at;
  requiredCount = count;
  phrases = phrasesAt;
}

/** Goes on from document `from` up to `to`; returns how many documents matched, if they are counted. */
export function searchAll(from: u32, to: u32, extraMaximum: f64, isCounting: bool): u32 {
  let checkedUpTo: u32 = from;
  let matches: u32 = 0;
  for (let target = from; target < to; ) {
    if (!isCounting && target >= checkedUpTo) {
      const last = lastOfBlocks(required, target);
      if (last === NO_MORE) break;
      if (maximumBetween(target, last) * SAFE + extraMaximum < threshold) {
        target = last + 1;
        continue;
      }
      checkedUpTo = last + 1;
    }
    const doc = seekWord(required, target);
    if (doc >= to) break;
    const next = agree(doc);
    if (next === NO_MORE) break;
    target = max(next, doc + 1);
    if (next === doc && isMatch(doc, isCounting)) matches++;
  }
  return matches;
}

/** The first document from `target` on that has the word at `word`, or `NO_MORE`. */
function seekWord(word: usize, target: u32): u32 {
  const first = load<u32>(word);
  let least = seek(cursorOf(first), target);
  for (let at: u32 = 1; at < load<u32>(word, 4) && least > target; at++) {
    least = min(least, seek(cursorOf(first + at), target));
  }
  return least;
}

/** Up to where all of the word's lists stay in the blocks that they have at `target`, or `NO_MORE`. */
function lastOfBlocks(word: usize, target: u32): u32 {
  const first = load<u32>(word);
  let least = NO_MORE;
  for (let at: u32 = 0; at < load<u32>(word, 4); at++) {
    const cursor = cursorOf(first + at);
    if (seekBlock(cursor, target))
      least = min(least, lastOf(load<u32>(cursor, LIST), load<u32>(cursor, BLOCK)));
  }
  return least;
}

/** The most that a document from `first` to `last` can have, by the blocks of all lists in between. */
function maximumBetween(first: u32, last: u32): f64 {
  let sum: f64 = 0;
  for (let number: u32 = 0; number < listCount; number++) {
    const cursor = cursorOf(number);
    if (!seekBlock(cursor, first)) continue;
    const list: usize = load<u32>(cursor, LIST);
    const blocks = load<u32>(list, BLOCKS);
    const table: usize = load<u32>(list, MAXIMA);
    let most: f64 = 0;
    for (let block = load<u32>(cursor, BLOCK); block < blocks; block++) {
      most = max(most, load<f64>(table + (block << 3)));
      if (lastOf(list, block) >= last) break;
    }
    sum += most * load<f64>(cursor, SCALE);
  }
  return sum;
}

/** `doc` if all required words have it, else the next document that is worth a try. */
function agree(doc: u32): u32 {
  for (let at: u32 = 1; at < requiredCount; at++) {
    const found = seekWord(required + (at << 3), doc);
    if (found !== doc) return found;
  }
  return doc;
}

function isMatch(doc: u32, isCounting: bool): bool {
  if (isGone(doc)) return false;
  let found: u64 = 0;
  for (let number: u32 = 0; number < listCount; number++) {
    const cursor = cursorOf(number);
    if (seek(cursor, doc) !== doc) continue;
    setFrequency(number, frequency(cursor));
    found |= (<u64>1) << number;
  }
  const score = scoreOf(doc, found);
  if (!isCounting && score < threshold) return false;
  if (!hasPhrases(found)) return false;
  keep(doc, score);
  return true;
}

function hasPhrases(found: u64): bool {
  let at = phrases;
  for (let length = load<u32>(at); length > 0; length = load<u32>(at)) {
    if (needsPlaces(at + 4, length) && !hasPhrase(found, at + 4, length)) return false;
    at += 4 + <usize>length * SLOT_BYTES;
  }
  return true;
}
