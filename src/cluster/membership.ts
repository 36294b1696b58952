/**
 * The membership of one node. A node joins with its roles and weight, renews its lease, and leaves. A node whose
 * lease has expired is dead for the others: the coordinator gives its vnodes to other nodes.
 */
import type { ClusterDatabase } from './database.ts';
import { ServiceError } from './service-error.ts';

interface Member {
  /** A name that no other process uses, also not a later process on the same machine. */
  node: string;
  roles: readonly string[];
  weight: number;
  /** The version of Gyre, for `gyre status`. */
  version?: string;
}

/** The time after which a node that does not renew its lease counts as dead. */
export const MEMBER_LEASE_MS = 6_000;

export class Membership {
  readonly node: string;
  readonly #sql: ClusterDatabase;
  readonly #member: Member;
  readonly #leaseMs: number;
  #hasJoined = false;
  /** The end of the lease by the monotonic clock of this process. */
  #heldUntilMs = Number.NEGATIVE_INFINITY;

  constructor(sql: ClusterDatabase, member: Member, { leaseMs = MEMBER_LEASE_MS } = {}) {
    this.node = member.node;
    this.#sql = sql;
    this.#member = member;
    this.#leaseMs = leaseMs;
  }

  /**
   * Joins the cluster, or renews the lease of this node. Rejects with `member-removed` if the node was dead for so long
   * that its row was removed (control/dead-nodes.ts): the process must end, because its name is no longer its own.
   */
  async renew(): Promise<void> {
    // The lease counts from before the request, so this process never believes in a lease that has expired.
    const startMs = performance.now();
    if (!this.#hasJoined) await this.#join();
    else if (!(await this.#extend())) throw this.#removed();
    this.#hasJoined = true;
    this.#heldUntilMs = startMs + this.#leaseMs;
  }

  async #join(): Promise<void> {
    const { node, roles, weight, version = null } = this.#member;
    await this.#sql`
      insert into gyre.nodes (node, roles, weight, version, lease_until)
      values (${node}, ${[...roles]}, ${weight}, ${version}, clock_timestamp() + ${this.#leaseMs} * interval '1 ms')
      on conflict (node) do update set lease_until = excluded.lease_until`;
  }

  async #extend(): Promise<boolean> {
    const renewed = await this.#sql`
      update gyre.nodes set lease_until = clock_timestamp() + ${this.#leaseMs} * interval '1 ms'
      where node = ${this.node} returning node`;
    return renewed.length > 0;
  }

  #removed(): ServiceError {
    const message = `the cluster has removed the node ${this.node}, because it did not renew its lease for too long: expected a renewal every second; start the node again, it then gets a new name`;
    return new ServiceError('member-removed', 'postgresql', false, message);
  }

  /** The end of the lease, by `performance.now()`. */
  get heldUntilMs(): number {
    return this.#heldUntilMs;
  }

  /** Returns true if the lease has certainly not expired. A crawl node sends requests only then. */
  isHeld(): boolean {
    return performance.now() < this.#heldUntilMs;
  }

  /**
   * Leaves the cluster. The node must have released its vnodes; otherwise other nodes take them at once,
   * although its last requests may still be in flight.
   */
  async leave(): Promise<void> {
    this.#heldUntilMs = Number.NEGATIVE_INFINITY;
    await this.#sql`delete from gyre.nodes where node = ${this.node}`;
  }
}
