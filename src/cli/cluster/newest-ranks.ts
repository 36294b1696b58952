/**
 * The newest finished ranking, for the shards of this node: local copies of its tables, which are open for new
 * pages. A ranking that cannot be opened is logged and skipped; the next ranking may be readable.
 */
import { rmSync } from 'node:fs';
import { type BlobStore, type Directory, messageOf } from '../../base/mod.ts';
import type { LinkTables } from '../../build/mod.ts';
import {
  bringClusterRanks,
  explainConnection,
  newestRankJob,
  type RankCopies,
  ServiceError,
} from '../../cluster/mod.ts';
import { openRankedParts } from '../../graph/mod.ts';
import { memoryShareOf, SHARES } from '../settings/mod.ts';
import type { NodeContext } from './node-role.ts';

type OpenTables = NonNullable<ReturnType<typeof openRankedParts>>;

export class NewestRanks {
  readonly #context: NodeContext;
  readonly #blobs: BlobStore;
  readonly #directory: Directory;
  /** The name of the last ranking that was tried. */
  #tried: string | null = null;
  #copies: RankCopies | null = null;
  #tables: OpenTables | null = null;

  private constructor(context: NodeContext, blobs: BlobStore, directory: Directory) {
    this.#context = context;
    this.#blobs = blobs;
    this.#directory = directory;
  }

  static async open(context: NodeContext): Promise<NewestRanks> {
    const directory = context.directory.directory('newest-ranks');
    rmSync(directory.path, { recursive: true, force: true });
    return new NewestRanks(context, await context.openBlobs('ranks/'), directory);
  }

  /** The copies of the newest ranking; null if there is none yet. */
  get copies(): RankCopies | null {
    return this.#copies;
  }

  /** The ranks, hosts and anchor texts of the newest ranking, for new pages. */
  get tables(): LinkTables | null {
    return this.#tables;
  }

  /** Brings the newest finished ranking, if there is a newer one. Rejects if a service is away. */
  async refresh(): Promise<void> {
    const { database, log } = this.#context;
    const name = await newestRankJob(database, true);
    if (name === null || name === this.#tried) return;
    try {
      this.#replace(await bringClusterRanks(database, this.#blobs, this.#directory, name));
      log.info('ranks opened', { ranking: name });
    } catch (error) {
      if (explainConnection(error) instanceof ServiceError) throw error;
      log.error('ranks unreadable', { ranking: name, reason: messageOf(error) });
    }
    this.#tried = name;
  }

  close(): void {
    this.#tables?.close();
    this.#tables = null;
  }

  #replace(copies: RankCopies): void {
    const { memoryBytes } = this.#context.config;
    const residentBytes = memoryShareOf(memoryBytes, SHARES.ranks);
    const tables = openRankedParts(copies.directories, copies.nodeCount, residentBytes);
    this.close();
    for (const { path } of this.#copies?.directories ?? []) rmSync(path, { recursive: true, force: true });
    this.#copies = copies;
    this.#tables = tables;
  }
}
