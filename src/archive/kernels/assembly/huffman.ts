/**
 * Computes the Huffman codes of a block and writes the block (RFC 1951 § 3.2.7). Code lengths come from the
 * in-place method of Moffat and Katajainen over symbols sorted by frequency. Lengths above the limit are
 * shortened, and others made longer until the code is complete again.
 */
import * as bitsOut from './bits';
import { setBits, writeBits } from './bits';

const LITERALS: u32 = 286;
const DISTANCES: u32 = 30;
const LENGTHS: u32 = 19;
const END: u32 = 256;
const MAX_BITS: u32 = 15;
/**
 * The maximum length of a literal's code in bits. The format allows 15; with 12, the codes of four literals fit
 * into 48 bits.
 */
const MAX_LITERAL_BITS: u32 = 12;
const MAX_LENGTH_BITS: u32 = 7;

/**
 * Tables indexed by symbol: `symbolCounts` has the number of times that a symbol occurs, and the code tables
 * have (length in bits << 16 | code).
 */
let symbolCounts: usize = 0;
let distanceCounts: usize = 0;
let literalCodes: usize = 0;
let distanceCodes: usize = 0;
let lengthCounts: usize = 0;
let lengthCodes: usize = 0;
/**
 * Tables for matches. Two of them map a match length (minus 3) and a distance to a symbol. The others, indexed
 * by symbol, have the first value of the symbol's range and its number of extra bits.
 */
let lengthSymbols: usize = 0;
let distanceSymbols: usize = 0;
let lengthStarts: usize = 0;
let distanceStarts: usize = 0;
let sorted: usize = 0;
let swap: usize = 0;
let buckets: usize = 0;
let bits: usize = 0;
let runs: usize = 0;
/**
 * Count tables for every second, third and fourth literal, which are added to the first table at the end. With
 * a single table, counting two equal neighbours would be slow, because the second increment would have to wait
 * for the first.
 */
let secondCounts: usize = 0;
let thirdCounts: usize = 0;
let fourthCounts: usize = 0;

export function setUpCodes(at: usize): void {
  symbolCounts = at;
  distanceCounts = at + 0x500;
  lengthCounts = at + 0x600;
  literalCodes = at + 0x700;
  distanceCodes = at + 0xc00;
  lengthCodes = at + 0xd00;
  lengthSymbols = at + 0xe00;
  distanceSymbols = at + 0xf00;
  lengthStarts = at + 0x1100;
  distanceStarts = at + 0x1200;
  sorted = at + 0x1300;
  swap = at + 0x1800;
  buckets = at + 0x1d00;
  bits = at + 0x2200;
  runs = at + 0x2400;
  secondCounts = at + 0x2800;
  thirdCounts = at + 0x2c00;
  fourthCounts = at + 0x3000;
  fillLengthSymbols();
  fillDistanceSymbols();
}

/**
 * Fills the table that maps a match length to a symbol. Length 258 has its own symbol, although the range of
 * the symbol before it would include 258.
 */
function fillLengthSymbols(): void {
  let length: u32 = 0;
  for (let symbol: u32 = 0; symbol < 28; symbol++) {
    const extra: u32 = symbol < 8 ? 0 : (symbol >> 2) - 1;
    store<u32>(lengthStarts + (symbol << 2), (extra << 16) | length);
    for (let i: u32 = 0; i < 1 << extra; i++) store<u8>(lengthSymbols + length++, u8(symbol));
  }
  store<u32>(lengthStarts + (28 << 2), 255);
  store<u8>(lengthSymbols + 255, 28);
}

/**
 * Fills the table that maps a distance to a symbol. Distances up to 256 are looked up directly, longer
 * distances by their upper bits.
 */
function fillDistanceSymbols(): void {
  let distance: u32 = 0;
  for (let symbol: u32 = 0; symbol < DISTANCES; symbol++) {
    const extra: u32 = symbol < 4 ? 0 : (symbol >> 1) - 1;
    store<u32>(distanceStarts + (symbol << 2), (extra << 16) | distance);
    for (const end = distance + (1 << extra); distance < end; ) {
      store<u8>(distanceSymbols + (distance < 256 ? distance : 256 + (distance >> 7)), u8(symbol));
      distance += distance < 256 ? 1 : 128;
    }
  }
}

function distanceSymbol(less: u32): u32 {
  return load<u8>(distanceSymbols + (less < 256 ? less : 256 + (less >> 7)));
}

function count(counts: usize, symbol: u32): void {
  const at = counts + (symbol << 2);
  store<u32>(at, load<u32>(at) + 1);
}

export function clearCounts(): void {
  memory.fill(symbolCounts, 0, LITERALS << 2);
  memory.fill(distanceCounts, 0, DISTANCES << 2);
  memory.fill(secondCounts, 0, 0xc00);
}

export function countLiterals(from: usize, end: usize): void {
  let at = from;
  for (; at + 4 <= end; at += 4) {
    const four = load<u32>(at);
    count(symbolCounts, four & 0xff);
    count(secondCounts, (four >> 8) & 0xff);
    count(thirdCounts, (four >> 16) & 0xff);
    count(fourthCounts, four >> 24);
  }
  for (; at < end; at++) count(symbolCounts, load<u8>(at));
  for (let offset: usize = 0; offset < 0x400; offset += 16) {
    const first = v128.load(symbolCounts + offset);
    const others = i32x4.add(v128.load(secondCounts + offset), v128.load(thirdCounts + offset));
    const sum = i32x4.add(i32x4.add(first, others), v128.load(fourthCounts + offset));
    v128.store(symbolCounts + offset, sum);
  }
}

export function countMatch(length: u32, distance: u32): void {
  count(symbolCounts, 257 + load<u8>(lengthSymbols + length - 3));
  count(distanceCounts, distanceSymbol(distance - 1));
}

export function writeBlock(from: usize, end: usize, literals: usize, literalsEnd: usize, isLast: bool): void {
  count(symbolCounts, END);
  makeCodes(symbolCounts, LITERALS, MAX_LITERAL_BITS, literalCodes);
  makeCodes(distanceCounts, DISTANCES, MAX_BITS, distanceCodes);
  writeBits(isLast ? 5 : 4, 3);
  writeCodes();
  writeSequences(from, end, literals, literalsEnd);
  writeCode(literalCodes, END);
}

/**
 * Writes the sequences of a block (runs of literals with matches) with their Huffman codes. A match takes at
 * most 45 bits and four literals at most 48. Complete bytes are stored after each match and after each group of
 * up to four literals. This is a hot kernel.
 */
function writeSequences(from: usize, end: usize, literals: usize, literalsEnd: usize): void {
  const codes = literalCodes;
  let to = bitsOut.to;
  let waiting = bitsOut.waiting;
  let size = bitsOut.count;
  let literal = literals;
  let at = from;
  while (true) {
    const isMatch = at < end;
    let run = isMatch ? load<u32>(at) : u32(literalsEnd - literal);
    while (true) {
      const four = load<u32>(literal);
      const first = select<u32>(load<u32>(codes + ((four & 0xff) << 2)), 0, run > 0);
      const second = select<u32>(load<u32>(codes + (((four >> 8) & 0xff) << 2)), 0, run > 1);
      const third = select<u32>(load<u32>(codes + (((four >> 16) & 0xff) << 2)), 0, run > 2);
      const fourth = select<u32>(load<u32>(codes + ((four >> 24) << 2)), 0, run > 3);
      const low = (first & 0xffff) | ((second & 0xffff) << (first >> 16));
      const high = (third & 0xffff) | ((fourth & 0xffff) << (third >> 16));
      const lowSize = (first >> 16) + (second >> 16);
      waiting |= (u64(low) | (u64(high) << lowSize)) << size;
      size += lowSize + (third >> 16) + (fourth >> 16);
      store<u64>(to, waiting);
      to += usize(size >> 3);
      waiting >>= size & ~7;
      size &= 7;
      if (run <= 4) break;
      run -= 4;
      literal += 4;
    }
    literal += run;
    if (!isMatch) break;
    const match = load<u32>(at + 4);
    at += 8;
    const length = match >> 16;
    const lengthSymbol: u32 = load<u8>(lengthSymbols + length);
    const lengthStart = load<u32>(lengthStarts + (lengthSymbol << 2));
    const lengthCode = load<u32>(codes + ((257 + lengthSymbol) << 2));
    const less = match & 0xffff;
    const symbol = distanceSymbol(less);
    const start = load<u32>(distanceStarts + (symbol << 2));
    const code = load<u32>(distanceCodes + (symbol << 2));
    waiting |= u64(lengthCode & 0xffff) << size;
    size += lengthCode >> 16;
    waiting |= u64(length - (lengthStart & 0xffff)) << size;
    size += lengthStart >> 16;
    waiting |= u64(code & 0xffff) << size;
    size += code >> 16;
    waiting |= u64(less - (start & 0xffff)) << size;
    size += start >> 16;
    store<u64>(to, waiting);
    to += usize(size >> 3);
    waiting >>= size & ~7;
    size &= 7;
  }
  setBits(to, waiting, size);
}

function writeCode(codes: usize, symbol: u32): void {
  const code = load<u32>(codes + (symbol << 2));
  writeBits(code & 0xffff, code >> 16);
}

/**
 * Writes the lengths of the literal codes and of the distance codes, run-length encoded and then Huffman
 * coded.
 */
function writeCodes(): void {
  const literals = usedOf(literalCodes, LITERALS, 257);
  const distances = usedOf(distanceCodes, DISTANCES, 1);
  for (let i: u32 = 0; i < literals; i++) store<u8>(bits + i, u8(load<u32>(literalCodes + (i << 2)) >> 16));
  for (let i: u32 = 0; i < distances; i++) {
    store<u8>(bits + literals + i, u8(load<u32>(distanceCodes + (i << 2)) >> 16));
  }
  memory.fill(lengthCounts, 0, LENGTHS << 2);
  const runCount = makeRuns(literals + distances);
  makeCodes(lengthCounts, LENGTHS, MAX_LENGTH_BITS, lengthCodes);
  let used: u32 = LENGTHS;
  while (used > 4 && load<u32>(lengthCodes + (orderOf(used - 1) << 2)) === 0) used--;
  writeBits(literals - 257, 5);
  writeBits(distances - 1, 5);
  writeBits(used - 4, 4);
  for (let i: u32 = 0; i < used; i++) writeBits(load<u32>(lengthCodes + (orderOf(i) << 2)) >> 16, 3);
  for (let i: u32 = 0; i < runCount; i++) {
    const run = load<u16>(runs + (i << 1));
    const symbol: u32 = run & 0xff;
    writeCode(lengthCodes, symbol);
    if (symbol > 15) writeBits(run >> 8, symbol === 16 ? 2 : symbol === 17 ? 3 : 7);
  }
}

/**
 * Returns the code length symbol at the index `place` of the order in RFC 1951: 16, 17, 18, 0, 8, 7, 9, 6, 10,
 * 5, 11, 4, 12, 3, 13, 2, 14, 1, 15.
 */
function orderOf(place: u32): u32 {
  if (place < 3) return 16 + place;
  if (place === 3) return 0;
  const step = (place - 3) >> 1;
  return place & 1 ? 8 - step : 8 + step;
}

function usedOf(codes: usize, symbols: u32, least: u32): u32 {
  let used = symbols;
  while (used > least && load<u32>(codes + ((used - 1) << 2)) === 0) used--;
  return used;
}

/**
 * Run-length encodes the code lengths: fills the table `runs` with (extra << 8 | symbol), where `extra` is the
 * value of the symbol's extra bits, and counts the symbols.
 */
function makeRuns(total: u32): u32 {
  let runCount: u32 = 0;
  let at: u32 = 0;
  while (at < total) {
    const length: u32 = load<u8>(bits + at);
    let same: u32 = 1;
    while (at + same < total && load<u8>(bits + at + same) === length) same++;
    at += same;
    if (length !== 0) {
      runCount = addRun(runCount, length, 0);
      same--;
    }
    while (same >= 3) {
      const most: u32 = length !== 0 ? 6 : same > 10 ? 138 : 10;
      const taken = min(same, most);
      const symbol: u32 = length !== 0 ? 16 : same > 10 ? 18 : 17;
      runCount = addRun(runCount, symbol, taken - (symbol === 18 ? 11 : 3));
      same -= taken;
    }
    for (; same > 0; same--) runCount = addRun(runCount, length, 0);
  }
  return runCount;
}

function addRun(runCount: u32, symbol: u32, extra: u32): u32 {
  count(lengthCounts, symbol);
  store<u16>(runs + (runCount << 1), u16((extra << 8) | symbol));
  return runCount + 1;
}

/**
 * Computes Huffman codes from the counts of symbols. Unused symbols get 0 instead of a code. At least two
 * symbols get a code, as some decoders require.
 */
function makeCodes(counts: usize, symbols: u32, limit: u32, codes: usize): void {
  for (let symbol: u32 = 0; numberUsed(counts, symbols) < 2; symbol++) {
    if (load<u32>(counts + (symbol << 2)) === 0) store<u32>(counts + (symbol << 2), 1);
  }
  const used = sortByCount(counts, symbols);
  measure(used);
  memory.fill(buckets, 0, (MAX_BITS + 1) << 2);
  for (let i: u32 = 0; i < used; i++) count(buckets, min(load<u32>(swap + (i << 2)), limit));
  complete(limit);
  memory.fill(codes, 0, symbols << 2);
  assign(limit, codes, symbols);
}

function numberUsed(counts: usize, symbols: u32): u32 {
  let used: u32 = 0;
  for (let i: u32 = 0; i < symbols; i++) if (load<u32>(counts + (i << 2)) !== 0) used++;
  return used;
}

/**
 * Sorts the used symbols by count: fills `sorted` with (count << 9 | symbol), ascending, by a radix sort with
 * two passes over eight bits of the count.
 */
function sortByCount(counts: usize, symbols: u32): u32 {
  let used: u32 = 0;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const times = load<u32>(counts + (symbol << 2));
    if (times !== 0) store<u32>(sorted + (used++ << 2), (times << 9) | symbol);
  }
  sortPass(sorted, swap, used, 9);
  sortPass(swap, sorted, used, 17);
  return used;
}

function sortPass(from: usize, to: usize, used: u32, shift: u32): void {
  memory.fill(buckets, 0, 256 << 2);
  for (let i: u32 = 0; i < used; i++) count(buckets, (load<u32>(from + (i << 2)) >> shift) & 0xff);
  let place: u32 = 0;
  for (let i: u32 = 0; i < 256; i++) {
    const size = load<u32>(buckets + (i << 2));
    store<u32>(buckets + (i << 2), place);
    place += size;
  }
  for (let i: u32 = 0; i < used; i++) {
    const value = load<u32>(from + (i << 2));
    const bucket = buckets + (((value >> shift) & 0xff) << 2);
    const at = load<u32>(bucket);
    store<u32>(bucket, at + 1);
    store<u32>(to + (at << 2), value);
  }
}

function node(at: u32): u32 {
  return load<u32>(swap + (at << 2));
}

function setNode(at: u32, value: u32): void {
  store<u32>(swap + (at << 2), value);
}

/**
 * Computes Huffman code lengths without a limit: fills `swap` with the length for each entry of `sorted`. The
 * same memory holds weights, then parents, then depths.
 */
function measure(used: u32): void {
  for (let i: u32 = 0; i < used; i++) setNode(i, load<u32>(sorted + (i << 2)) >> 9);
  let leaf: u32 = 0;
  let root: u32 = 0;
  for (let next: u32 = 0; next < used - 1; next++) {
    let weight: u32 = 0;
    for (let child = 0; child < 2; child++) {
      if (leaf >= used || (root < next && node(root) < node(leaf))) {
        weight += node(root);
        setNode(root++, next);
      } else {
        weight += node(leaf++);
      }
    }
    setNode(next, weight);
  }
  setNode(used - 2, 0);
  for (let next = i32(used) - 3; next >= 0; next--) setNode(next, node(node(next)) + 1);
  let free: u32 = 1;
  let depth: u32 = 0;
  let inner = i32(used) - 2;
  let place = i32(used) - 1;
  while (free > 0) {
    let internal: u32 = 0;
    while (inner >= 0 && node(inner) === depth) {
      internal++;
      inner--;
    }
    for (; free > internal; free--) setNode(place--, depth);
    free = 2 * internal;
    depth++;
  }
}

/**
 * Changes code lengths so that the code is complete again, after some codes were shortened to the limit.
 * `buckets` has the number of codes of each length.
 */
function complete(limit: u32): void {
  let total: u32 = 0;
  for (let length: u32 = 1; length <= limit; length++) {
    total += load<u32>(buckets + (length << 2)) << (limit - length);
  }
  for (; total > 1 << limit; total--) {
    let length = limit - 1;
    while (load<u32>(buckets + (length << 2)) === 0) length--;
    store<u32>(buckets + (length << 2), load<u32>(buckets + (length << 2)) - 1);
    store<u32>(buckets + ((length + 1) << 2), load<u32>(buckets + ((length + 1) << 2)) + 2);
    store<u32>(buckets + (limit << 2), load<u32>(buckets + (limit << 2)) - 1);
  }
}

/**
 * Assigns code lengths to symbols, the longest to the rarest symbols, and then codes. Codes of the same length
 * ascend in the order of their symbols.
 */
function assign(limit: u32, codes: usize, symbols: u32): void {
  let at: u32 = 0;
  for (let length = limit; length > 0; length--) {
    for (let left = load<u32>(buckets + (length << 2)); left > 0; left--) {
      store<u32>(codes + ((load<u32>(sorted + (at++ << 2)) & 0x1ff) << 2), length << 16);
    }
  }
  let code: u32 = 0;
  for (let length: u32 = 1; length <= limit; length++) {
    code = code << 1;
    const next = code;
    code += load<u32>(buckets + (length << 2));
    store<u32>(buckets + (length << 2), next);
  }
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const length = load<u32>(codes + (symbol << 2)) >> 16;
    if (length === 0) continue;
    const bucket = buckets + (length << 2);
    const value = load<u32>(bucket);
    store<u32>(bucket, value + 1);
    store<u32>(codes + (symbol << 2), (length << 16) | reversed(value, length));
  }
}

function reversed(value: u32, length: u32): u32 {
  let result: u32 = 0;
  let rest = value;
  for (let i: u32 = 0; i < length; i++) {
    result = (result << 1) | (rest & 1);
    rest >>= 1;
  }
  return result;
}
