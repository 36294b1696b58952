/**
 * Adds additional terms for identifiers in ASCII text, such as `unwraporelse` for `unwrap_or_else`.
 * src/text/identifiers.ts has the rules. A name has at most `MAX_NAME` bytes. All functions stop at a byte that
 * is not a letter, a digit or an underscore; such a byte follows every text.
 */
import { termOf } from './terms';
import { addExtra, isName } from './tokens';

const MAX_NAME: u32 = 64;

const UNDERSCORE: u32 = 95;
const DOT: u32 = 46;
const LEAST_PARTS: u32 = 3;
const LEAST_LETTERS: usize = 5;

/**
 * The address after the last identifier with underscores. Words before this address are parts of that
 * identifier and are skipped.
 */
let chainEnd: usize = 0;
/**
 * The addresses of three buffers, each followed by 8 zero bytes: `lastName` for the previous identifier, `name`
 * for the current one, and `pair` for both joined.
 */
let lastName: usize = 0;
let lastNameLength: u32 = 0;
let lastNameEnd: usize = 0;
let name: usize = 0;
let pair: usize = 0;

/** Sets the addresses of the three buffers for names. `buffers` is the address of 384 bytes. */
export function setUpIdentifiers(buffers: usize): void {
  lastName = buffers;
  name = buffers + 128;
  pair = buffers + 256;
}

/** Forgets the previous name. Call this when a new text begins. */
export function forgetNames(): void {
  chainEnd = 0;
  lastNameEnd = 0;
}

/**
 * Adds the additional terms for the ASCII word from the address `start` to `end`. The caller has just added the
 * token of the word itself.
 */
export function addIdentifier(start: usize, end: usize): void {
  if (start < chainEnd) return;
  let last = end;
  if (load<u8>(end) === UNDERSCORE) last = chainEnd = chainEndOf(start);
  const isChain = last > end;
  if ((isChain && load<u8>(last) >= 0x80) || (!isName() && !isLong(start, last))) return;
  let length = appendName(name, 0, start, last);
  if (isChain) addName(name, length);
  if (!isName()) return;
  length = withoutVersionLetter(name, length);
  if (lastNameEnd > 0 && isJoint(lastNameEnd, start)) addPair(length);
  if (!isChain && hasHumps(start, end)) addHumps(start, end);
  memory.copy(lastName, name, length);
  lastNameLength = length;
  lastNameEnd = last;
}

/**
 * Returns true if an identifier in body text has enough words or letters, joined by underscores, to get additional terms.
 */
function isLong(start: usize, end: usize): bool {
  let words: u32 = 1;
  let letters: usize = 0;
  for (let at = start; at < end; at++) {
    if (load<u8>(at) !== UNDERSCORE) letters++;
    else if (load<u8>(at, 1) !== UNDERSCORE) words++;
  }
  return words >= LEAST_PARTS || (words > 1 && letters >= LEAST_LETTERS);
}

/**
 * Adds a term that joins the previous and the current identifier, such as `dataframepivot` for
 * `DataFrame.pivot`. Identifiers that are both numbers are joined only if a dot is between them.
 */
function addPair(length: u32): void {
  const areNumbers = isNumber(lastName, lastNameLength) && isNumber(name, length);
  if (areNumbers && load<u8>(lastNameEnd) !== DOT) return;
  memory.copy(pair, lastName, lastNameLength);
  let count = lastNameLength;
  if (areNumbers && count < MAX_NAME) store<u8>(pair + count++, DOT);
  addName(pair, appendName(pair, count, name, name + length));
}

function addHumps(start: usize, end: usize): void {
  for (let from = start; from < end; ) {
    const next = humpEnd(from, end);
    if (next - from > 1) addName(pair, appendName(pair, 0, from, next));
    from = next;
  }
}

function addName(from: usize, length: u32): void {
  store<u64>(from + length, 0);
  addExtra(termOf(from, length));
}

/**
 * Returns the end of the identifier that starts at `start`: a sequence of words that are joined by underscores.
 */
function chainEndOf(start: usize): usize {
  let wordEnd = start;
  let next = start;
  while (isAlphanumeric(load<u8>(next))) {
    wordEnd = next + 1;
    next = wordEnd;
    while (load<u8>(next) === UNDERSCORE) next++;
  }
  return wordEnd;
}

/**
 * Appends the letters and digits from `from` to `end`, in lower case, to a name of `length` bytes at `to`.
 * Returns the new length of the name.
 */
function appendName(to: usize, length: u32, from: usize, end: usize): u32 {
  let count = length;
  for (let at = from; at < end && count < MAX_NAME; at++) {
    const byte: u32 = load<u8>(at);
    if (byte !== UNDERSCORE) store<u8>(to + count++, <u8>(isUpper(byte) ? byte | 32 : byte));
  }
  return count;
}

/** Removes the `v` from a version such as `v24`. Returns the new length of the name. */
function withoutVersionLetter(at: usize, length: u32): u32 {
  if (length < 2 || load<u8>(at) !== 118 || !isNumber(at + 1, length - 1)) return length;
  memory.copy(at, at + 1, length - 1);
  return length - 1;
}

function isNumber(at: usize, length: u32): bool {
  for (let i: u32 = 0; i < length; i++) if (<u32>load<u8>(at + i) - 48 >= 10) return false;
  return true;
}

/** Returns true if the bytes from `from` to `to` may join two names: `.`, `:`, `#`, `-`, `::` or `->`. */
function isJoint(from: usize, to: usize): bool {
  const first: u32 = load<u8>(from);
  if (to - from === 1) return first === 46 || first === 58 || first === 35 || first === 45;
  if (to - from !== 2) return false;
  const second: u32 = load<u8>(from, 1);
  return (first === 58 && second === 58) || (first === 45 && second === 62);
}

/** Returns true if a camelCase word has enough parts to be split. */
function hasHumps(start: usize, end: usize): bool {
  if (end - start > MAX_NAME) return false;
  let count: u32 = 0;
  for (let at = start; at < end; at = humpEnd(at, end)) count++;
  return count >= LEAST_PARTS;
}

/** Returns the end of the camelCase part that begins at `from`, such as `Render` in `vtkRenderWindow`. */
function humpEnd(from: usize, end: usize): usize {
  for (let at = from + 1; at < end; at++) {
    if (!isUpper(load<u8>(at))) continue;
    if (!isUpper(load<u8>(at - 1)) || (at + 1 < end && isLower(load<u8>(at, 1)))) return at;
  }
  return end;
}

function isAlphanumeric(byte: u32): bool {
  return (byte | 32) - 97 < 26 || byte - 48 < 10;
}

function isUpper(byte: u32): bool {
  return byte - 65 < 26;
}

function isLower(byte: u32): bool {
  return byte - 97 < 26;
}
