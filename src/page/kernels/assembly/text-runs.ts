/**
 * Finds the ends of runs of plain text, sixteen bytes at a time. `../../text/text-runs.ts` describes runs.
 */

const GROUP: u32 = 16;
const ALL: u32 = 0xffff;
const SPACE: u8 = 0x20;
const LESS_THAN: u8 = 0x3c;
const AMPERSAND: u8 = 0x26;
const WIDE: u8 = 0xc0;

/**
 * Returns the end of the run of plain text that starts at the address `from`; the byte before `from` must be
 * plain. Bytes after `end` are read, but do not affect the result.
 */
export function endOfRun(from: usize, end: usize): usize {
  let at = from;
  let spaceBefore: u32 = 0;
  while (at < end) {
    const bytes = v128.load(at);
    const spaces = u32(i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(SPACE))));
    const pairs = spaces & ((spaces << 1) | spaceBefore);
    const stops = (othersOf(bytes) | pairs) & ALL;
    if (stops !== 0) {
      at += ctz(stops);
      break;
    }
    spaceBefore = spaces >> (GROUP - 1);
    at += GROUP;
  }
  if (at > end) at = end;
  return at > from && load<u8>(at - 1) === SPACE ? at - 1 : at;
}

/** Returns a bit set with one bit per byte of `bytes`: 1 if the byte is neither plain nor a space. */
function othersOf(bytes: v128): u32 {
  const low = i8x16.lt_u(bytes, i8x16.splat(SPACE));
  const wide = i8x16.ge_u(bytes, i8x16.splat(WIDE));
  const markup = i8x16.eq(bytes, i8x16.splat(LESS_THAN));
  const reference = i8x16.eq(bytes, i8x16.splat(AMPERSAND));
  return u32(i8x16.bitmask(v128.or(v128.or(low, wide), v128.or(markup, reference))));
}
