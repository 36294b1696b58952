/**
 * The vnodes of one crawl node. The coordinator plans who should own a vnode (`wanted`); the owner changes only
 * by release and claim:
 *
 *   owned by A --A releases--------------------------+
 *   owned by A --A's lease expires, then one delay---+--> claimed by B with the next epoch
 *
 * A releases a vnode when none of its requests is in flight. If A has died, its last request may have been sent
 * just before its lease expired, so B waits one politeness delay longer.
 *
 * Fencing: every write runs in a transaction that holds the row of its vnode with the expected epoch. A claim
 * changes the epoch, so it waits for writes in progress, and writes with an older epoch are refused afterwards.
 */
import { GyreError } from '../base/mod.ts';
import type { ClusterDatabase, Transaction } from './database.ts';
import { type LeasedTable, VNODE_TABLE } from './leased-tables.ts';
import { inTransaction } from './transaction.ts';

export interface OwnedVnode {
  vnode: number;
  epoch: number;
}

/** Maximum number of vnodes that an error message names. */
const MAX_NAMED = 5;

export class VnodeOwner {
  readonly #sql: ClusterDatabase;
  readonly node: string;
  readonly #delayMs: number;
  readonly #table: string;
  readonly #key: string;

  /**
   * `delayMs` is the longest politeness delay of the crawl. With `SHARD_TABLE`, this is the owner of index shards, and
   * `vnode` is the number of a shard.
   */
  constructor(sql: ClusterDatabase, node: string, delayMs: number, leased: LeasedTable = VNODE_TABLE) {
    this.#sql = sql;
    this.node = node;
    this.#delayMs = delayMs;
    this.#table = leased.table;
    this.#key = leased.key;
  }

  /**
   * Claims the vnodes that are planned for this node and are free. Returns the vnodes that were claimed, in
   * order.
   */
  async claim(): Promise<OwnedVnode[]> {
    const claimed = await this.#sql<OwnedVnode[]>`
      with ready as (
        select v.${this.#name(this.#key)} as vnode from ${this.#name(this.#table)} v
        where ${this.#isMissing()} and ${this.#isFree()}
          and exists (select from gyre.nodes n where n.node = ${this.node} and n.lease_until > clock_timestamp())
        order by 1 for update
      )
      update ${this.#name(this.#table)} v set owner = ${this.node}, epoch = epoch + 1
      from ready where v.${this.#name(this.#key)} = ready.vnode returning ready.vnode, v.epoch`;
    return [...claimed].sort((a, b) => a.vnode - b.vnode);
  }

  /** Returns the number of vnodes that are planned for this node and not owned by it, and how many of them are free. */
  async missing(): Promise<{ count: number; free: number }> {
    const [row] = await this.#sql<{ count: number; free: number }[]>`
      select count(*)::int as count, count(*) filter (where ${this.#isFree()})::int as free
      from ${this.#name(this.#table)} v where ${this.#isMissing()}`;
    return row!;
  }

  /** Returns the vnodes that this node owns, in order. */
  async owned(): Promise<OwnedVnode[]> {
    return [
      ...(await this.#sql<OwnedVnode[]>`
        select ${this.#name(this.#key)} as vnode, epoch from ${this.#name(this.#table)}
        where owner = ${this.node} order by 1`),
    ];
  }

  /** Returns the vnodes that this node owns but another node should own. The caller finishes and releases them. */
  async unwanted(): Promise<OwnedVnode[]> {
    return [
      ...(await this.#sql<OwnedVnode[]>`
        select ${this.#name(this.#key)} as vnode, epoch from ${this.#name(this.#table)}
        where owner = ${this.node} and wanted is distinct from ${this.node} order by 1`),
    ];
  }

  /** Releases vnodes. A vnode that was claimed by another node in the meantime is not changed. */
  async release(vnodes: readonly OwnedVnode[]): Promise<void> {
    await this.#sql`update ${this.#name(this.#table)} v set owner = null from ${this.#rows(vnodes)}
      where v.${this.#name(this.#key)} = held.vnode and v.epoch = held.epoch and v.owner = ${this.node}`;
  }

  /**
   * Runs `write` in a transaction that commits only if this node owns all `vnodes` with the given epochs.
   * Otherwise rejects with the error `stale-epoch`, and nothing is written.
   */
  async write<T>(vnodes: readonly OwnedVnode[], write: (tx: Transaction) => Promise<T>): Promise<T> {
    return await inTransaction(this.#sql, async (tx) => {
      const owned = await tx<{ vnode: number }[]>`
        select held.vnode from ${this.#name(this.#table)} v
        join ${this.#rows(vnodes)} on v.${this.#name(this.#key)} = held.vnode
        where v.epoch = held.epoch and v.owner = ${this.node} order by held.vnode for share of v`;
      if (owned.length < vnodes.length) throw this.#refusal(vnodes, new Set(owned.map(({ vnode }) => vnode)));
      return await write(tx);
    });
  }

  /** Returns the SQL condition for a vnode that is planned for this node but not owned by it. */
  #isMissing() {
    return this.#sql`v.wanted = ${this.node} and v.owner is distinct from ${this.node}`;
  }

  /**
   * Returns the SQL condition for a vnode that has no owner, or whose owner's lease expired at least one
   * politeness delay ago.
   */
  #isFree() {
    return this.#sql`not exists (select from gyre.nodes n where n.node = v.owner
      and n.lease_until + ${this.#delayMs} * interval '1 ms' > clock_timestamp())`;
  }

  /** Returns the name of a table or column as a part of a statement. */
  #name(name: string) {
    return this.#sql.unsafe(name);
  }

  #rows(vnodes: readonly OwnedVnode[]) {
    const numbers = vnodes.map(({ vnode }) => vnode);
    const epochs = vnodes.map(({ epoch }) => epoch);
    return this.#sql`unnest(${numbers}::int[], ${epochs}::int[]) as held (vnode, epoch)`;
  }

  #refusal(vnodes: readonly OwnedVnode[], owned: ReadonlySet<number>): GyreError {
    const lost = vnodes.filter(({ vnode }) => !owned.has(vnode));
    const named = lost.slice(0, MAX_NAMED).map(({ vnode, epoch }) => `${vnode} (epoch ${epoch})`);
    if (lost.length > MAX_NAMED) named.push(`${lost.length - MAX_NAMED} more`);
    const list = named.join(', ');
    const message = `${this.node} no longer owns ${this.#key} ${list}: the write was refused`;
    return new GyreError('stale-epoch', message);
  }
}
