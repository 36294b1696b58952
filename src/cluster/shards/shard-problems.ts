/**
 * The reason why no node can index a shard, for example a missing segment. The index node that owns the shard stores it with
 * the shard, for `gyre status`, and tries again. Meanwhile searches use the last version that the search nodes have.
 */
import type { ClusterDatabase } from '../database.ts';
import { inTransaction } from '../transaction.ts';
import type { OwnedVnode, VnodeOwner } from '../vnode-owner.ts';
import { shardIndexName } from './shard-place.ts';

/** Stores the problem of a shard; null if it has none. Rejects with `stale-epoch` if another node owns the shard. */
export async function storeShardProblem(
  owner: VnodeOwner,
  shard: OwnedVnode,
  problem: string | null,
): Promise<void> {
  await owner.write([shard], async (tx) => {
    await tx`update gyre.shards set problem = ${problem}
      where shard = ${shard.vnode} and problem is distinct from ${problem}`;
  });
}

/** Makes the index of each shard with a problem empty, so that its owner indexes the whole journal again. Returns the shards. */
export async function resetDamagedShards(sql: ClusterDatabase): Promise<number[]> {
  return await inTransaction(sql, async (tx) => {
    const rows = await tx<{ shard: number }[]>`update gyre.shards set ranking = null, problem = null
      where problem is not null returning shard`;
    const shards = rows.map(({ shard }) => shard).sort((a, b) => a - b);
    await tx`delete from gyre.manifests where name = any (${shards.map(shardIndexName)})`;
    return shards;
  });
}
