/**
 * Writes the terms of a segment buffer: their postings and positions, their dictionary entries, and the words
 * that differ from their term. `../../../dictionary/dictionary-format.ts` and `sorted-blocks.ts` beside it
 * describe the bytes of the entries.
 *
 * The output goes to three buffers: postings, blocks of entries, and samples (the first string of each block).
 * When a buffer is nearly full, a function returns; JavaScript copies the buffers and calls the function again.
 * A term with more than MAX_PAIRS occurrences may not fit, so JavaScript encodes its postings, between the
 * calls of `startTerm` and `endTerm`.
 */
import {
  addPairs,
  countForms,
  docCount,
  finish,
  formDocs,
  formNumbers,
  positions,
  positionsAt,
  postings,
  postingsAt,
  start,
} from '../encode';
import {
  counts,
  earlierUse,
  firstUse,
  hasOthers,
  MAX_FORMS,
  NO_USE,
  nextUse,
  TERM_MASK,
  targets,
  totalOf,
  uses,
  words,
} from './group-words';
import { putVarint } from '../pack';
import { compareRecords } from './sort-terms';
import { recordOf } from './terms';

const PAIR: usize = 8;
/**
 * A term with at most this many occurrences is encoded in the kernel, because its postings and positions always
 * fit into the output windows of the encoder.
 */
const MAX_PAIRS: u32 = 4096;
const STRINGS_PER_BLOCK: u32 = 32;
/** If two lengths are both below this number, they are stored in one byte, four bits each. */
const SHORT: u32 = 16;
/** The number that is stored instead of a word number for all forms that are too rare to have a form number. */
const REST: u32 = 0xffffffff;
/** The maximum size of a dictionary entry in bytes: MAX_FORMS forms of up to 260 bytes each. */
const ENTRY_ROOM: usize = 80 * 1024;
const SAMPLE_ROOM: usize = 512;
const POSTINGS_ROOM: usize = 128 * 1024;

let order: usize = 0;
let starts: usize = 0;
let pairs: usize = 0;
/**
 * The addresses of two tables about the forms of the current term: `formWords` has the word of each temporary
 * form number, and the other table has the temporary form numbers in their final order.
 */
let formWords: usize = 0;
let formOrder: usize = 0;
let formCount: u32 = 0;

let out: usize = 0;
let outNext: usize = 0;
let outEnd: usize = 0;
let blocks: usize = 0;
let blocksNext: usize = 0;
let blocksEnd: usize = 0;
let samples: usize = 0;
let samplesNext: usize = 0;
let samplesEnd: usize = 0;
/** The offset in the segment file at which the next postings are written. */
let fileAt: u64 = 0;

/**
 * The state of the section of entries that is being written: its number of strings, its size in bytes, and the
 * offset of its last block.
 */
let stringCount: u32 = 0;
let sectionBytes: u32 = 0;
let blockAt: u32 = 0;
/**
 * The address of the record of the string that was added last. The next string is stored as a difference: the
 * length of the prefix that both share, and the rest.
 */
let previous: usize = 0;

/**
 * Prepares to write terms. `scratch` is the address of 3,072 bytes. `buffer` is divided into the three output
 * buffers. `orderAt` has the terms in ascending order, `pairsAt` the sorted occurrences, and `startsAt` the end
 * of each term's occurrences at `pairsAt`.
 */
export function startTerms(
  orderAt: usize,
  startsAt: usize,
  pairsAt: usize,
  scratch: usize,
  buffer: usize,
  bufferBytes: usize,
): void {
  order = orderAt;
  starts = startsAt;
  pairs = pairsAt;
  formWords = scratch;
  formOrder = scratch + 4 * <usize>MAX_FORMS;
  const third = (bufferBytes / 3) & ~7;
  out = buffer;
  outEnd = out + third;
  blocks = outEnd;
  blocksEnd = blocks + third;
  samples = blocksEnd;
  samplesEnd = samples + third;
  startSection();
}

/** Starts a section of entries: first the dictionary, later the words that differ from their term. */
export function startSection(): void {
  stringCount = 0;
  sectionBytes = 0;
  blockAt = 0;
  takeOutput(0);
}

/**
 * Empties the output buffers after JavaScript has copied their bytes. `postingsFileAt` is the offset in the
 * segment file at which the next postings are written.
 */
export function takeOutput(postingsFileAt: f64): void {
  outNext = out;
  blocksNext = blocks;
  samplesNext = samples;
  fileAt = <u64>postingsFileAt;
}

export function postingsEnd(): usize {
  return outNext;
}

export function blocksWritten(): usize {
  return blocksNext;
}

export function samplesWritten(): usize {
  return samplesNext;
}

export function countStrings(): u32 {
  return stringCount;
}

/** Returns the offset of the last block in the current section. */
export function lastBlock(): u32 {
  return blockAt;
}

function isFull(): bool {
  return (
    outNext + POSTINGS_ROOM > outEnd ||
    blocksNext + ENTRY_ROOM > blocksEnd ||
    samplesNext + SAMPLE_ROOM > samplesEnd
  );
}

/**
 * Writes the terms with the indexes `from` to `end` in sorted order. Returns the index of the first term that
 * was not written. It is less than `end` if an output buffer is full, or if JavaScript must encode the
 * postings of that term.
 */
export function writeTerms(from: u32, end: u32): u32 {
  for (let at = from; at < end; at++) {
    const term = load<u32>(order + ((<usize>at) << 2));
    const total = totalOf(term);
    if (total === 0) continue;
    if (total > MAX_PAIRS || isFull()) return at;
    const pairsEnd = startTerm(term);
    addPairs(pairsEnd - PAIR * total, pairsEnd);
    finish();
    const postingsBytes = <u32>(postings - postingsAt);
    const positionBytes = <u32>(positions - positionsAt);
    endTerm(term, postingsBytes, positionBytes);
    memory.copy(outNext, postingsAt, postingsBytes);
    memory.copy(outNext + postingsBytes, positionsAt, positionBytes);
    outNext += postingsBytes + positionBytes;
  }
  return end;
}

/** Numbers the forms of a term and starts its postings. Returns the address after its occurrences. */
export function startTerm(term: u32): usize {
  const pairsEnd = pairs + PAIR * <usize>load<u32>(starts + ((<usize>term) << 2));
  formCount = 0;
  if (hasOthers(term)) {
    listForms(term);
    if (formCount > 1) {
      countForms(pairsEnd - PAIR * totalOf(term), pairsEnd);
      orderForms();
    }
  }
  start(max(formCount, 1));
  return pairsEnd;
}

/** Makes the table `formWords` of a term: its words by temporary form number. */
function listForms(term: u32): void {
  for (let use = firstUse(term); use !== NO_USE; use = nextUse(use)) {
    if (earlierUse(use, term) !== NO_USE) continue;
    if (formCount === MAX_FORMS) {
      store<u32>(formWords + 4 * <usize>(MAX_FORMS - 1), REST);
      return;
    }
    store<u32>(formOrder + ((<usize>formCount) << 2), formCount);
    store<u32>(formWords + ((<usize>formCount) << 2), use % words);
    formCount++;
  }
}

/**
 * Gives the forms of the current term their final numbers, the form with the most documents first, as
 * dictionary/forms.ts does.
 */
function orderForms(): void {
  for (let at: u32 = 1; at < formCount; at++) {
    const form = load<u32>(formOrder + ((<usize>at) << 2));
    let to = at;
    for (; to > 0; to--) {
      const before = load<u32>(formOrder + ((<usize>(to - 1)) << 2));
      if (!isFormBefore(form, before)) break;
      store<u32>(formOrder + ((<usize>to) << 2), before);
    }
    store<u32>(formOrder + ((<usize>to) << 2), form);
  }
  for (let at: u32 = 0; at < formCount; at++)
    store<u8>(formNumbers + load<u32>(formOrder + ((<usize>at) << 2)), <u8>at);
}

function isFormBefore(a: u32, b: u32): bool {
  const wordA = load<u32>(formWords + ((<usize>a) << 2));
  const wordB = load<u32>(formWords + ((<usize>b) << 2));
  if (wordA === REST || wordB === REST) return wordB === REST;
  const docsA = load<u32>(formDocs + ((<usize>a) << 2));
  const docsB = load<u32>(formDocs + ((<usize>b) << 2));
  return docsA !== docsB ? docsA > docsB : compareRecords(recordOf(wordA), recordOf(wordB)) < 0;
}

/** Writes the dictionary entry of a term whose postings are already encoded. */
export function endTerm(term: u32, postingsBytes: u32, positionBytes: u32): void {
  const from = blocksNext;
  const record = recordOf(term);
  const isFirst = addString(record);
  if (isFirst) putLong(fileAt + (outNext - out));
  put(2 * docCount + (formCount > 0 ? 1 : 0));
  putPair(postingsBytes, positionBytes);
  if (formCount > 0) {
    put(formCount);
    for (let at: u32 = 0; at < formCount; at++) {
      const form = load<u32>(formOrder + ((<usize>at) << 2));
      const word = load<u32>(formWords + ((<usize>form) << 2));
      if (word === REST) putPair(0, 0);
      else putDifference(record, recordOf(word));
      if (formCount > 1) put(load<u32>(formDocs + ((<usize>at) << 2)));
    }
  }
  sectionBytes += <u32>(blocksNext - from);
}

/**
 * Writes the words with the indexes `from` to `end`, except those that are equal to their term. Returns the
 * index of the next word to write, which is less than `end` if an output buffer is full.
 */
export function writeWords(from: u32, end: u32): u32 {
  for (let at = from; at < end; at++) {
    if (isFull()) return at;
    const word = load<u32>(order + ((<usize>at) << 2));
    if (word < words) addWord(word);
  }
  return end;
}

/**
 * A word has one term for each set of stemming rules. Adds an entry for each of these terms that differs from
 * the word, in ascending order of terms.
 */
function addWord(word: u32): void {
  let count: u32 = 0;
  for (let use = word; use < uses; use += words) {
    const slot = (<usize>use) << 2;
    const term = load<u32>(targets + slot) & TERM_MASK;
    if (load<u32>(counts + slot) !== 0 && term !== word) count = insertTerm(term, count);
  }
  const record = recordOf(word);
  for (let at: u32 = 0; at < count; at++) {
    const from = blocksNext;
    addString(record);
    putDifference(record, recordOf(load<u32>(formWords + ((<usize>at) << 2))));
    sectionBytes += <u32>(blocksNext - from);
  }
}

/**
 * Inserts a term into the sorted list at `formWords`, which has `count` terms, unless the list already contains
 * it. Returns the new length of the list.
 */
function insertTerm(term: u32, count: u32): u32 {
  let to: u32 = 0;
  for (; to < count; to++) {
    const other = load<u32>(formWords + ((<usize>to) << 2));
    if (other === term) return count;
    if (compareRecords(recordOf(term), recordOf(other)) < 0) break;
  }
  for (let at = count; at > to; at--)
    store<u32>(formWords + ((<usize>at) << 2), load<u32>(formWords + ((<usize>(at - 1)) << 2)));
  store<u32>(formWords + ((<usize>to) << 2), term);
  return count + 1;
}

/** Adds a string to the section that is being written. Returns true if it is the first string of a block. */
function addString(record: usize): bool {
  const isFirst = stringCount++ % STRINGS_PER_BLOCK === 0;
  if (isFirst) {
    if (stringCount > 1) samplesNext = putVarint(samplesNext, sectionBytes - blockAt);
    blockAt = sectionBytes;
    const length = load<u32>(record, 4);
    samplesNext = putVarint(samplesNext, length);
    memory.copy(samplesNext, record + 8, length);
    samplesNext += length;
  } else {
    putDifference(previous, record);
  }
  previous = record;
  return isFirst;
}

/**
 * Writes a string as its difference from the string `known`: the length of their common prefix, then the rest
 * of the string.
 */
function putDifference(known: usize, record: usize): void {
  const from = record + 8;
  const length = load<u32>(record, 4);
  const limit = min(length, load<u32>(known, 4));
  let shared: u32 = 0;
  let units: u32 = 0;
  while (shared < limit) {
    const byte: u32 = load<u8>(from + shared);
    if (byte !== load<u8>(known + 8 + shared)) break;
    shared++;
    units += unitsOf(byte);
  }
  // If the common bytes end within a character, the prefix is shortened to whole characters.
  while (shared < length && (<u32>load<u8>(from + shared) & 0xc0) === 0x80) {
    shared--;
    units -= unitsOf(load<u8>(from + shared));
  }
  putPair(units, length - shared);
  memory.copy(blocksNext, from + shared, length - shared);
  blocksNext += length - shared;
}

/**
 * Returns the number of UTF-16 units of the character whose UTF-8 form begins with `byte`; 0 for a byte within
 * a character.
 */
function unitsOf(byte: u32): u32 {
  return ((byte & 0xc0) !== 0x80 ? 1 : 0) + (byte >= 0xf0 ? 1 : 0);
}

/**
 * Writes two numbers. If both are below 16 and at least one is not 0, they share one byte; otherwise they are
 * written as a zero byte and two varints.
 */
function putPair(first: u32, second: u32): void {
  const both = first < SHORT && second < SHORT ? SHORT * first + second : 0;
  store<u8>(blocksNext++, <u8>both);
  if (both > 0) return;
  put(first);
  put(second);
}

function put(value: u32): void {
  blocksNext = putVarint(blocksNext, value);
}

function putLong(value: u64): void {
  let rest = value;
  for (; rest >= 0x80; rest >>= 7) store<u8>(blocksNext++, <u8>(rest | 0x80));
  store<u8>(blocksNext++, <u8>rest);
}
