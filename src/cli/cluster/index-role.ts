/**
 * The role `index`: indexes the journal for the shards that the coordinator plans for this node, and applies
 * the newest ranking to them. A shard has one owner at a time. If a former owner publishes after it has lost
 * the shard, its version is refused.
 *
 * A shard with an object that is damaged or missing is closed and tried again later. Its problem is stored, `gyre status`
 * shows it, and the other shards continue.
 */
import { GyreError, messageOf, sleep, systemCode } from '../../base/mod.ts';
import {
  explainDatabaseError,
  JournalFeed,
  type OwnedVnode,
  ServiceError,
  SHARD_TABLE,
  storeShardProblem,
  VnodeOwner,
} from '../../cluster/mod.ts';
import { NewestRanks } from './newest-ranks.ts';
import type { NodeContext, NodeRole } from './node-role.ts';
import { ShardIndexer } from './shard-indexer.ts';
import { ShardVectors } from './shard-vectors.ts';

/**
 * The time between two updates. Each update writes one segment per shard, so shorter intervals would make many
 * small segments.
 */
const UPDATE_MS = 1_000;
/** The number of new batches after which the next update follows at once. */
const BACKLOG = 64;
/** Codes of errors after which the shards are opened again, in the version that is then published. */
const PASSING = new Set(['stale-epoch', 'index-changed']);
/** Codes of errors of a single shard: an object of its index is damaged or missing. */
const DAMAGED = new Set(['no-blob', 'object-damaged', 'corrupt-file']);
/** The time after which a damaged shard is opened again. */
const RETRY_MS = 5_000;

export const indexRole: NodeRole = {
  async run(context) {
    const { database, directory, node, signal, log } = context;
    const journal = await context.openBlobs('journal/');
    const feed = new JournalFeed(database, journal, directory.directory('journal'), { log });
    const ranks = await NewestRanks.open(context, 'newest-ranks');
    const vectors = await ShardVectors.open(context.config, log, signal);
    const owner = new VnodeOwner(database, node, 0, SHARD_TABLE);
    const shards = new OwnedShards({ context, owner, feed, ranks, vectors });
    context.health.set('index', {
      notReady: () => null,
      gauges: () => [
        { name: 'gyre_indexer_shards', help: 'Shards that the node indexes.', value: shards.counts.shards },
        {
          name: 'gyre_indexer_documents',
          help: 'Live documents of the shards that the node indexes.',
          value: shards.counts.documents,
        },
        {
          name: 'gyre_indexer_batches_total',
          help: 'Batches of captures that were indexed, for each shard.',
          value: shards.counts.batches,
        },
      ],
    });
    try {
      while (!signal.aborted) {
        const batches = await shards.update().catch(async (error: unknown) => {
          if (!isPassing(error) && !signal.aborted) throw error;
          log.warn('indexing interrupted', { reason: messageOf(error) });
          await shards.close();
          return 0;
        });
        if (batches < BACKLOG) await sleep(UPDATE_MS, signal);
      }
    } finally {
      await vectors?.close();
      await shards.close();
      ranks.close();
      await shards.release();
    }
  },
};

/** Data and services that the shards of a node share. */
interface SharedSources {
  context: NodeContext;
  owner: VnodeOwner;
  feed: JournalFeed;
  ranks: NewestRanks;
  vectors: ShardVectors | null;
}

/** The shards that this node owns, each with an open indexer. */
class OwnedShards {
  readonly #sources: SharedSources;
  readonly #owner: VnodeOwner;
  readonly #feed: JournalFeed;
  #indexers: ShardIndexer[] = [];
  /** For each damaged shard, the time at which it is opened again. */
  readonly #heldUntilMs = new Map<number, number>();
  #batches = 0;

  constructor(sources: SharedSources) {
    this.#sources = sources;
    this.#owner = sources.owner;
    this.#feed = sources.feed;
  }

  /**
   * Opens and closes shards as the coordinator plans, then indexes new journal records, and applies a newer
   * ranking. Returns the number of batches.
   */
  async update(): Promise<number> {
    await this.#followPlan();
    const { ranks, vectors } = this.#sources;
    await ranks.refresh();
    await vectors?.follow(this.#indexers.map(({ directory }) => directory));
    let batches = 0;
    for (const indexer of [...this.#indexers])
      await this.#unlessDamaged(indexer.shard, async () => {
        batches += await indexer.update();
      });
    this.#batches += batches;
    this.#feed.release(this.#indexers.map(({ position }) => position));
    return batches;
  }

  get counts(): { shards: number; documents: number; batches: number } {
    const documents = this.#indexers.reduce((sum, { docCount }) => sum + docCount, 0);
    return { shards: this.#indexers.length, documents, batches: this.#batches };
  }

  async close(): Promise<void> {
    const indexers = this.#indexers;
    this.#indexers = [];
    for (const indexer of indexers) await indexer.close();
  }

  async release(): Promise<void> {
    try {
      await this.#owner.release(await this.#owner.owned());
    } catch (error) {
      this.#sources.context.log.warn('shards not released, their lease expires', {
        reason: messageOf(error),
      });
    }
  }

  async #followPlan(): Promise<void> {
    const unwanted = await this.#owner.unwanted();
    await this.#keepOnly((shard) => !unwanted.some(({ vnode }) => vnode === shard.vnode));
    await this.#owner.release(unwanted);
    await this.#owner.claim();
    const owned = await this.#owner.owned();
    await this.#keepOnly((shard) => owned.some((other) => isSame(other, shard)));
    for (const shard of owned) {
      if (this.#indexers.some((indexer) => isSame(indexer.shard, shard))) continue;
      if (performance.now() < (this.#heldUntilMs.get(shard.vnode) ?? 0)) continue;
      await this.#unlessDamaged(shard, () => this.#open(shard));
    }
  }

  async #open(shard: OwnedVnode): Promise<void> {
    this.#indexers.push(await ShardIndexer.open({ ...this.#sources, shard }));
    this.#heldUntilMs.delete(shard.vnode);
    await storeShardProblem(this.#owner, shard, null);
    this.#sources.context.log.info('shard opened', { shard: shard.vnode, epoch: shard.epoch });
  }

  /** Does the work. If it fails because an object is damaged, closes the shard and stores the problem. */
  async #unlessDamaged(shard: OwnedVnode, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!DAMAGED.has(systemCode(error))) throw error;
      await this.#keepOnly((other) => !isSame(other, shard));
      if (!this.#heldUntilMs.has(shard.vnode))
        this.#sources.context.log.error('shard damaged, tried again later', {
          shard: shard.vnode,
          reason: messageOf(error),
        });
      this.#heldUntilMs.set(shard.vnode, performance.now() + RETRY_MS);
      await storeShardProblem(this.#owner, shard, messageOf(error));
    }
  }

  /** Closes the indexers of all shards for which `isKept` returns false. */
  async #keepOnly(isKept: (shard: OwnedVnode) => boolean): Promise<void> {
    const closed = this.#indexers.filter(({ shard }) => !isKept(shard));
    this.#indexers = this.#indexers.filter(({ shard }) => isKept(shard));
    for (const indexer of closed) await indexer.close();
  }
}

function isSame(a: OwnedVnode, b: OwnedVnode): boolean {
  return a.vnode === b.vnode && a.epoch === b.epoch;
}

function isPassing(raw: unknown): boolean {
  const error = explainDatabaseError(raw);
  if (error instanceof ServiceError) return error.canHeal;
  return error instanceof GyreError && PASSING.has(error.code);
}
