/**
 * DEFLATE (RFC 1951) for speed: what level 1 of zlib saves in half its time. `../../gzip-kernel.ts` lays out the memory
 * and calls.
 *
 * Matches are found by one table of the last place of every six bytes, taken greedily; between two matches the
 * search takes longer steps the longer it finds nothing. The input becomes sequences, each a run of literals and the
 * match behind it, until a block is full; literals gather in a place of their own, where they are counted at one go.
 * The block is then written with Huffman codes of its own. Blocks are never stored: who has bytes that do not shrink
 * should not come here.
 *
 * What such a loop costs is mostly branches that nobody can foresee, so runs are copied, counted and written in whole
 * groups of bytes, whatever their length.
 *
 * The table is not cleared between inputs. Places are counted on from input to input, with more than the greatest
 * distance between them, so what an earlier input left looks too far away to match.
 */

import { finishBits, startBits } from './bits';
import { clearCounts, countLiterals, countMatch, setUpCodes, writeBlock } from './huffman';

const HASH_BITS: u32 = 14;
const MIN_MATCH: u32 = 6;
/** Shifts away all but that many of eight bytes. */
const BEYOND_MATCH: u64 = 16;
/** Its product's upper bits depend on every byte. */
const SPREAD: u64 = (u64(0x9e3779b1) << 32) | u64(0x85ebca87);
const MAX_MATCH: u32 = 258;
const MAX_DISTANCE: u32 = 32768;
/** The last bytes are never searched, so that eight can be read at once anywhere. */
const TAIL: u32 = 12;
/** Steps grow by one every 2^6 bytes without a match. */
const PATIENCE: u32 = 6;
const MAX_SEQUENCES: u32 = 16384;
/** Bytes that are copied at once. */
const COPY: u32 = 16;

let input: usize = 0;
let table: usize = 0;
let sequences: usize = 0;
let literals: usize = 0;
let output: usize = 0;
/** The count of the first byte of the input. */
let base: u32 = MAX_DISTANCE + 1;

export function setUp(
  inputAt: usize,
  tableAt: usize,
  sequencesAt: usize,
  literalsAt: usize,
  codesAt: usize,
  outputAt: usize,
): void {
  input = inputAt;
  table = tableAt;
  sequences = sequencesAt;
  literals = literalsAt;
  output = outputAt;
  setUpCodes(codesAt);
}

/** Compresses the first `length` bytes of the input and returns how many the output has. */
export function deflate(length: u32): u32 {
  if (base > 0xf0000000 - length) {
    memory.fill(table, 0, 4 << HASH_BITS);
    base = MAX_DISTANCE + 1;
  }
  startBits(output);
  let at: u32 = 0;
  do {
    clearCounts();
    at = fillBlock(at, length);
    countLiterals(literals, literalsEnd);
    writeBlock(sequences, sequencesEnd, literals, literalsEnd, at === length);
  } while (at < length);
  base += length + MAX_DISTANCE + 1;
  return u32(finishBits() - output);
}

let sequencesEnd: usize = 0;
let literalsEnd: usize = 0;

/**
 * A hot kernel: globals are read once. Turns the input from `from` on into sequences, until there are enough, and
 * counts their matches; literals that no match follows come last. Returns where it stopped.
 *
 *   run        u32   how many literals stand before the match
 *   distance   u16   less 1
 *   length     u16   less 3
 */
function fillBlock(from: u32, length: u32): u32 {
  const start = input;
  const places = table;
  const offset = base;
  const limit: u32 = length > TAIL ? length - TAIL : 0;
  const full = sequences + (MAX_SEQUENCES << 3);
  let sequence = sequences;
  let literal = literals;
  let at = from;
  let coded = from;
  while (at < limit && sequence < full) {
    const bytes = load<u64>(start + at) << BEYOND_MATCH;
    const slot = places + slotOf(bytes);
    const distance = offset + at - load<u32>(slot);
    store<u32>(slot, offset + at);
    // One branch, not two: which of them fails is as good as chance.
    const isNear = distance <= MAX_DISTANCE;
    const known = load<u64>(start + at - select<u32>(distance, 0, isNear)) << BEYOND_MATCH;
    if (!(u32(known === bytes) & u32(isNear))) {
      at += 1 + ((at - coded) >> PATIENCE);
      continue;
    }
    literal = copyRun(literal, start + coded, start + at);
    const size = matchLength(start + at, distance, min(MAX_MATCH, length - at));
    countMatch(size, distance);
    store<u32>(sequence, at - coded);
    store<u32>(sequence + 4, ((size - 3) << 16) | (distance - 1));
    sequence += 8;
    store<u32>(places + slotOf(load<u64>(start + at + 1) << BEYOND_MATCH), offset + at + 1);
    at += size;
    coded = at;
  }
  const end = at < limit ? at : length;
  sequencesEnd = sequence;
  literalsEnd = copyRun(literal, start + coded, start + end);
  return end;
}

function slotOf(bytes: u64): usize {
  return usize((bytes * SPREAD) >> (64 - HASH_BITS)) << 2;
}

/** Copies in groups, so there must be room for one behind either end; returns the position after the run. */
function copyRun(to: usize, from: usize, end: usize): usize {
  let at = to;
  let source = from;
  do {
    v128.store(at, v128.load(source));
    at += COPY;
    source += COPY;
  } while (source < end);
  return to + (end - from);
}

function matchLength(at: usize, distance: u32, most: u32): u32 {
  let size = MIN_MATCH;
  while (size + 8 <= most) {
    const difference = load<u64>(at + size) ^ load<u64>(at - distance + size);
    if (difference !== 0) return size + (u32(ctz(difference)) >> 3);
    size += 8;
  }
  while (size < most && load<u8>(at + size) === load<u8>(at - distance + size)) size++;
  return size;
}
