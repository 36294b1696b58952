/**
 * The terms of a segment buffer: a hash table that maps the bytes of a term to its number.
 *
 *   slot     key u64, record u32, number u32       record 0 is empty; the table doubles when 3/4 full
 *   record   number u32, length u32, bytes, padded with zeros to a multiple of 8
 *
 * Most words have at most eight bytes. The key of such a word is the word itself, padded with zeros, and the
 * lowest bit of `record` is set in its slot. To find it, only the slot is read: one cache miss instead of two.
 * The key of a longer word is a hash, so its bytes must be compared too.
 *
 * The table also has spellings: words with non-ASCII letters as they are in the text, before folding. A zero
 * byte before them distinguishes them from terms. The record of a spelling has the number of its folded term,
 * so that JavaScript is called to fold each spelling only once.
 */
export const NO_TERM: u32 = 0xffffffff;

const PRIME: u64 = 0x9e3779b97f4a7;
const SHORT: u32 = 8;
const SLOT_SHIFT: usize = 4;

let slots: usize = 0;
/** The number of slots minus one. The number of slots is a power of 2. */
let mask: u32 = 0;
let maxMask: u32 = 0;
let records: usize = 0;
let recordsLimit: usize = 0;
/** The address of a table with the address of each term's record, by term number. */
let byNumber: usize = 0;

export let next: usize = 0;
export let termCount: u32 = 0;
let used: u32 = 0;

const FIRST_MASK: u32 = 0xffff;

/** Sets up the hash table. `slotCount` is the maximum number of slots, a power of 2. */
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
  clearSlots();
  next = records;
  termCount = 0;
  used = 0;
}

export function termBytes(): usize {
  return next - records;
}

/**
 * Returns true if no more words may be added. The rest of the memory is reserved for the stems of the words
 * that are in the table.
 */
export function isFull(): bool {
  return used > maxUsed(maxMask) || next > recordsLimit - (recordsLimit - records) / 4;
}

export function recordOf(term: u32): usize {
  return load<u32>(byNumber + ((<usize>term) << 2));
}

/**
 * Writes the texts of all terms, in the order of their numbers, to `to`, each followed by a newline. Returns
 * the address after them.
 */
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

/**
 * Returns the number of a term of at most eight bytes, or `NO_TERM` if the table does not have it. `key` is the
 * bytes of the term, padded with zeros.
 */
export function findShort(key: u64): u32 {
  let slot = slotOf(key);
  let at = slots + ((<usize>slot) << SLOT_SHIFT);
  let rest = load<u64>(at, 8);
  while (rest !== 0) {
    if (load<u64>(at) === key && (rest & 1) !== 0) return <u32>(rest >> 32);
    slot = (slot + 1) & mask;
    at = slots + ((<usize>slot) << SLOT_SHIFT);
    rest = load<u64>(at, 8);
  }
  return NO_TERM;
}

/**
 * Returns the address of the record of a term or spelling, or 0 if the table does not have it. `from` is the
 * address of its bytes, which must be followed by 8 zero bytes.
 */
export function find(from: usize, length: u32): usize {
  const key = keyOf(from, length);
  let slot = slotOf(key);
  let at = slots + ((<usize>slot) << SLOT_SHIFT);
  let marked = load<u32>(at, 8);
  while (marked !== 0) {
    if (load<u64>(at) === key && isRecordOf(marked, from, length)) return marked & ~1;
    slot = (slot + 1) & mask;
    at = slots + ((<usize>slot) << SLOT_SHIFT);
    marked = load<u32>(at, 8);
  }
  return 0;
}

/**
 * Returns true if a record has the `length` bytes at the address `from`. The caller has already compared the
 * keys.
 */
function isRecordOf(marked: u32, from: usize, length: u32): bool {
  if (length <= SHORT) return (marked & 1) !== 0;
  const record: usize = marked;
  return (marked & 1) === 0 && load<u32>(record, 4) === length && isSame(record + 8, from, length);
}

/**
 * Adds a term or spelling that is not in the table yet, and returns the address of its record. If `isTerm`, the
 * record gets the next term number; a spelling gets `number`, the number of its folded term.
 */
export function add(at: usize, length: u32, number: u32, isTerm: bool): usize {
  if (used > maxUsed(mask) && mask < maxMask) grow();
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
  enter(record);
  used++;
  return record;
}

function enter(record: usize): void {
  const length = load<u32>(record, 4);
  const key = keyOf(record + 8, length);
  let slot = slotOf(key);
  while (load<u32>(slots + ((<usize>slot) << SLOT_SHIFT), 8) !== 0) slot = (slot + 1) & mask;
  const at = slots + ((<usize>slot) << SLOT_SHIFT);
  store<u64>(at, key);
  store<u32>(at, <u32>record | (length <= SHORT ? 1 : 0), 8);
  store<u32>(at, load<u32>(record), 12);
}

function grow(): void {
  mask = 2 * mask + 1;
  clearSlots();
  for (let record = records; record < next; ) {
    enter(record);
    record += 8 + ((load<u32>(record, 4) + 7) & ~7);
  }
}

function clearSlots(): void {
  memory.fill(slots, 0, (<usize>mask + 1) << SLOT_SHIFT);
}

function maxUsed(ofMask: u32): u32 {
  return (ofMask / 4) * 3;
}

/**
 * Returns the slot of a key: the highest bits of the key times a constant, because these bits depend on all
 * bytes of the key.
 */
function slotOf(key: u64): u32 {
  return <u32>((key * PRIME) >> clz(<u64>mask));
}

function keyOf(at: usize, length: u32): u64 {
  if (length <= SHORT) return load<u64>(at);
  let hash: u64 = length;
  for (let word: u32 = 0; word < length; word += 8) {
    hash = (hash ^ load<u64>(at + word)) * PRIME;
    hash ^= hash >> 29;
  }
  return hash;
}

function isSame(a: usize, b: usize, length: u32): bool {
  for (let word: u32 = 0; word < length; word += 8)
    if (load<u64>(a + word) !== load<u64>(b + word)) return false;
  return true;
}

/**
 * Returns the number of a term. Adds the term if the table does not have it. Its bytes must be followed by 8
 * zero bytes.
 */
export function termOf(from: usize, length: u32): u32 {
  const record = find(from, length);
  if (record !== 0) return load<u32>(record);
  return isFull() ? NO_TERM : load<u32>(add(from, length, 0, true));
}
