/**
 * Sorts and finds 64-bit fingerprints. They are stored as two 32-bit halves, because comparing bigints is
 * slow.
 */

const DIGITS = 65_536;

/** Returns the indexes of fingerprints in ascending order of the fingerprints. The sort is stable. */
export function sortedByFingerprint(lows: Uint32Array, highs: Uint32Array): Uint32Array {
  let order = Uint32Array.from(lows, (_, at) => at);
  let spare = new Uint32Array(order.length);
  for (const [halves, shift] of [
    [lows, 0],
    [lows, 16],
    [highs, 0],
    [highs, 16],
  ] as const) {
    const starts = new Uint32Array(DIGITS + 1);
    for (const half of halves) starts[((half >>> shift) & 0xffff) + 1]!++;
    for (let digit = 0; digit < DIGITS; digit++) starts[digit + 1]! += starts[digit]!;
    for (const at of order) spare[starts[(halves[at]! >>> shift) & 0xffff]!++] = at;
    [order, spare] = [spare, order];
  }
  return order;
}

/**
 * Finds a fingerprint in a sorted table and returns its index, or -1. The table has the low half and then the
 * high half of each fingerprint.
 */
export function findFingerprint(halves: Uint32Array, fingerprint: bigint): number {
  const at = firstAbove(halves, fingerprint) - 1;
  const low = Number(BigInt.asUintN(32, fingerprint));
  const high = Number(BigInt.asUintN(32, fingerprint >> 32n));
  return at >= 0 && halves[2 * at] === low && halves[2 * at + 1] === high ? at : -1;
}

/**
 * Returns the index of the first fingerprint in a sorted table that is greater than `fingerprint`. Returns the
 * number of fingerprints if none is greater.
 */
export function firstAbove(halves: Uint32Array, fingerprint: bigint): number {
  const low = Number(BigInt.asUintN(32, fingerprint));
  const high = Number(BigInt.asUintN(32, fingerprint >> 32n));
  let from = 0;
  let to = halves.length / 2;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const middleHigh = halves[2 * middle + 1]!;
    const isAbove = middleHigh === high ? halves[2 * middle]! > low : middleHigh > high;
    if (isAbove) to = middle;
    else from = middle + 1;
  }
  return from;
}
