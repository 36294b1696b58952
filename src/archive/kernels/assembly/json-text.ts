/**
 * UTF-8 as the inside of a JSON string (RFC 8259 § 7): sixteen bytes at a time as long as none of them needs an
 * escape. `../../json-text.ts` lays out the memory and calls.
 *
 * Escapes are those of JSON.stringify: `\"`, `\\`, `\b`, `\t`, `\n`, `\f`, `\r`, and `\u00` with two digits for the other
 * control characters.
 */

const GROUP: u32 = 16;
const CONTROL: u8 = 0x20;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;

/** Writes `length` bytes from `input` on to `output`, escaped, and returns how many they became. */
export function escapeText(input: usize, length: u32, output: usize): u32 {
  const end = input + length;
  let from = input;
  let to = output;
  for (; from + GROUP <= end; from += GROUP) {
    const bytes = v128.load(from);
    if (needsEscape(bytes)) {
      for (let at = from; at < from + GROUP; at++) to = escapeByte(load<u8>(at), to);
    } else {
      v128.store(to, bytes);
      to += GROUP;
    }
  }
  for (; from < end; from++) to = escapeByte(load<u8>(from), to);
  return u32(to - output);
}

function needsEscape(bytes: v128): bool {
  const control = i8x16.lt_u(bytes, i8x16.splat(CONTROL));
  const quote = i8x16.eq(bytes, i8x16.splat(QUOTE));
  const backslash = i8x16.eq(bytes, i8x16.splat(BACKSLASH));
  return v128.any_true(v128.or(control, v128.or(quote, backslash)));
}

function escapeByte(byte: u8, to: usize): usize {
  if (byte >= CONTROL && byte !== QUOTE && byte !== BACKSLASH) {
    store<u8>(to, byte);
    return to + 1;
  }
  store<u8>(to, BACKSLASH);
  const letter = letterOf(byte);
  store<u8>(to + 1, letter);
  if (letter !== 0x75) return to + 2;
  store<u8>(to + 2, 0x30);
  store<u8>(to + 3, 0x30);
  store<u8>(to + 4, 0x30 + (byte >> 4));
  store<u8>(to + 5, digitOf(byte & 15));
  return to + 6;
}

/** What stands behind the backslash; `u` if there is no shorter way. */
function letterOf(byte: u8): u8 {
  switch (byte) {
    case QUOTE:
    case BACKSLASH:
      return byte;
    case 0x08:
      return 0x62;
    case 0x09:
      return 0x74;
    case 0x0a:
      return 0x6e;
    case 0x0c:
      return 0x66;
    case 0x0d:
      return 0x72;
    default:
      return 0x75;
  }
}

function digitOf(value: u8): u8 {
  return value < 10 ? 0x30 + value : 0x57 + value;
}
