/** The place of a document and of the files of a shard. */
import type { BlobStore } from '../../base/mod.ts';

/** Returns the shard of a document, from the fingerprint of its URL. */
export function shardOf(fingerprint: bigint, shards: number): number {
  return Number(BigInt.asUintN(64, fingerprint) % BigInt(shards));
}

/** Returns the name of the manifest of a shard in PostgreSQL. */
export function shardIndexName(shard: number): string {
  return `shard-${shard}`;
}

/** Opens the objects of a shard: the files that its manifest lists, under the same names. */
export async function openShardBlobs(
  openBlobs: (prefix: string) => Promise<BlobStore>,
  shard: number,
): Promise<BlobStore> {
  return await openBlobs(`index/${shard}/`);
}
