/**
 * Returns 53 bits of the hash of a text as a number. It is used as a key of fixed size in place of a long URL or
 * path.
 */
import { hashLanes } from '../../base/mod.ts';

export function textKey(text: string): number {
  const [low, high] = hashLanes(text);
  return (high & 0x1fffff) * 0x100000000 + low;
}
