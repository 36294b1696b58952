/**
 * Reads columns of numbers from lexicon files. The columns are copied, because typed arrays need aligned
 * memory.
 */
import type { ByteReader } from '../base/mod.ts';

export function readU32s(reader: ByteReader, count: number): Uint32Array {
  const column = new Uint32Array(count);
  new Uint8Array(column.buffer).set(reader.raw(count * 4));
  return column;
}

export function readF32s(reader: ByteReader, count: number): Float32Array {
  const column = new Float32Array(count);
  new Uint8Array(column.buffer).set(reader.raw(count * 4));
  return column;
}

/**
 * Returns the offset at which item number `at` starts. `ends` has the end offset of each item; items are stored
 * one after another, so each item starts where the previous one ends.
 */
export function startOf(ends: Uint32Array, at: number): number {
  return at === 0 ? 0 : ends[at - 1]!;
}
