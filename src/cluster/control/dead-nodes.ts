/**
 * Removes what nodes leave behind that died without leaving: their rows, and the marks of their local files. A node whose
 * row was removed must not continue, because its next files would have the names of existing objects; `Membership`
 * refuses to renew its lease.
 */
import type { ClusterDatabase } from '../database.ts';
import { removeOldTurns } from '../politeness/mod.ts';
import { inTransaction } from '../transaction.ts';

/** A node may be stopped or cut off for this long and continue. */
const FORGOTTEN_MS = 60 * 60_000;

/** Removes nodes whose leases expired long ago, and old turns with IP addresses. Returns the names of the nodes. */
export async function removeDeadNodes(sql: ClusterDatabase, forgottenMs = FORGOTTEN_MS): Promise<string[]> {
  await removeOldTurns(sql, forgottenMs);
  return await inTransaction(sql, async (tx) => {
    const removed = await tx<{ node: string }[]>`
      delete from gyre.nodes n
      where lease_until < clock_timestamp() - ${forgottenMs} * interval '1 ms'
        and not exists (select from gyre.vnodes v where v.owner = n.node)
        and not exists (select from gyre.shards s where s.owner = n.node)
      returning node`;
    await tx`delete from gyre.crawl_marks m
      where not exists (select from gyre.nodes n where n.node = m.node)`;
    return removed.map(({ node }) => node);
  });
}
