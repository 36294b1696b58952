/**
 * Counts, for each of 64 bit positions, in how many hashes that bit is set.
 *
 * Counting bit by bit would take 64 additions a hash. Here the counters lie on their side: plane p
 * holds bit p of all 32 counters of a lane in one word, and adding a hash is adding a carry. Eight
 * hashes at a time go through full adders (Harley and Seal), which leaves one carry for the planes
 * above the third: about eleven operations a hash and lane, exact, whatever the number of hashes.
 */

const PLANES = 32;

/** One lane of 32 counters. */
export class BitVotes {
  readonly #planes = new Int32Array(PLANES);

  /** Begins anew and counts `hashes[0]` to `hashes[count - 1]`. */
  recount(hashes: Int32Array, count: number): void {
    this.#planes.fill(0);
    const whole = count & ~7;
    if (whole > 0) this.#addEights(hashes, whole);
    for (let at = whole; at < count; at++) this.#carry(hashes[at]!, 0);
  }

  /** The word whose bit b is set if more than half of `total` hashes have it. */
  majority(total: number): number {
    let word = 0;
    for (let bit = 0; bit < 32; bit++) {
      if (this.countOf(bit) * 2 > total) word |= 1 << bit;
    }
    return word >>> 0;
  }

  countOf(bit: number): number {
    let count = 0;
    for (let plane = PLANES - 1; plane >= 0; plane--) {
      count = count * 2 + ((this.#planes[plane]! >>> bit) & 1);
    }
    return count;
  }

  /** A hot kernel, hence one piece: the tree of seven full adders, and the carry of eight that it leaves. */
  #addEights(hashes: Int32Array, count: number): void {
    const planes = this.#planes;
    let ones = planes[0]!;
    let twos = planes[1]!;
    let fours = planes[2]!;
    for (let at = 0; at < count; at += 8) {
      let a = hashes[at]!;
      let b = hashes[at + 1]!;
      let half = ones ^ a;
      let twosA = (ones & a) | (half & b);
      ones = half ^ b;
      a = hashes[at + 2]!;
      b = hashes[at + 3]!;
      half = ones ^ a;
      let twosB = (ones & a) | (half & b);
      ones = half ^ b;
      half = twos ^ twosA;
      const foursA = (twos & twosA) | (half & twosB);
      twos = half ^ twosB;
      a = hashes[at + 4]!;
      b = hashes[at + 5]!;
      half = ones ^ a;
      twosA = (ones & a) | (half & b);
      ones = half ^ b;
      a = hashes[at + 6]!;
      b = hashes[at + 7]!;
      half = ones ^ a;
      twosB = (ones & a) | (half & b);
      ones = half ^ b;
      half = twos ^ twosA;
      const foursB = (twos & twosA) | (half & twosB);
      twos = half ^ twosB;
      half = fours ^ foursA;
      const eights = (fours & foursA) | (half & foursB);
      fours = half ^ foursB;
      this.#carry(eights, 3);
    }
    planes[0] = ones;
    planes[1] = twos;
    planes[2] = fours;
  }

  #carry(word: number, from: number): void {
    const planes = this.#planes;
    for (let plane = from, carry = word; carry !== 0 && plane < PLANES; plane++) {
      const old = planes[plane]!;
      planes[plane] = old ^ carry;
      carry &= old;
    }
  }
}

/** How many bits are set in a 32-bit word. */
export function popCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
