/**
 * The live search nodes, and the replicas of shards that they have open.
 *
 *   members of the cluster -> nodes -> polled twice a second -> replicas
 *
 * A gateway does not compute where shards are: it asks the nodes. Therefore it also finds a shard that is
 * moving from one node to another. The list of members says only which addresses to poll. A node that answers
 * is used although its lease has expired, because searching needs no lease; gateways continue to work while
 * PostgreSQL is away.
 *
 * A node that fails is not used until it answers a poll. A node that does not answer a poll within DEAD_MS is dead, and
 * the calls to it are given up.
 */
import { type Log, messageOf, sleep } from '../../base/mod.ts';
import { NodeConnection, ReplicaError } from './node-connection.ts';
import { RemoteShard } from './remote-shard.ts';

const POLL_MS = 500;
const DEAD_MS = 3_000;

export interface SearchMember {
  node: string;
  address: string;
  weight: number;
}

interface WatchedNode {
  member: SearchMember;
  connection: NodeConnection;
  replicas: ReadonlyMap<string, RemoteShard>;
  /** True after the node has answered a poll, until a call to it fails. */
  isUsable: boolean;
  ending: AbortController;
  /** Ends the pause before the next poll. */
  pollNow: AbortController;
}

export class SearchNodes {
  readonly #key: Buffer;
  readonly #log: Log;
  readonly #pollMs: number;
  readonly #nodes = new Map<string, WatchedNode>();

  constructor(key: Buffer, log: Log, { pollMs = POLL_MS } = {}) {
    this.#key = key;
    this.#log = log;
    this.#pollMs = pollMs;
  }

  /** Sets the list of members. Resolves when every new node has been polled once. */
  async update(members: readonly SearchMember[]): Promise<void> {
    const known = new Set(members.map(keyOf));
    for (const [key, watched] of this.#nodes)
      if (!known.has(key) && !watched.isUsable) void this.#forget(key, watched);
    const added = members.filter((member) => !this.#nodes.has(keyOf(member)));
    await Promise.all(added.map((member) => this.#watch(member)));
  }

  /** Returns the usable replicas of a shard, in the order of their nodes. */
  replicasOf(shard: string): RemoteShard[] {
    const replicas: RemoteShard[] = [];
    for (const { isUsable, replicas: own } of this.#nodes.values()) {
      const replica = isUsable ? own.get(shard) : undefined;
      if (replica) replicas.push(replica);
    }
    return replicas;
  }

  /** Returns the names of the usable nodes that have a shard open. */
  holdersOf(shard: string): string[] {
    const nodes = [...this.#nodes.values()];
    return nodes.flatMap(({ isUsable, replicas, member }) =>
      isUsable && replicas.has(shard) ? [member.node] : [],
    );
  }

  /** Reports that a call to a replica has failed. Its node is not used until it answers a poll. */
  failed({ connection }: RemoteShard, error: unknown): void {
    for (const watched of this.#nodes.values()) {
      if (watched.connection !== connection || !watched.isUsable) continue;
      this.#lose(watched, error);
      watched.pollNow.abort();
    }
  }

  async close(): Promise<void> {
    const closing = [...this.#nodes].map(([key, watched]) => this.#forget(key, watched));
    await Promise.all(closing);
  }

  async #watch(member: SearchMember): Promise<void> {
    const watched: WatchedNode = {
      member,
      connection: new NodeConnection(member.address, this.#key),
      replicas: new Map(),
      isUsable: false,
      ending: new AbortController(),
      pollNow: new AbortController(),
    };
    this.#nodes.set(keyOf(member), watched);
    await this.#poll(watched);
    void this.#pollOn(watched);
  }

  async #pollOn(watched: WatchedNode): Promise<void> {
    const { signal } = watched.ending;
    while (!signal.aborted) {
      await sleep(this.#pollMs, AbortSignal.any([signal, watched.pollNow.signal]));
      watched.pollNow = new AbortController();
      if (!signal.aborted) await this.#poll(watched);
    }
  }

  async #poll(watched: WatchedNode): Promise<void> {
    try {
      const { node, shards } = await watched.connection.states(DEAD_MS);
      if (node !== watched.member.node)
        throw new ReplicaError('other-node', `its address belongs to ${node}`);
      const replicas = new Map<string, RemoteShard>();
      for (const [name, state] of shards) {
        const replica = watched.replicas.get(name) ?? new RemoteShard(watched.connection, name, state);
        replica.changed(state);
        replicas.set(name, replica);
      }
      watched.replicas = replicas;
      watched.isUsable = true;
    } catch (error) {
      if (watched.ending.signal.aborted) return;
      watched.connection.abortCalls();
      this.#lose(watched, error);
    }
  }

  #lose(watched: WatchedNode, error: unknown): void {
    if (watched.isUsable)
      this.#log.warn('search node lost', { node: watched.member.node, reason: messageOf(error) });
    watched.isUsable = false;
  }

  async #forget(key: string, watched: WatchedNode): Promise<void> {
    this.#nodes.delete(key);
    watched.ending.abort();
    await watched.connection.close();
  }
}

/**
 * Returns the key of a node: its name and its address. A node that is started again has another name or
 * address, and counts as another node.
 */
function keyOf({ node, address }: SearchMember): string {
  return `${node} ${address}`;
}
