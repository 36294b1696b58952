/** Writes rank files; see ranks-format.ts for the bytes. */
import { ByteWriter, type Directory, writeSealed } from '../base/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { RANKS_KIND, ranksGenerations, ranksName } from './ranks-format.ts';

export interface RankedUrl {
  url: CanonicalUrl;
  rank: number;
}

/** Writes the next rank file, then removes the older ones, and returns its generation. */
export function writeRanks(directory: Directory, ranked: readonly RankedUrl[]): number {
  const older = ranksGenerations(directory);
  const generation = (older.at(-1) ?? 0) + 1;
  writeSealed(directory, ranksName(generation), RANKS_KIND, encode(generation, ranked));
  for (const old of older) directory.remove(ranksName(old));
  return generation;
}

function encode(generation: number, ranked: readonly RankedUrl[]): Buffer {
  const entries = ranked.map(({ url, rank }) => ({ key: BigInt.asUintN(64, fingerprint(url)), rank }));
  entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : b.rank - a.rank));
  // Two URLs with one fingerprint cannot be told apart; the better one counts.
  const distinct = entries.filter((entry, at) => entry.key !== entries[at - 1]?.key);
  const writer = new ByteWriter(8 + distinct.length * 12);
  writer.u32(generation);
  writer.u32(distinct.length);
  for (const { key } of distinct) writer.u64(key);
  for (const { rank } of distinct) writer.f32(rank);
  return writer.view();
}
