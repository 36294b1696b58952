/**
 * A search node: has the shards that are placed on it, and answers requests about them.
 *
 * A shard that is placed elsewhere now is kept until all nodes on which it is placed have it open, so that a
 * shard never loses replicas because it moves. A node that is about to stop first reports that it has no
 * shards, so that gateways ask other nodes. It still answers the requests that arrive in the meantime.
 */
import type { BlobStore, Directory, Log } from '../../base/mod.ts';
import { CachedSegments, type CacheSpace, EMPTY_MANIFEST, type ManifestStore } from '../../index/mod.ts';
import type { ShardState } from '../../query/mod.ts';
import { IndexCopy } from './index-copy.ts';
import type { NodeStates } from './node-connection.ts';
import type { SearchMember, SearchNodes } from './search-nodes.ts';
import { placeShard } from './shard-placement.ts';
import type { RequestHead } from './shard-responder.ts';
import type { ServedShards } from './shard-server.ts';
import type { ShardThreads } from './shard-threads.ts';

interface SearchNodeOptions {
  node: string;
  /** The names of all shards of the index. */
  shards: readonly string[];
  /** The number of nodes that each shard is on. */
  replicas: number;
  manifestsOf(shard: string): ManifestStore;
  blobsOf(shard: string): BlobStore;
  /** The directory with a subdirectory for each shard. Its files are copies. */
  directory: Directory;
  space: CacheSpace;
  threads: ShardThreads;
  /** The other search nodes. */
  others: SearchNodes;
  log: Log;
}

interface HeldShard {
  cache: CachedSegments;
  copy: IndexCopy;
  /** Null until the readers have opened the index. */
  state: ShardState | null;
}

export class SearchNode implements ServedShards {
  readonly #options: SearchNodeOptions;
  readonly #held = new Map<string, HeldShard>();
  #isDraining = false;

  constructor(options: SearchNodeOptions) {
    this.#options = options;
  }

  states(): NodeStates {
    const shards = new Map<string, ShardState>();
    if (!this.#isDraining) for (const [name, { state }] of this.#held) if (state) shards.set(name, state);
    return { node: this.#options.node, shards };
  }

  respond(head: RequestHead, parts: readonly Buffer[]): Promise<Buffer[]> {
    return this.#options.threads.respond(head, parts);
  }

  /** Opens the shards that are placed on this node, and drops the shards that other nodes have taken over. */
  async place(members: readonly SearchMember[]): Promise<void> {
    const { node, shards, replicas, others } = this.#options;
    for (const shard of shards) {
      const placed = placeShard(shard, members, replicas);
      if (placed.includes(node)) this.#hold(shard);
      else if (placed.length > 0 && placed.every((other) => others.holdersOf(shard).includes(other)))
        await this.#drop(shard);
    }
  }

  /** Fetches the damaged files of a shard again. */
  repair(shard: string): void {
    this.#held.get(shard)?.copy.repair();
  }

  /** Makes gateways ask other nodes. */
  drain(): void {
    this.#isDraining = true;
  }

  async close(): Promise<void> {
    this.drain();
    await Promise.all([...this.#held.values()].map(({ copy }) => copy.close()));
  }

  #hold(shard: string): void {
    if (this.#held.has(shard)) return;
    const { manifestsOf, blobsOf, threads, space, log } = this.#options;
    const directory = this.#options.directory.directory(shard);
    const onChange = async (isRepaired: boolean) => {
      held.state = await threads.open(shard, directory.path, isRepaired);
      log.info('shard opened', { shard, generation: held.state.generation, docs: held.state.docCount });
    };
    const cache = new CachedSegments(blobsOf(shard), directory, { log, space });
    const held: HeldShard = {
      cache,
      copy: new IndexCopy({ shard, manifests: manifestsOf(shard), cache, log, onChange }),
      state: null,
    };
    this.#held.set(shard, held);
  }

  async #drop(shard: string): Promise<void> {
    const held = this.#held.get(shard);
    if (!held) return;
    this.#held.delete(shard);
    await held.copy.close();
    await this.#options.threads.drop(shard);
    await held.cache.evict(EMPTY_MANIFEST);
    this.#options.log.info('shard dropped', { shard });
  }
}
