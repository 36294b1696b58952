/** Opens crawl states in PostgreSQL for tests. */
import type { ClusterDatabase } from '../database.ts';
import { VnodeOwner } from '../vnode-owner.ts';
import { PostgresCrawlState } from './postgres-crawl-state.ts';

export const ALL_VNODES = Array.from({ length: 256 }, (_, vnode) => vnode);

/**
 * Opens the state of a node with these vnodes, all of them by default. The node claims them with the epoch, unless they
 * already have a later one.
 */
export async function openState(
  sql: ClusterDatabase,
  node: string,
  { vnodes = ALL_VNODES, epoch = 1 } = {},
): Promise<PostgresCrawlState> {
  await sql`update gyre.vnodes set owner = ${node}, epoch = ${epoch}
    where vnode = any (${vnodes}::int[]) and epoch < ${epoch}`;
  const state = new PostgresCrawlState(sql, new VnodeOwner(sql, node, 0));
  await state.hold(vnodes.map((vnode) => ({ vnode, epoch })));
  return state;
}
