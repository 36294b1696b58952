/**
 * The names of the pages of each shard, for suggestions and synonyms over all shards. An index node stores those of its
 * shards when it has applied a ranking, as blobs of the ranking, which are removed with it:
 *
 *   ranks/RANKING.names.SHARD.EPOCH
 *
 * If several owners of a shard have stored one, the newest epoch counts.
 */
import type { BlobStore, Directory } from '../../base/mod.ts';
import type { OwnedVnode } from '../vnode-owner.ts';

/** Stores the names of a shard. `blobs` has the blobs of all rankings. */
export async function putShardNames(
  blobs: BlobStore,
  ranking: string,
  { vnode, epoch }: OwnedVnode,
  names: Uint8Array,
): Promise<void> {
  await blobs.put(`${prefixOf(ranking)}${vnode}.${epoch}`, names);
}

/**
 * Brings the names of all shards to a directory. Returns the names of the files, in the order of the shards; null if a
 * shard has none yet.
 */
export async function bringShardNames(
  blobs: BlobStore,
  ranking: string,
  shards: number,
  directory: Directory,
): Promise<string[] | null> {
  const prefix = prefixOf(ranking);
  const newest: (number | undefined)[] = Array(shards).fill(undefined);
  for (const name of await blobs.list(prefix)) {
    const [shard, epoch] = name.slice(prefix.length).split('.').map(Number);
    if (shard! < shards) newest[shard!] = Math.max(newest[shard!] ?? 0, epoch!);
  }
  if (newest.includes(undefined)) return null;
  const names = newest.map((epoch, shard) => `${prefix}${shard}.${epoch}`);
  const isOld = (file: string) => !names.includes(file);
  for (const file of directory.list().filter(isOld)) directory.remove(file);
  for (const name of names) if (!directory.has(name)) directory.replace(name, await blobs.get(name));
  return names;
}

function prefixOf(ranking: string): string {
  return `${ranking}.names.`;
}
