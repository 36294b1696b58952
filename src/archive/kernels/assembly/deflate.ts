/**
 * DEFLATE (RFC 1951) for speed: what level 1 of zlib saves in half its time. `../../gzip-kernel.ts` lays out the memory
 * and calls.
 *
 * Matches are found by one table of the last place of every four bytes, taken greedily; between two matches the
 * search takes longer steps the longer it finds nothing. Tokens gather until a block is full and are then written with
 * Huffman codes of their own. Blocks are never stored: who has bytes that do not shrink should not come here.
 *
 * The table is not cleared between inputs. Places are counted on from input to input, with more than the greatest
 * distance between them, so what an earlier input left looks too far away to match.
 */

import { finishBits, startBits } from './bits';
import { clearCounts, countMatch, literalCounts, setUpCodes, writeBlock } from './huffman';

const HASH_BITS: u32 = 15;
const MIN_MATCH: u32 = 4;
const MAX_MATCH: u32 = 258;
const MAX_DISTANCE: u32 = 32768;
/** The last bytes are never searched, so that eight can be read at once anywhere. */
const TAIL: u32 = 12;
/** Steps grow by one every 2^6 bytes without a match. */
const PATIENCE: u32 = 6;
const MAX_TOKENS: u32 = 40000;

let input: usize = 0;
let table: usize = 0;
let tokens: usize = 0;
let output: usize = 0;
/** The count of the first byte of the input. */
let base: u32 = MAX_DISTANCE + 1;

export function setUp(
  inputAt: usize,
  tableAt: usize,
  tokensAt: usize,
  codesAt: usize,
  outputAt: usize,
): void {
  input = inputAt;
  table = tableAt;
  tokens = tokensAt;
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
    writeBlock(tokens, tokensEnd, at === length);
  } while (at < length);
  base += length + MAX_DISTANCE + 1;
  return u32(finishBits() - output);
}

let tokensEnd: usize = 0;

/**
 * A hot kernel: globals are read once. Turns the input from `from` on into tokens, until there are enough, and counts
 * them; returns where it stopped.
 */
function fillBlock(from: u32, length: u32): u32 {
  const start = input;
  const places = table;
  const counts = literalCounts();
  const offset = base;
  const limit: u32 = length > TAIL ? length - TAIL : 0;
  const full = tokens + (MAX_TOKENS << 2);
  let token = tokens;
  let at = from;
  let literals = from;
  while (at < limit && token + ((at - literals) << 2) < full) {
    const bytes = load<u32>(start + at);
    const slot = places + slotOf(bytes);
    const distance = offset + at - load<u32>(slot);
    store<u32>(slot, offset + at);
    if (distance > MAX_DISTANCE || load<u32>(start + at - distance) !== bytes) {
      at += 1 + ((at - literals) >> PATIENCE);
      continue;
    }
    token = writeLiterals(token, start + literals, start + at, counts);
    const size = matchLength(start + at, distance, min(MAX_MATCH, length - at));
    countMatch(size, distance);
    store<u32>(token, 0x80000000 | ((size - 3) << 16) | (distance - 1));
    token += 4;
    const second = load<u32>(start + at + 1);
    store<u32>(places + slotOf(second), offset + at + 1);
    at += size;
    literals = at;
    if (at < limit) store<u32>(places + slotOf(load<u32>(start + at - 2)), offset + at - 2);
  }
  const end = at < limit ? at : length;
  tokensEnd = writeLiterals(token, start + literals, start + end, counts);
  return end;
}

function slotOf(bytes: u32): usize {
  return ((bytes * 0x9e3779b1) >> (32 - HASH_BITS)) << 2;
}

function writeLiterals(to: usize, from: usize, end: usize, counts: usize): usize {
  let token = to;
  for (let at = from; at < end; at++) {
    const byte: u32 = load<u8>(at);
    const counted = counts + (byte << 2);
    store<u32>(counted, load<u32>(counted) + 1);
    store<u32>(token, byte);
    token += 4;
  }
  return token;
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
