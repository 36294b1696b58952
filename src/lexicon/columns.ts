/**
 * Reads columns of numbers from lexicon files. The columns are copied, because typed arrays need aligned
 * memory.
 */
import type { ByteReader } from '../base/mod.ts';

export function readU32s(reader: ByteReader, count: number): Uint32Array {
  const bytes = reader.raw(count * 4);
  const column = new Uint32Array(count);
  new Uint8Array(column.buffer).set(bytes);
  return column;
}

export function readF32s(reader: ByteReader, count: number): Float32Array {
  const bytes = reader.raw(count * 4);
  const column = new Float32Array(count);
  new Uint8Array(column.buffer).set(bytes);
  return column;
}

/** Reads a column of end offsets, which never descend. Otherwise a damaged file could make a loop of billions of steps. */
export function readEnds(reader: ByteReader, count: number): Uint32Array {
  const ends = readU32s(reader, count);
  for (let at = 1; at < count; at++)
    if (ends[at]! < ends[at - 1]!) throw reader.damage(`an end of at least ${ends[at - 1]}`, `${ends[at]}`);
  return ends;
}

/** Reads a column of numbers below `limit`. */
export function readNumbers(reader: ByteReader, count: number, limit: number): Uint32Array {
  const numbers = readU32s(reader, count);
  const wrong = numbers.find((number) => number >= limit);
  if (wrong !== undefined) throw reader.damage(`a number below ${limit}`, `${wrong}`);
  return numbers;
}

/**
 * Returns the offset at which item number `at` starts. `ends` has the end offset of each item; items are stored
 * one after another, so each item starts where the previous one ends.
 */
export function startOf(ends: Uint32Array, at: number): number {
  return at === 0 ? 0 : ends[at - 1]!;
}
