/**
 * Tokens represent the words of a document in text order. Most tokens take two bytes.
 *
 *   code    varint   the word's number * 2, plus 1 if its place is not the expected one
 *   step    varint   (position - expected + 1) * 8 + field; only if its place is not the expected one
 *
 * The expected place is the position after that of the token before, in the same field; at the start of a
 * document it is position 0 in field 0. A token at the same position as the token before it has the step 0.
 * Words are numbered in order of their first occurrence, so frequent words have small numbers. Example: word 5
 * at position 0 and word 300 after it are  0A  D8 04 ; if word 300 begins a new line, which leaves two
 * positions free, they are  0A  D9 04 18 .
 */
import { NO_TERM } from './terms';

/** The maximum size of a token in bytes. */
const MAX_TOKEN_BYTES: usize = 10;
/**
 * Number of unused positions between two blocks of text, such as paragraphs, so that no phrase spans them.
 * Larger gaps would make the stored positions longer.
 */
const BLOCK_GAP: u32 = 2;
/** A bit set of the fields whose text names the page: title, heading, URL, and last segment of the URL. */
const NAMES: u32 = 0b10100110;
/** The number of the field for the text of menus, as in fields.ts. */
const MENU: u32 = 6;
const NO_POSITION: u32 = 0xffffffff;

/**
 * The address of a table of the places in the current text at which the field changes, for example from heading
 * to body. An entry has an offset in UTF-16 units and the new field.
 */
let changes: usize = 0;
let nextChange: usize = 0;
let tokens: usize = 0;
/** The address where the next token is written. `tokensEnd` is the end of the memory for tokens. */
let nextToken: usize = 0;
let tokensEnd: usize = 0;
let tokenCount: u32 = 0;
/** The number of tokens that were added at the same position as the token before them. */
let extraCount: u32 = 0;
/** The position and the field that the next token gets unless it stores another place. */
let expected: u32 = 0;
let expectedField: u32 = 0;
let field: u32 = 0;
let isAfterBlock: bool = false;
/** The position of the first word that is not in a menu, in the text that was added last. */
let contentPosition: u32 = NO_POSITION;

/** The position that the next word will get. */
export let position: u32 = 0;

export function setUpTokens(changesAt: usize, tokensAt: usize): void {
  changes = changesAt;
  tokens = tokensAt;
  clearTokens();
}

/** Sets the end of the memory for tokens. */
export function setTokenLimit(limit: usize): void {
  tokensEnd = limit - MAX_TOKEN_BYTES;
}

export function clearTokens(): void {
  tokenCount = 0;
  extraCount = 0;
  nextToken = tokens;
}

/** Starts a document: tokens that are added after this call belong to it. */
export function startDocument(): void {
  expected = 0;
  expectedField = 0;
}

/**
 * Starts a text. Its first word gets the position `from`. The text begins in the field `startField`, and the
 * table of field changes has `changesCount` entries.
 */
export function startText(from: u32, startField: u32, changesCount: u32): void {
  position = from;
  field = startField;
  nextChange = changes;
  isAfterBlock = false;
  contentPosition = NO_POSITION;
  store<u64>(changes + ((<usize>changesCount) << 3), 0xffffffff);
}

export function endBlock(): void {
  isAfterBlock = true;
}

/**
 * Returns the position of the first word that is not in a menu, in the text that was added last; 0xffffffff if
 * there is none.
 */
export function contentStart(): u32 {
  return contentPosition;
}

/** Returns the address after the last token. */
export function tokensNext(): usize {
  return nextToken;
}

export function countTokens(): u32 {
  return tokenCount;
}

export function countExtras(): u32 {
  return extraCount;
}

/** Adds a token for a word that begins at offset `start16`, in UTF-16 units. Returns true if it was added. */
export function addToken(term: u32, start16: usize): bool {
  if (term === NO_TERM || nextToken > tokensEnd) return false;
  if (isAfterBlock) {
    position += BLOCK_GAP;
    isAfterBlock = false;
  }
  while (start16 >= <usize>load<u32>(nextChange)) {
    field = load<u32>(nextChange, 4);
    nextChange += 8;
  }
  if (contentPosition === NO_POSITION && field !== MENU) contentPosition = position;
  nextToken = putToken(nextToken, term, position - expected, field, expectedField);
  expected = ++position;
  expectedField = field;
  tokenCount++;
  return true;
}

/** Adds a token at the same position as the last token, such as a part of an identifier. */
export function addExtra(term: u32): void {
  if (term === NO_TERM || nextToken > tokensEnd) return;
  nextToken = putToken(nextToken, term, -1, field, expectedField);
  tokenCount++;
  extraCount++;
}

/** Returns true if the last token is in a title, a heading or a URL. */
export function isName(): bool {
  return ((NAMES >> field) & 1) !== 0;
}

/**
 * The number of the word in the token that `takeToken` has read last. `place` is position * 8 + field of this
 * token; before the first token of a document it is -8.
 */
export let word: u32 = 0;
export let place: u32 = 0;

function putToken(to: usize, number: u32, step: u32, field: u32, expectedField: u32): usize {
  if (step === 0 && field === expectedField) return putVarint(to, 2 * number);
  return putVarint(putVarint(to, 2 * number + 1), ((step + 1) << 3) | field);
}

export function startTokens(): void {
  place = -8;
}

/** Reads the token at `from`, sets `word` and `place`, and returns the address of the next token. */
export function takeToken(from: usize): usize {
  let at = from;
  let code: u32 = load<u8>(at++);
  if (code >= 0x80) {
    const second: u32 = load<u8>(at++);
    code = (code & 0x7f) | ((second & 0x7f) << 7);
    if (second >= 0x80) {
      for (let shift: u32 = 14; ; shift += 7) {
        const byte: u32 = load<u8>(at++);
        code |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
    }
  }
  word = code >> 1;
  place += 8;
  return (code & 1) === 0 ? at : takeStep(at);
}

function takeStep(from: usize): usize {
  let at = from;
  let step: u32 = 0;
  for (let shift: u32 = 0; ; shift += 7) {
    const byte: u32 = load<u8>(at++);
    step |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  place = (place & ~7) + step - 8;
  return at;
}

function putVarint(to: usize, value: u32): usize {
  let at = to;
  let rest = value;
  for (; rest >= 0x80; rest >>= 7) store<u8>(at++, <u8>(rest | 0x80));
  store<u8>(at++, <u8>rest);
  return at;
}
