/**
 * Tokens: the words of a document in text order, most of them in two bytes.
 *
 *   code    varint   the word's number * 2, plus 1 if its place is not the expected one
 *   step    varint   (position - expected) * 8 + field, only then
 *
 * The expected place is the position after that of the token before, in the same field; at the start of a
 * document it is position 0 in field 0. Words are numbered in order of their first occurrence, so frequent
 * words have small numbers. Example: word 5 at position 0 and word 300 after it are  0A  D8 04 ; if word 300
 * begins a new line, which leaves two positions free, they are  0A  D9 04 10 .
 */

/** Maximum size of a token. */
export const MAX_TOKEN_BYTES: usize = 10;

/**
 * Set by `takeToken`; `place` is position * 8 + field. `startTokens` sets it to -8 at the start of a
 * document.
 */
export let word: u32 = 0;
export let place: u32 = 0;

export function putToken(to: usize, number: u32, step: u32, field: u32, expectedField: u32): usize {
  if (step === 0 && field === expectedField) return putVarint(to, 2 * number);
  return putVarint(putVarint(to, 2 * number + 1), (step << 3) | field);
}

export function startTokens(): void {
  place = -8;
}

/** Reads the token at `from` and returns the address of the next one. */
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
  place = (place & ~7) + step;
  return at;
}

function putVarint(to: usize, value: u32): usize {
  let at = to;
  let rest = value;
  for (; rest >= 0x80; rest >>= 7) store<u8>(at++, <u8>(rest | 0x80));
  store<u8>(at++, <u8>rest);
  return at;
}
