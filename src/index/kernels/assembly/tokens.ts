/**
 * Tokens: the words of a document as they came, two bytes for most.
 *
 *   code    varint   the word's number * 2, and 1 if its place is not the one that is expected
 *   step    varint   (position - expected) * 8 + field, only then
 *
 * Expected is the position behind that of the token before, in the same field; at the beginning of a document 0 in
 * field 0. Words are numbered as they come, so frequent ones have short numbers. Word 5 at position 0 and word 300 behind
 * it are  0A  D8 04 ; if that began a line, which leaves two positions free:  0A  D9 04 10 .
 */

/** Of one token, at most. */
export const MAX_TOKEN_BYTES: usize = 10;

/** Set by `takeToken`; `place` is position * 8 + field. At the beginning of a document it is to be set to -8. */
export let word: u32 = 0;
export let place: u32 = 0;

export function putToken(to: usize, number: u32, step: u32, field: u32, expectedField: u32): usize {
  if (step === 0 && field === expectedField) return putVarint(to, 2 * number);
  return putVarint(putVarint(to, 2 * number + 1), (step << 3) | field);
}

export function startTokens(): void {
  place = -8;
}

/** Reads the token at `from` and returns where the next begins. */
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
