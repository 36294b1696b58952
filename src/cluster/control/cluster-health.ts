/**
 * Reads the numbers that alerts need about a whole cluster. The coordinator reads them for its metrics, so they are read
 * once in a cluster, and each with one statement.
 */
import type { ClusterDatabase } from '../database.ts';
import { readIndexLagMs } from './index-lag.ts';

export interface ClusterHealth {
  /** Vnodes without a live owner: their hosts are not crawled. */
  freeVnodes: number;
  /** The age of the oldest pages that are crawled and not indexed. */
  indexLagMs: number;
  /** Journal objects and shards that are damaged, so that pages are not indexed. */
  damagedObjects: number;
}

export async function readClusterHealth(sql: ClusterDatabase): Promise<ClusterHealth> {
  const [row] = await sql<{ freeVnodes: number; damagedObjects: number }[]>`
    select
      (select count(*)::int from gyre.vnodes v where not exists (select from gyre.nodes n
        where n.node = v.owner and n.lease_until > clock_timestamp())) as "freeVnodes",
      (select count(*)::int from gyre.capture_batches where problem is not null)
        + (select count(*)::int from gyre.shards where problem is not null) as "damagedObjects"`;
  return { ...row!, indexLagMs: await readIndexLagMs(sql) };
}
