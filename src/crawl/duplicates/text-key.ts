/** Returns 53 bits of a text's hash as a number: a key of fixed size for maps that must stay small. */
import { hashLanes } from '../../base/mod.ts';

export function textKey(text: string): number {
  const [low, high] = hashLanes(text);
  return (high & 0x1fffff) * 0x100000000 + low;
}
