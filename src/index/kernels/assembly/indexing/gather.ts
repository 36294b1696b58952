/**
 * Splits the text of documents into words for a segment. The input is UTF-8, the output is one token per word,
 * in the format of tokens.ts. `../../../indexing/word-gatherer.ts` lays out the memory and calls these
 * functions.
 *
 * This is the definition of words in src/text/, for bytes instead of strings; a test compares the two on random
 * text. ASCII words are lower-cased and looked up here. For other words, JavaScript is called: once for each
 * new spelling, to fold it, and once for each new character, to classify it.
 */
import { addIdentifier, forgetNames, setUpIdentifiers } from './identifiers';
import { add, find, findShort, isFull, NO_TERM, termCount, termOf } from './terms';
import { addToken, endBlock, isName, position, setUpTokens, startText } from './tokens';

export {
  addPairs,
  addPlaces,
  countForms,
  finish,
  setUp as setUpEncoder,
  start,
  taken,
} from '../encode';
export { linkTerms, startGroups, stemWords } from './group-words';
export { sortTerms } from './sort-terms';
export { chooseWords, countWords, sortTokens } from './sort-tokens';
export { clearTerms, isFull, joinTerms, setUpTerms, termBytes } from './terms';
export {
  clearTokens,
  contentStart,
  countExtras,
  countTokens,
  setTokenLimit,
  startDocument,
  tokensNext,
} from './tokens';
export {
  blocksWritten,
  countStrings,
  endTerm,
  lastBlock,
  postingsEnd,
  samplesWritten,
  startSection,
  startTerm,
  startTerms,
  takeOutput,
  writeTerms,
  writeWords,
} from './write-terms';

/** A JavaScript function that classifies a code point, as src/text/characters.ts does. */
declare function kindOf(codePoint: u32): u32;
/**
 * A JavaScript function that folds the word at `from` and writes its folded form to `to`. Returns the length of
 * the folded form, which may be 0.
 */
declare function formOf(from: usize, length: u32, to: usize): u32;

const OTHER: u32 = 0;
const WORD: u32 = 1;
const UNSPACED: u32 = 2;
const EXTEND: u32 = 3;
const UNKNOWN: u32 = 255;

const UNDERSCORE: u32 = 95;

const MAX_TERM: u32 = 64;
const MAX_RAW: u32 = 255;

/**
 * The address of a table with the kind of each character of the basic multilingual plane. The entry of a
 * character is `UNKNOWN` until the character is first read.
 */
let kinds: usize = 0;
/**
 * The address of a buffer for the word that is being read. The buffer has a zero byte, then `MAX_RAW` bytes for
 * the word, then 8 zero bytes.
 */
let spelling: usize = 0;
let folded: usize = 0;
let at: usize = 0;
let end: usize = 0;
/**
 * The offset in the text in bytes minus the same offset in UTF-16 units. It converts one kind of offset to the
 * other.
 */
let skew: usize = 0;
let textStart: usize = 0;
/** The code point that `read` has decoded last. `width` is its length in bytes. */
let codePoint: u32 = 0;
let width: u32 = 0;

export function setUp(kindsAt: usize, wordsAt: usize, changesAt: usize, tokensAt: usize): void {
  kinds = kindsAt;
  spelling = wordsAt;
  folded = wordsAt + 512;
  setUpIdentifiers(wordsAt + 1024);
  setUpTokens(changesAt, tokensAt);
  memory.fill(kinds, 0xff, 0x10000);
  for (let code: u32 = 0; code < 0x80; code++) {
    const isDigit = code - 48 < 10;
    const isLetter = (code | 32) - 97 < 26;
    store<u8>(kinds + code, <u8>(isDigit || isLetter ? WORD : OTHER));
  }
}

export function countTerms(): u32 {
  return termCount;
}

/**
 * Adds the words of a text of `length` bytes, after which 16 bytes must be readable. The first word gets the
 * position `from`. Returns the position after the last word. The text begins in the field `startField`. The
 * field then changes `changesCount` times; each entry in the table of changes has the offset of a change and
 * the new field.
 */
export function gather(text: usize, length: u32, from: u32, startField: u32, changesCount: u32): u32 {
  at = text;
  textStart = text;
  end = text + length;
  skew = 0;
  startText(from, startField, changesCount);
  forgetNames();
  v128.store(end, i64x2.splat(0));
  while (at < end) {
    const byte: u32 = load<u8>(at);
    const kind = byte < 0x80 ? <u32>load<u8>(kinds + byte) : kindAt(at);
    if (kind === WORD) takeWord();
    else if (kind === UNSPACED) takeUnspaced();
    else if (byte === 46 && isDotNet()) takeDotNet();
    else step(byte);
  }
  return position;
}

/** Skips a character that is not part of a word. */
function step(byte: u32): void {
  if (byte < 0x80) {
    if (byte === 10) endBlock();
    at++;
  } else {
    skew += width - units();
    at += width;
  }
}

/**
 * Returns true if the text continues with `.net`, with no letter directly before or after it. `.net` counts as
 * a word.
 */
function isDotNet(): bool {
  if ((load<u32>(at) | 0x20202000) >>> 8 !== 0x74656e) return false;
  return (at === textStart || !isLetter(load<u8>(at - 1))) && !isLetter(load<u8>(at, 4));
}

function isLetter(byte: u32): bool {
  return byte >= 0x80 || load<u8>(kinds + byte) === WORD;
}

function takeDotNet(): void {
  const start16 = at - textStart - skew;
  store<u64>(spelling + 1, 0x74656e2e);
  store<u64>(spelling + 5, 0);
  addToken(termOf(spelling + 1, 4), start16);
  at += 4;
}

/** Returns the number of UTF-16 units of the character that was read last. */
function units(): u32 {
  return width === 4 ? 2 : 1;
}

/**
 * Returns the kind of the character at the address `from`, and sets `codePoint` and `width` to its values.
 * Returns `OTHER` at the end of the text.
 */
function kindAt(from: usize): u32 {
  if (from >= end) return OTHER;
  read(from);
  if (codePoint >= 0x10000) return kindOf(codePoint);
  const known: u32 = load<u8>(kinds + codePoint);
  if (known !== UNKNOWN) return known;
  const kind = kindOf(codePoint);
  store<u8>(kinds + codePoint, <u8>kind);
  return kind;
}

/** Decodes the character at `from`. The text is valid UTF-8, because JavaScript has encoded it. */
function read(from: usize): void {
  const first: u32 = load<u8>(from);
  if (first < 0x80) {
    codePoint = first;
    width = 1;
  } else if (first < 0xe0) {
    codePoint = ((first & 0x1f) << 6) | (load<u8>(from, 1) & 0x3f);
    width = 2;
  } else if (first < 0xf0) {
    codePoint = ((first & 0x0f) << 12) | ((<u32>load<u8>(from, 1) & 0x3f) << 6) | (load<u8>(from, 2) & 0x3f);
    width = 3;
  } else {
    codePoint =
      ((first & 7) << 18) |
      ((<u32>load<u8>(from, 1) & 0x3f) << 12) |
      ((<u32>load<u8>(from, 2) & 0x3f) << 6) |
      (load<u8>(from, 3) & 0x3f);
    width = 4;
  }
}

/**
 * Adds the word that starts at `at`. This is the inner loop of indexing: it classifies and lower-cases sixteen
 * bytes at once. The last word needs no special case, because the bytes after the text are not letters.
 */
function takeWord(): void {
  const bytes = v128.load(at);
  const isLetter = i8x16.lt_u(i8x16.sub(v128.or(bytes, i8x16.splat(32)), i8x16.splat(97)), i8x16.splat(26));
  const isDigit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(48)), i8x16.splat(10));
  const length = ctz(~i8x16.bitmask(v128.or(isLetter, isDigit)));
  const byte: u32 = load<u8>(at + length);
  if (length === 16 || byte >= 0x80 || byte === 39 || byte === 43 || byte === 35) {
    takeLongWord();
    return;
  }
  const start = at;
  const start16 = at - textStart - skew;
  const lower = v128.or(bytes, v128.and(isLetter, i8x16.splat(32)));
  at += length;
  const first: u64 = i64x2.extract_lane(lower, 0);
  if (length <= 8) {
    const key = first & (<u64>-1 >> (64 - 8 * length));
    const term = findShort(key);
    if (!addToken(term !== NO_TERM ? term : newTerm(key, 0, length), start16)) return;
  } else {
    const second: u64 = i64x2.extract_lane(lower, 1) & (<u64>-1 >> (128 - 8 * length));
    if (!addToken(newTerm(first, second, length), start16)) return;
  }
  if (byte === UNDERSCORE || isName()) addIdentifier(start, at);
}

/** Returns the term number of a word of up to 16 bytes, and adds the word if it is new. */
function newTerm(first: u64, second: u64, length: u32): u32 {
  const to = spelling + 1;
  store<u64>(to, first);
  store<u64>(to, second, 8);
  store<u64>(to, 0, 16);
  return termOf(to, length);
}

/**
 * Adds the word that starts at `at`. This is slower than `takeWord`, but handles words of any length, followed
 * by any character.
 */
function takeLongWord(): void {
  const start = at;
  const start16 = at - textStart - skew;
  const to = spelling + 1;
  for (;;) {
    const bytes = v128.load(at);
    const isLetter = i8x16.lt_u(i8x16.sub(v128.or(bytes, i8x16.splat(32)), i8x16.splat(97)), i8x16.splat(26));
    const isDigit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(48)), i8x16.splat(10));
    const length = at - start;
    if (length < MAX_TERM) v128.store(to + length, v128.or(bytes, v128.and(isLetter, i8x16.splat(32))));
    const count = ctz(~i8x16.bitmask(v128.or(isLetter, isDigit)));
    at += count;
    if (count < 16) break;
  }
  const byte: u32 = load<u8>(at);
  if (byte < 0x80 && byte !== 39 && byte !== 43 && byte !== 35) {
    const length = <u32>min(at - start, MAX_TERM);
    store<u64>(to + length, 0);
    if (addToken(termOf(to, length), start16) && (byte === UNDERSCORE || isName())) addIdentifier(start, at);
  } else {
    takeRareWord(start, start16);
  }
}

/** Continues with a word that has apostrophes, non-ASCII letters or a suffix such as the `++` of `c++`. */
function takeRareWord(start: usize, start16: usize): void {
  let isAscii = true;
  let apostropheAt: usize = 0;
  let afterApostrophe: usize = 0;
  while (at < end) {
    const kind = kindAt(at);
    if (kind === WORD || kind === EXTEND) {
      if (width > 1) isAscii = false;
    } else if ((codePoint === 39 || codePoint === 0x2019) && isWordAt(at + width)) {
      read(at);
      if (width > 1) isAscii = false;
      apostropheAt = at;
      afterApostrophe = at + width;
    } else break;
    skew += width - units();
    at += width;
  }
  let wordEnd = at;
  if (afterApostrophe > 0 && afterApostrophe + 1 === at && (load<u8>(at - 1) | 32) === 115)
    wordEnd = apostropheAt;
  else wordEnd = at += suffixLength(at - textStart - skew - start16);
  const term = isAscii
    ? asciiTerm(start, <u32>(wordEnd - start))
    : spelledTerm(start, <u32>(wordEnd - start));
  if (!addToken(term, start16) || !isName()) return;
  if (isAscii && apostropheAt === 0 && isPlain(wordEnd) && !isApostrophe()) addIdentifier(start, at);
}

/** Returns true if the word that ends at `wordEnd` has no suffix such as the `++` of `c++`. */
function isPlain(wordEnd: usize): bool {
  const byte: u32 = load<u8>(wordEnd - 1);
  return byte !== 43 && byte !== 35;
}

function isApostrophe(): bool {
  return load<u8>(at) === 39 || (load<u32>(at) & 0xffffff) === 0x9980e2;
}

function isWordAt(from: usize): bool {
  return kindAt(from) === WORD;
}

/**
 * Returns the length of the suffix `++` of `c++` or `#` of `c#`, or 0. `length` is the length of the word in
 * UTF-16 units.
 */
function suffixLength(length: usize): usize {
  if (at >= end) return 0;
  const byte: u32 = load<u8>(at);
  if (byte === 43) return at + 1 < end && load<u8>(at, 1) === 43 ? 2 : 0;
  return byte === 35 && length === 1 && !isWordAt(at + 1) ? 1 : 0;
}

function asciiTerm(from: usize, length: u32): u32 {
  const to = spelling + 1;
  const count = min(length, MAX_TERM);
  for (let i: u32 = 0; i < count; i++) {
    const byte: u32 = load<u8>(from + i);
    store<u8>(to + i, <u8>(byte - 65 < 26 ? byte | 32 : byte));
  }
  store<u64>(to + count, 0);
  return termOf(to, count);
}

/**
 * Returns the term number of a word with non-ASCII letters. If its spelling is new, JavaScript is called to
 * fold it.
 */
function spelledTerm(from: usize, length: u32): u32 {
  const isShort = length < MAX_RAW;
  if (isShort) {
    store<u8>(spelling, 0);
    memory.copy(spelling + 1, from, length);
    store<u64>(spelling + 1 + length, 0);
    const known = find(spelling, length + 1);
    if (known !== 0) return load<u32>(known);
  }
  const count = formOf(from, length, folded);
  store<u64>(folded + count, 0);
  const term = count === 0 ? NO_TERM : termOf(folded, count);
  if (isShort && !isFull() && (count === 0 || term !== NO_TERM)) add(spelling, length + 1, term, false);
  return term;
}

/**
 * Adds text in a script without spaces between words, such as Chinese: as overlapping pairs of letters, each
 * with its combining marks. A single letter becomes a term too.
 */
function takeUnspaced(): void {
  let from = at;
  let from16 = at - textStart - skew;
  stepCluster();
  let middle = at;
  let middle16 = at - textStart - skew;
  if (kindAt(middle) !== UNSPACED) addSpelled(from, middle, from16);
  while (kindAt(at) === UNSPACED) {
    stepCluster();
    addSpelled(from, at, from16);
    from = middle;
    from16 = middle16;
    middle = at;
    middle16 = at - textStart - skew;
  }
}

function stepCluster(): void {
  kindAt(at);
  do {
    skew += width - units();
    at += width;
  } while (kindAt(at) === EXTEND);
}

function addSpelled(from: usize, to: usize, start16: usize): void {
  const term = spelledTerm(from, <u32>(to - from));
  if (term !== NO_TERM) addToken(term, start16);
}
