/**
 * The indexer of one shard of this node: reads the journal, applies rankings, and publishes the new segments.
 *
 * New pages get the ranks and anchor texts of the newest ranking at once. The other pages get them from a
 * thread. The index is closed while this thread works, so that no merge and no new page changes it.
 */
import { askThread, CorruptError, type Directory, messageOf } from '../../base/mod.ts';
import {
  hasVectorBatches,
  Indexer,
  type IndexerOptions,
  mergeInThread,
  purgeIndex,
} from '../../build/mod.ts';
import {
  type JournalFeed,
  type OwnedVnode,
  openShardBlobs,
  PublishedIndex,
  putShardNames,
  type RankCopies,
  readShardRemovals,
  shardOf,
  type VnodeOwner,
} from '../../cluster/mod.ts';
import type { JournalPosition } from '../../journal/mod.ts';
import type { NewestRanks } from './newest-ranks.ts';
import type { NodeContext } from './node-role.ts';
import type { ApplyRequest } from './shard-ranks-thread.ts';
import type { ShardVectors } from './shard-vectors.ts';

/** The file with the names of the pages of the shard, for suggestions and synonyms. */
const NAMES_FILE = 'names.gyre';

interface ShardSources {
  context: NodeContext;
  owner: VnodeOwner;
  feed: JournalFeed;
  ranks: NewestRanks;
  /** Null if no vectors are computed. */
  vectors: ShardVectors | null;
  shard: OwnedVnode;
}

export class ShardIndexer {
  readonly shard: OwnedVnode;
  readonly #sources: ShardSources;
  readonly #directory: Directory;
  readonly #index: PublishedIndex;
  #indexer: Indexer;
  /**
   * `#applied` is the ranking that all pages have, and `#tried` the last ranking that this indexer tried to
   * apply.
   */
  #applied: string | null;
  #tried: string | null;
  /** The last change of the removals that the index reflects. */
  #removed = 0;

  private constructor(sources: ShardSources, directory: Directory, index: PublishedIndex) {
    this.shard = sources.shard;
    this.#sources = sources;
    this.#directory = directory;
    this.#index = index;
    this.#indexer = new Indexer(indexerOptions(sources, directory));
    this.#applied = index.ranking;
    this.#tried = index.ranking;
  }

  static async open(sources: ShardSources): Promise<ShardIndexer> {
    const { context, owner, shard } = sources;
    const { database, log } = context;
    const directory = context.directory.directory('shards').directory(String(shard.vnode));
    const blobs = await openShardBlobs(context.openBlobs, shard.vnode);
    const index = await PublishedIndex.open({ sql: database, owner, shard, blobs, directory, log });
    return new ShardIndexer(sources, directory, index);
  }

  /** The journal files of each writer that are in the local index. */
  get position(): JournalPosition {
    return this.#indexer.journal;
  }

  get docCount(): number {
    return this.#indexer.report.docCount;
  }

  /** The directory of the local index. */
  get directory(): Directory {
    return this.#directory;
  }

  /**
   * Indexes new batches of the journal, applies new vectors and a newer ranking, and publishes the result. Returns the
   * number of batches.
   */
  async update(): Promise<number> {
    const { feed, ranks, vectors } = this.#sources;
    const files = await feed.bring(this.position);
    if (files.length > 0) await this.#catchUp(files);
    const due = vectors?.dueBatches(this.#directory);
    if (due && hasVectorBatches(due)) this.#indexer.applyVectors(due);
    await this.#removePages();
    const { copies } = ranks;
    if (copies !== null && copies.name !== this.#tried) await this.#apply(copies);
    await this.#index.publish(this.#applied);
    await this.#index.deleteRetired();
    return files.length;
  }

  /** Indexes these journal files. If one cannot be read, the position stays before it, and its copy is fetched again. */
  async #catchUp(files: readonly string[]): Promise<void> {
    const { feed, ranks } = this.#sources;
    try {
      await this.#indexer.catchUp(ranks.tables, files);
    } catch (error) {
      if (!(error instanceof CorruptError && files.includes(error.file))) throw error;
      await this.#indexer.close();
      this.#indexer = new Indexer(indexerOptions(this.#sources, this.#directory));
      await feed.refuse(error.file, error.message);
    }
  }

  /**
   * Takes removed pages out of the index, if the published index does not reflect the last change of the removals. Publishes
   * before the segments are written again, so that searches soon no longer find the pages.
   */
  async #removePages(): Promise<void> {
    const { context, vectors } = this.#sources;
    const { database, log, signal, removals, config } = context;
    const { list, urls } = removals;
    if (list.revision <= this.#removed) return;
    if (list.revision > (await readShardRemovals(database, this.shard.vnode))) {
      // Vectors that wait are applied first, so that no file has the vector of a removed page.
      const due = vectors?.batchesOf(this.#directory);
      if (due && hasVectorBatches(due)) this.#indexer.applyVectors(due);
      await this.#indexer.close();
      try {
        const merge = mergeInThread(4 * config.index.bufferMemoryBytes);
        const onHidden = () => this.#index.publish(this.#applied);
        const { documents } = await purgeIndex(urls, {
          index: this.#directory,
          log,
          signal,
          merge,
          onHidden,
        });
        await this.#index.publish(this.#applied);
        await this.#index.markRemovals(list.revision);
        log.info('removed pages taken out', { shard: this.shard.vnode, documents });
      } finally {
        this.#indexer = new Indexer(indexerOptions(this.#sources, this.#directory));
      }
    }
    this.#removed = list.revision;
  }

  /** Closes the local index. Its files stay, in case this node owns the shard again later. */
  async close(): Promise<void> {
    await this.#indexer.close();
  }

  /**
   * Applies a ranking to all pages of the shard. If this fails, the pages keep their old ranks until the next
   * ranking.
   */
  async #apply({ name, directories, nodeCount }: RankCopies): Promise<void> {
    const { context, ranks } = this.#sources;
    const { config, signal, log } = context;
    const names = context.directory.directory('names').directory(String(this.shard.vnode));
    this.#tried = name;
    await this.#indexer.close();
    try {
      const parts = directories.map(({ path }) => path);
      const words = { directory: names.path, part: NAMES_FILE };
      const request = { config, index: this.#directory.path, parts, nodeCount, words };
      await askThread<ApplyRequest>(new URL('./shard-ranks-thread.ts', import.meta.url), request, signal);
      if (signal.aborted) return;
      await putShardNames(ranks.blobs, name, this.shard, names.read(NAMES_FILE));
      this.#applied = name;
    } catch (error) {
      log.error('ranking not applied', { shard: this.shard.vnode, ranking: name, reason: messageOf(error) });
    } finally {
      this.#indexer = new Indexer(indexerOptions(this.#sources, this.#directory));
    }
  }
}

function indexerOptions({ context, feed, shard }: ShardSources, directory: Directory): IndexerOptions {
  const { cluster, config, log, signal } = context;
  const flushBytes = config.index.bufferMemoryBytes;
  return {
    journal: feed.directory,
    index: directory,
    isStrict: true,
    log,
    signal,
    flushBytes,
    merge: mergeInThread(4 * flushBytes),
    isRemoved: (url) => context.removals.urls.matches(url),
    accepts: (fingerprint) => shardOf(fingerprint, cluster.shards) === shard.vnode,
  };
}
