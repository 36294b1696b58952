/**
 * Measures the lag of the index: the age of the pages that are crawled and not indexed. Crawl nodes send no requests
 * while the lag is too long, so slow index nodes slow the crawl down.
 *
 * The age of a batch is used, not the number of batches: it means the same in a cluster of any size. Shards without a
 * live index node do not count, and neither do damaged shards and writers whose next batch is damaged: nothing would be
 * gained if the crawl waited for nodes or objects that may never come.
 */
import type { ClusterDatabase } from '../database.ts';
import { shardIndexName } from '../shards/mod.ts';

/** Returns the age of the oldest batch of captures that a live index node has not indexed; 0 if there is none. */
export async function readIndexLagMs(sql: ClusterDatabase): Promise<number> {
  const prefix = shardIndexName(0).replace(/0$/, '');
  const [row] = await sql<{ lagMs: number }[]>`
    with shards as materialized (
      select s.shard, m.body::json -> 'journal' as journal from gyre.shards s
      join gyre.nodes n on n.node = s.owner and n.lease_until > clock_timestamp()
      left join gyre.manifests m on m.name = ${prefix} || s.shard
      where s.problem is null
    )
    select coalesce(extract(epoch from clock_timestamp() - min(unread.committed_at)) * 1000, 0)::float8 as "lagMs"
    from shards s cross join gyre.journal_writers w
    join lateral (
      select b.committed_at, b.problem from gyre.capture_batches b
      where b.writer = w.number and b.journal_bytes > 0
        and b.number > coalesce((s.journal ->> ('n' || w.number))::int, 0)
      order by b.number limit 1
    ) unread on unread.problem is null`;
  return row!.lagMs;
}
