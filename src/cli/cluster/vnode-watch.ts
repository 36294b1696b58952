/**
 * The vnodes that a crawl node may send requests for, and until when.
 *
 * A node that was suspended for longer than its lease has lost its vnodes, but does not know this when it
 * continues. So every permission to send requests ends with the lease that was valid when the database last
 * confirmed the vnodes.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Membership, OwnedVnode, VnodeOwner } from '../../cluster/mod.ts';

/**
 * The maximum time to wait until all planned vnodes are free. After that, the vnodes that are already free are
 * claimed.
 */
const GATHER_MS = 3_000;

/** The reason why the crawl must stop and start again with other vnodes; `none` if it may continue. */
export type VnodeChange = 'none' | 'lost' | 'unwanted' | 'free';

export class VnodeWatch {
  readonly #membership: Membership;
  readonly #owner: VnodeOwner;
  readonly held: readonly OwnedVnode[];
  #safeUntilMs = Number.NEGATIVE_INFINITY;
  #freeSinceMs: number | null = null;

  constructor(membership: Membership, owner: VnodeOwner, held: readonly OwnedVnode[]) {
    this.#membership = membership;
    this.#owner = owner;
    this.held = held;
  }

  /** Returns true while it is certain that no other node has claimed one of the vnodes. */
  mayFetch(): boolean {
    return performance.now() < this.#safeUntilMs;
  }

  /** Ends the permission to send requests. */
  suspend(): void {
    this.#safeUntilMs = Number.NEGATIVE_INFINITY;
  }

  /**
   * Compares the vnodes with the database, and extends the permission to send requests if this node still owns
   * all of them.
   */
  async check(): Promise<VnodeChange> {
    const leaseEndMs = this.#membership.heldUntilMs;
    const owned = await this.#owner.owned();
    if (!isDeepStrictEqual(owned, [...this.held])) return 'lost';
    this.#safeUntilMs = leaseEndMs;
    if ((await this.#owner.unwanted()).length > 0) return 'unwanted';
    return (await this.#shouldClaim()) ? 'free' : 'none';
  }

  /**
   * Returns true if all planned vnodes are free, or if some of them have been free for GATHER_MS. Vnodes are
   * claimed together if possible, because each claim interrupts the crawl.
   */
  async #shouldClaim(): Promise<boolean> {
    const { count, free } = await this.#owner.missing();
    if (free === 0) {
      this.#freeSinceMs = null;
      return false;
    }
    this.#freeSinceMs ??= performance.now();
    return free === count || performance.now() - this.#freeSinceMs >= GATHER_MS;
  }
}
