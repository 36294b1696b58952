/**
 * The coordinator decides which node should own each vnode and each index shard. Every node tries to hold the
 * coordinator lease; one succeeds. If this node stops renewing the lease, another node takes it with the next
 * epoch, and plans of the former coordinator are refused.
 *
 *   free or expired --acquire--> held, epoch + 1 --acquire by the holder--> held, same epoch
 *
 * The lease is a row, not an advisory lock: a process that hangs would keep an advisory lock as long as its
 * connection is open.
 */
import { GyreError } from '../base/mod.ts';
import type { ClusterDatabase, Transaction } from './database.ts';
import { type LeasedTable, SHARD_TABLE, VNODE_TABLE } from './leased-tables.ts';
import { inTransaction } from './transaction.ts';
import { assignVnodes, type WeightedNode } from './vnode-assignment.ts';

export const COORDINATOR_LEASE_MS = 5_000;
const PLAN_CHANNEL = 'gyre_plan';

export class Coordinator {
  readonly #sql: ClusterDatabase;
  readonly #node: string;
  readonly #leaseMs: number;

  constructor(sql: ClusterDatabase, node: string, { leaseMs = COORDINATOR_LEASE_MS } = {}) {
    this.#sql = sql;
    this.#node = node;
    this.#leaseMs = leaseMs;
  }

  /** Takes or renews the lease. Returns its epoch; null if another node holds the lease. */
  async acquire(): Promise<number | null> {
    const [row] = await this.#sql<{ epoch: number }[]>`
      update gyre.coordinator
      set node = ${this.#node}, lease_until = clock_timestamp() + ${this.#leaseMs} * interval '1 ms',
        epoch = case when node = ${this.#node} and lease_until > clock_timestamp() then epoch else epoch + 1 end
      where node = ${this.#node} or lease_until <= clock_timestamp()
      returning epoch`;
    return row?.epoch ?? null;
  }

  /** Gives the lease back, so that another node can take it at once. */
  async release(epoch: number): Promise<void> {
    await this.#sql`update gyre.coordinator set node = null, lease_until = '-infinity'
      where node = ${this.#node} and epoch = ${epoch}`;
  }

  /**
   * Assigns all vnodes to the live crawl nodes, and all shards to the live index nodes. Returns the number of
   * vnodes and shards that move. Rejects with the error `stale-epoch` if `epoch` is no longer the epoch of the
   * lease.
   */
  async plan(epoch: number): Promise<number> {
    return await inTransaction(this.#sql, async (tx) => {
      const [lease] = await tx`select 1 from gyre.coordinator
        where node = ${this.#node} and epoch = ${epoch} for share`;
      if (!lease)
        throw new GyreError(
          'stale-epoch',
          `${this.#node} no longer holds epoch ${epoch} of the coordinator lease`,
        );
      const moved = (await planTable(tx, VNODE_TABLE)) + (await planTable(tx, SHARD_TABLE));
      if (moved > 0) await tx`select pg_notify(${PLAN_CHANNEL}, ${String(epoch)})`;
      return moved;
    });
  }
}

/** Divides the rows of a table among the live nodes of its role. Returns the number of rows that move. */
async function planTable(tx: Transaction, { table, key, role }: LeasedTable): Promise<number> {
  const nodes = await tx<WeightedNode[]>`select node, weight from gyre.nodes
    where ${role} = any(roles) and lease_until > clock_timestamp() order by node`;
  const rows = await tx<{ number: number; wanted: string | null }[]>`
    select ${tx.unsafe(key)} as number, wanted from ${tx.unsafe(table)} order by 1 for update`;
  const current = rows.map(({ wanted }) => wanted);
  const next = assignVnodes(current, nodes);
  const moved = rows.filter((_, index) => next[index] !== current[index]).map(({ number }) => number);
  if (moved.length === 0) return 0;
  const planned = moved.map((number) => next[rows.findIndex((row) => row.number === number)]!);
  await tx`update ${tx.unsafe(table)} t set wanted = plan.node
    from unnest(${moved}::int[], ${planned}::text[]) as plan (number, node)
    where t.${tx.unsafe(key)} = plan.number`;
  return moved.length;
}
