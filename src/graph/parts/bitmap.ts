/**
 * A set of numbers below a limit, with one bit for each number. It can also count the members below a number.
 */
import { popCount } from '../../base/mod.ts';

/**
 * The size of a block in bytes. The number of members before each block is stored, so that `rankOf` counts
 * within one block only.
 */
const BLOCK_BYTES = 64;

export class Bitmap {
  readonly bytes: Uint8Array;
  /** The number of members before each block of bytes; made when it is first needed. */
  #before: Uint32Array | null = null;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  static ofSize(limit: number): Bitmap {
    return new Bitmap(new Uint8Array(Math.ceil(limit / 8)));
  }

  add(member: number): void {
    this.bytes[member >>> 3]! |= 1 << (member & 7);
    this.#before = null;
  }

  addAll({ bytes }: Bitmap): void {
    bytes.forEach((bits, at) => {
      this.bytes[at]! |= bits;
    });
    this.#before = null;
  }

  has(member: number): boolean {
    return (this.bytes[member >>> 3]! & (1 << (member & 7))) !== 0;
  }

  /** Returns the number of members below `member`. */
  rankOf(member: number): number {
    this.#before ??= this.#countBlocks();
    const byte = member >>> 3;
    const block = Math.floor(byte / BLOCK_BYTES);
    let rank = this.#before[block]!;
    for (let at = block * BLOCK_BYTES; at < byte; at++) rank += popCount(this.bytes[at]!);
    return rank + popCount(this.bytes[byte]! & ((1 << (member & 7)) - 1));
  }

  #countBlocks(): Uint32Array {
    const before = new Uint32Array(Math.ceil(this.bytes.length / BLOCK_BYTES));
    let count = 0;
    this.bytes.forEach((bits, at) => {
      if (at % BLOCK_BYTES === 0) before[at / BLOCK_BYTES] = count;
      count += popCount(bits);
    });
    return before;
  }
}
