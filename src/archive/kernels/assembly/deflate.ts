/**
 * DEFLATE (RFC 1951) optimised for speed: the compression ratio of zlib's level 1 in half its time.
 * `../../warc/gzip-kernel.ts` lays out the memory and calls this code.
 *
 * A table holds the last position of every six-byte sequence. Matches are taken greedily. While the search
 * finds no match, its steps become longer. The input is converted to sequences, each a run of literals and the
 * match after it, until a block is full. Literals are collected in a separate buffer, where they are counted in
 * one pass. The block is then written with Huffman codes that are computed for it. Blocks are never stored
 * uncompressed: callers should not pass incompressible data.
 *
 * Most of the cost of such a loop is mispredicted branches, so runs are copied, counted and written in whole
 * groups of bytes, whatever their length.
 *
 * The table is not cleared between inputs. Positions continue from input to input, with a gap larger than the
 * maximum distance, so entries of an earlier input are always too far away to match.
 */

import { finishBits, startBits } from './bits';
import { clearCounts, countLiterals, countMatch, setUpCodes, writeBlock } from './huffman';

const HASH_BITS: u32 = 14;
const MIN_MATCH: u32 = 6;
/**
 * A word of eight bytes is shifted left by this number of bits, so that only its first MIN_MATCH bytes remain.
 */
const BEYOND_MATCH: u64 = 16;
/** The multiplier of the hash of six bytes. The upper bits of the product depend on every byte. */
const SPREAD: u64 = (u64(0x9e3779b1) << 32) | u64(0x85ebca87);
const MAX_MATCH: u32 = 258;
const MAX_DISTANCE: u32 = 32768;
/**
 * The number of bytes at the end of the input that are not searched for matches, so that every search can
 * read eight bytes at once.
 */
const TAIL: u32 = 12;
/**
 * The search skips ahead faster in data without matches: its step grows by one every 2^PATIENCE bytes without
 * a match.
 */
const PATIENCE: u32 = 6;
const MAX_SEQUENCES: u32 = 16384;
const COPY: u32 = 16;

let input: usize = 0;
let table: usize = 0;
let sequences: usize = 0;
let literals: usize = 0;
let output: usize = 0;
/** The position of the first byte of the current input, counted over all inputs so far. */
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

/** Compresses the first `length` bytes of the input and returns the length of the output. */
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
 * Converts the input from the position `from` on to sequences until the block is full, and counts the match
 * symbols. A sequence is a run of literals and the match after it. Literals at the end of the block may have no
 * match after them. Returns the position in the input at which the block ends.
 *
 *   run        u32   number of literals before the match
 *   distance   u16   distance of the match, minus 1
 *   length     u16   length of the match, minus 3
 *
 * This is a hot kernel, so it is long and reads each global once.
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
    // Both conditions are tested in one branch, because the processor cannot predict which of the two fails.
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

/**
 * Copies a run in groups of COPY bytes. The last group may extend beyond the run, so one group of bytes after the end
 * of the source must be readable, and after the end of the copy writable. Returns the position after the copied run.
 */
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
