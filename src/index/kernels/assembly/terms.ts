/**
 * The terms of a buffer: a hash table from bytes to the number of a term.
 *
 *   slot     hash u32, record u32        0 is empty; a table that is half full is doubled
 *   record   number u32, length u32, bytes, padded with zeros to a multiple of 8
 *
 * Besides terms the table has spellings: words with other letters than ASCII as they stand in the text, behind a
 * byte 0, which no term has. Their record has the number of the folded term, so folding, which takes a call to
 * the host, is done once per spelling and not once per word.
 */
export const NO_TERM: u32 = 0xffffffff;

const PRIME: u64 = 0x9e3779b97f4a7;

let slots: usize = 0;
let mask: u32 = 0;
let maxMask: u32 = 0;
let records: usize = 0;
let recordsLimit: usize = 0;
/** Where the record of each term is. */
let byNumber: usize = 0;

export let next: usize = 0;
export let termCount: u32 = 0;
let used: u32 = 0;

const FIRST_MASK: u32 = 0xffff;

/** `slotCount`, a power of 2, is the most that the table may have. */
export function setUpTerms(
  slotsAt: usize,
  slotCount: u32,
  byNumberAt: usize,
  recordsAt: usize,
  limit: usize,
): void {
  slots = slotsAt;
  maxMask = slotCount - 1;
  byNumber = byNumberAt;
  records = recordsAt;
  recordsLimit = limit;
  clearTerms();
}

export function clearTerms(): void {
  mask = FIRST_MASK;
  memory.fill(slots, 0, (<usize>mask + 1) << 3);
  next = records;
  termCount = 0;
  used = 0;
}

/** Bytes that terms take. */
export function termBytes(): usize {
  return next - records;
}

/** No room is left for further words, only for their stems. */
export function isFull(): bool {
  return used > maxMask / 2 || next > recordsLimit - (recordsLimit - records) / 4;
}

export function recordOf(term: u32): usize {
  return load<u32>(byNumber + ((<usize>term) << 2));
}

/** Writes the bytes of all terms by number at `to`, each with a newline behind it; returns where they end. */
export function joinTerms(to: usize): usize {
  let at = to;
  for (let term: u32 = 0; term < termCount; term++) {
    const record = recordOf(term);
    const length = load<u32>(record, 4);
    memory.copy(at, record + 8, length);
    at += length;
    store<u8>(at++, 10);
  }
  return at;
}

/** Where the number of the term with these bytes is kept; 0 if it is not known. Behind the bytes are 8 zeros. */
export function find(at: usize, length: u32): usize {
  const hash = hashOf(at, length);
  let slot = (hash >> 1) & mask;
  let entry = load<u64>(slots + ((<usize>slot) << 3));
  while (entry !== 0) {
    const record = <usize>(entry >> 32);
    if (<u32>entry === hash && load<u32>(record, 4) === length && isSame(record + 8, at, length))
      return record;
    slot = (slot + 1) & mask;
    entry = load<u64>(slots + ((<usize>slot) << 3));
  }
  return 0;
}

/** Adds bytes that are not known; a number of `NO_TERM` makes a new term. Returns the record. */
export function add(at: usize, length: u32, number: u32, isTerm: bool): usize {
  if (used > mask / 2 && mask < maxMask) grow();
  const record = next;
  next += 8 + ((length + 7) & ~7);
  store<u64>(next - 8, 0);
  memory.copy(record + 8, at, length);
  store<u32>(record, isTerm ? termCount : number);
  store<u32>(record, length, 4);
  if (isTerm) {
    store<u32>(byNumber + ((<usize>termCount) << 2), <u32>record);
    termCount++;
  }
  enter(record, hashOf(record + 8, length));
  used++;
  return record;
}

function enter(record: usize, hash: u32): void {
  let slot = (hash >> 1) & mask;
  while (load<u64>(slots + ((<usize>slot) << 3)) !== 0) slot = (slot + 1) & mask;
  store<u64>(slots + ((<usize>slot) << 3), ((<u64>record) << 32) | <u64>hash);
}

function grow(): void {
  mask = 2 * mask + 1;
  memory.fill(slots, 0, (<usize>mask + 1) << 3);
  for (let record = records; record < next; ) {
    const length = load<u32>(record, 4);
    enter(record, hashOf(record + 8, length));
    record += 8 + ((length + 7) & ~7);
  }
}

function hashOf(at: usize, length: u32): u32 {
  let hash: u64 = length;
  for (let word: u32 = 0; word < length; word += 8) {
    hash = (hash ^ load<u64>(at + word)) * PRIME;
    hash ^= hash >> 29;
  }
  return <u32>(hash ^ (hash >> 32)) | 1;
}

function isSame(a: usize, b: usize, length: u32): bool {
  for (let word: u32 = 0; word < length; word += 8)
    if (load<u64>(a + word) !== load<u64>(b + word)) return false;
  return true;
}
