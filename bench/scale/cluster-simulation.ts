/**
 * Simulates crawl nodes that own vnodes, in virtual time: events happen at computed moments, and the program
 * never waits. It uses the assignment of the real cluster (`vnode-assignment.ts`) and its rules: leases of
 * members and of the coordinator, and the claim of a vnode of a dead node one politeness delay after its lease
 * (`coordinator.ts`, `vnode-owner.ts`).
 *
 *     node       every second: renews its lease, claims its vnodes, releases vnodes of others after their last request
 *   coordinator every second: assigns the vnodes to the live nodes
 *   links      every second: each node sends links to all vnodes; the owner of a vnode commits the links in its queue
 */
import { Heap, Random } from '../../src/base/mod.ts';
import { COORDINATOR_LEASE_MS } from '../../src/cluster/coordinator.ts';
import { MEMBER_LEASE_MS } from '../../src/cluster/membership.ts';
import { assignVnodes } from '../../src/cluster/vnode-assignment.ts';

export interface SimulationOptions {
  nodes: number;
  vnodes: number;
  seed: number;
  /** `delayMs` is the longest politeness delay of the crawl, and `requestMs` the longest time of a request. */
  delayMs: number;
  requestMs: number;
  /**
   * The number of new links that one node finds per second, and the number of links that a node can commit per
   * second.
   */
  linksPerSecond: number;
  committedPerSecond: number;
  /** Nodes stop crawling while the queues hold more links than this. */
  maxQueued: number;
}

export interface SimulationResult {
  idleNodes: number;
  /**
   * The number of vnodes of the node with the most vnodes, divided by the mean of all nodes that have vnodes.
   */
  largestLoad: number;
  /**
   * The share of all vnodes that move when one node joins. The next field is the share that moves when one node
   * leaves.
   */
  movedByJoin: number;
  movedByLeave: number;
  /** The time until the vnodes of killed nodes have new owners, in seconds. */
  recoveryMedian: number;
  recoveryLargest: number;
  /** The time without a coordinator after it was killed, in seconds. */
  coordinatorGap: number;
  /**
   * The maximum number of links in the queue of one vnode during the recovery. The next field is the time until
   * all queues are empty.
   */
  deepestQueue: number;
  drainSeconds: number;
  /** The number of seconds in which the crawl was stopped because the queues were full. */
  pausedSeconds: number;
  /** True if a vnode had two live owners at once, which must never happen. */
  hadTwoOwners: boolean;
}

const TICK_MS = 1_000;
const SETTLE_MS = 30_000;
const AFTER_KILL_MS = 90_000;
/** The share of the nodes that are killed at once. */
const KILLED = 0.01;

interface Node {
  name: string;
  isAlive: boolean;
  leaseUntil: number;
}

interface Vnode {
  owner: Node | null;
  wanted: string | null;
  /**
   * The time at which the present owner has finished its requests and releases the vnode; 0 if the owner keeps
   * it.
   */
  releaseAt: number;
  queued: number;
  /** The time at which the vnode lost its owner because the node was killed. */
  lostAt: number;
}

export function simulateCluster(options: SimulationOptions): SimulationResult {
  return new Simulation(options).run();
}

class Simulation {
  readonly #options: SimulationOptions;
  readonly #random: Random;
  readonly #events = new Heap<{ at: number; run: () => void }>((a, b) => a.at < b.at);
  readonly #nodes: Node[] = [];
  readonly #vnodes: Vnode[];
  /** The vnodes that are planned for each node. The next table has the vnodes that another node still owns. */
  #wantedBy = new Map<string | null, Vnode[]>();
  #unwanted: Vnode[] = [];
  #liveAtPlan = '';
  #nowMs = 0;
  #coordinator: { node: Node; until: number } | null = null;
  #lastPlanMs = 0;
  #coordinatorGap = 0;
  #recoveries: number[] = [];
  #deepest = 0;
  #emptySince = 0;
  #pausedSeconds = 0;
  #hadTwoOwners = false;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#random = new Random(options.seed);
    const empty = { owner: null, wanted: null, releaseAt: 0, queued: 0, lostAt: 0 };
    this.#vnodes = Array.from({ length: options.vnodes }, () => ({ ...empty }));
  }

  run(): SimulationResult {
    for (let number = 0; number < this.#options.nodes; number++) this.#join();
    this.#every(() => {
      this.#moveLinks();
      return true;
    });
    this.#runUntil(SETTLE_MS);
    const loads = this.#loads();
    const movedByJoin = this.#movedBy(() => this.#join());
    this.#runUntil(this.#nowMs + SETTLE_MS);
    const movedByLeave = this.#movedBy(() =>
      this.#kill(this.#nodes.find((node) => node !== this.#coordinator?.node)!),
    );
    this.#runUntil(this.#nowMs + SETTLE_MS);
    this.#recoveries = [];
    this.#deepest = 0;
    this.#killSome();
    const killedAt = this.#nowMs;
    this.#runUntil(this.#nowMs + AFTER_KILL_MS);
    const recoveries = this.#recoveries.toSorted((a, b) => a - b);
    return {
      idleNodes: loads.filter((load) => load === 0).length,
      largestLoad: Math.max(...loads) / (this.#vnodes.length / loads.filter((load) => load > 0).length),
      ...{ movedByJoin, movedByLeave },
      recoveryMedian: (recoveries[Math.floor(recoveries.length / 2)] ?? 0) / 1000,
      recoveryLargest: (recoveries.at(-1) ?? 0) / 1000,
      coordinatorGap: this.#coordinatorGap / 1000,
      deepestQueue: this.#deepest,
      drainSeconds: Math.max(0, this.#emptySince - killedAt) / 1000,
      pausedSeconds: this.#pausedSeconds,
      hadTwoOwners: this.#hadTwoOwners,
    };
  }

  #at(at: number, run: () => void): void {
    this.#events.push({ at, run });
  }

  /** Calls `run` every second, beginning at a random moment, until it returns false. */
  #every(run: () => boolean): void {
    const again = () => {
      if (run()) this.#at(this.#nowMs + TICK_MS, again);
    };
    this.#at(this.#nowMs + this.#random.below(TICK_MS), again);
  }

  #runUntil(endMs: number): void {
    for (let next = this.#events.peek(); next && next.at <= endMs; next = this.#events.peek()) {
      this.#events.pop();
      this.#nowMs = next.at;
      next.run();
    }
    this.#nowMs = endMs;
  }

  #join(): void {
    const node = { name: `node-${this.#nodes.length}`, isAlive: true, leaseUntil: 0 };
    this.#nodes.push(node);
    this.#every(() => {
      if (!node.isAlive) return false;
      node.leaseUntil = this.#nowMs + MEMBER_LEASE_MS;
      this.#coordinate(node);
      this.#releaseAndClaim(node);
      return true;
    });
  }

  #kill(node: Node): void {
    node.isAlive = false;
    for (const vnode of this.#vnodes) if (vnode.owner === node) vnode.lostAt = this.#nowMs;
  }

  /** Kills some nodes at once, including the coordinator. */
  #killSome(): void {
    const alive = this.#nodes.filter((node) => node.isAlive && node !== this.#coordinator!.node);
    this.#kill(this.#coordinator!.node);
    for (let count = Math.ceil(this.#nodes.length * KILLED); count > 0; count--)
      this.#kill(alive.splice(this.#random.below(alive.length), 1)[0]!);
  }

  #coordinate(node: Node): void {
    if (this.#coordinator && this.#coordinator.node !== node && this.#coordinator.until > this.#nowMs) return;
    this.#coordinator = { node, until: this.#nowMs + COORDINATOR_LEASE_MS };
    if (this.#lastPlanMs > 0)
      this.#coordinatorGap = Math.max(this.#coordinatorGap, this.#nowMs - this.#lastPlanMs);
    this.#lastPlanMs = this.#nowMs;
    const live = this.#nodes.filter(({ leaseUntil }) => leaseUntil > this.#nowMs);
    const names = live.map(({ name }) => name).join(' ');
    if (names !== this.#liveAtPlan) this.#plan(live);
    this.#liveAtPlan = names;
  }

  #plan(live: readonly Node[]): void {
    const weighted = live.map(({ name }) => ({ node: name, weight: 1 }));
    const current = this.#vnodes.map(({ wanted }) => wanted);
    assignVnodes(current, weighted).forEach((wanted, vnode) => {
      this.#vnodes[vnode]!.wanted = wanted;
    });
    this.#wantedBy = Map.groupBy(this.#vnodes, ({ wanted }) => wanted);
    this.#unwanted = this.#vnodes.filter(({ owner, wanted }) => owner !== null && owner.name !== wanted);
  }

  #releaseAndClaim(node: Node): void {
    for (const vnode of this.#unwanted)
      if (vnode.owner === node && vnode.wanted !== node.name) this.#release(vnode);
    for (const vnode of this.#wantedBy.get(node.name) ?? []) {
      if (vnode.owner === node || !this.#isFree(vnode)) continue;
      if (vnode.owner?.isAlive) this.#hadTwoOwners = true;
      if (vnode.lostAt > 0) this.#recoveries.push(this.#nowMs - vnode.lostAt);
      Object.assign(vnode, { owner: node, lostAt: 0, releaseAt: 0 });
    }
  }

  #release(vnode: Vnode): void {
    if (vnode.releaseAt === 0) vnode.releaseAt = this.#nowMs + this.#random.below(this.#options.requestMs);
    if (vnode.releaseAt > this.#nowMs) return;
    vnode.owner = null;
    vnode.releaseAt = 0;
  }

  #isFree({ owner }: Vnode): boolean {
    return owner === null || owner.leaseUntil + this.#options.delayMs <= this.#nowMs;
  }

  #moveLinks(): void {
    const { linksPerSecond, committedPerSecond, maxQueued } = this.#options;
    const crawling = this.#vnodes.filter(({ owner }) => owner?.isAlive);
    const queued = this.#vnodes.reduce((sum, vnode) => sum + vnode.queued, 0);
    const isPaused = queued > maxQueued;
    if (isPaused) this.#pausedSeconds++;
    const crawlers = new Set(crawling.map(({ owner }) => owner)).size;
    const arriving = isPaused ? 0 : (crawlers * linksPerSecond) / this.#vnodes.length;
    for (const vnode of this.#vnodes) {
      vnode.queued += arriving;
      this.#deepest = Math.max(this.#deepest, vnode.queued);
    }
    const loads = Map.groupBy(crawling, ({ owner }) => owner);
    for (const vnodes of loads.values()) {
      for (const vnode of vnodes)
        vnode.queued = Math.max(0, vnode.queued - committedPerSecond / vnodes.length);
    }
    if (this.#vnodes.some((vnode) => vnode.queued > 2 * arriving)) this.#emptySince = this.#nowMs + TICK_MS;
  }

  #movedBy(change: () => void): number {
    const before = this.#vnodes.map(({ wanted }) => wanted);
    change();
    this.#runUntil(this.#nowMs + MEMBER_LEASE_MS + 3 * TICK_MS);
    return this.#vnodes.filter(({ wanted }, vnode) => wanted !== before[vnode]).length / before.length;
  }

  #loads(): number[] {
    const counts = new Map<string, number>();
    for (const { owner } of this.#vnodes)
      if (owner) counts.set(owner.name, (counts.get(owner.name) ?? 0) + 1);
    return this.#nodes.map(({ name }) => counts.get(name) ?? 0);
  }
}
