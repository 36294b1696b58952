/** The part that the roles `search` and `gateway` share: the secret, the shards and the search nodes of the cluster. */
import { type BlobStore, messageOf, sleep, UsageError } from '../../base/mod.ts';
import {
  messageKey,
  openShardBlobs,
  postgresManifestStore,
  readSearchMembers,
  refusalIn,
  type SearchMember,
  shardIndexName,
} from '../../cluster/mod.ts';
import type { ManifestStore } from '../../index/mod.ts';
import type { ClusterFile } from './cluster-file.ts';
import type { NodeContext } from './node-role.ts';

const FOLLOW_MS = 1_000;

/** Returns the secret of the messages between gateways and search nodes. */
export function secretOf({ file, search }: ClusterFile): string {
  if (search.secret !== null) return search.secret;
  throw new UsageError(
    'cluster-file',
    `${file}: "search.secret": expected a secret for the roles search and gateway, got nothing; add one such as "\${CLUSTER_SECRET}", the same for all nodes`,
  );
}

export function messageKeyOf(cluster: ClusterFile): Buffer {
  return messageKey(secretOf(cluster));
}

/** Returns the names of all shards of the index. */
export function shardNamesOf({ shards }: ClusterFile): string[] {
  return Array.from({ length: shards }, (_, shard) => shardIndexName(shard));
}

interface PublishedIndexes {
  manifestsOf(shard: string): ManifestStore;
  blobsOf(shard: string): BlobStore;
}

/** Opens the manifests and the files of all shards. */
export async function publishedIndexes(context: NodeContext): Promise<PublishedIndexes> {
  const { cluster, database, openBlobs } = context;
  const blobs = new Map<string, BlobStore>();
  for (const [shard, name] of shardNamesOf(cluster).entries())
    blobs.set(name, await openShardBlobs(openBlobs, shard));
  return {
    manifestsOf: (shard) => postgresManifestStore(database, shard),
    blobsOf: (shard) => blobs.get(shard)!,
  };
}

/**
 * Calls `onMembers` with the search nodes once a second until the node is stopped. While PostgreSQL is
 * unreachable, the last list stays in use. Rejects if PostgreSQL refuses the node.
 */
export async function followMembers(
  { database, signal, log }: NodeContext,
  onMembers: (members: readonly SearchMember[]) => Promise<void>,
): Promise<void> {
  for (let trouble = ''; !signal.aborted; ) {
    try {
      await onMembers(await readSearchMembers(database));
      trouble = '';
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal !== null) throw refusal;
      const reason = messageOf(error);
      if (reason !== trouble) log.warn('search nodes not read', { reason });
      trouble = reason;
    }
    await sleep(FOLLOW_MS, signal);
  }
}
