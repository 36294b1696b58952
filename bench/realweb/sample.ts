import type { Random } from '../../src/base/mod.ts';

/** Returns at most `count` of the items, chosen at random. The same items and seed give the same sample. */
export function sampleOf<T>(items: readonly T[], count: number, random: Random): T[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ item }) => item);
}
