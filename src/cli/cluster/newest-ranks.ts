/**
 * The newest finished ranking, for the shards of this node: local copies of its tables, which are open for new
 * pages. A ranking that cannot be opened is logged and skipped; the next ranking may be readable.
 */
import { rmSync } from 'node:fs';
import { type BlobStore, type Directory, messageOf } from '../../base/mod.ts';
import {
  bringClusterRanks,
  explainDatabaseError,
  newestRankJob,
  type RankCopies,
  ServiceError,
} from '../../cluster/mod.ts';
import { type LinkTable, openLinks, openRankedParts } from '../../graph/mod.ts';
import { memoryShareOf, SHARES } from '../settings/mod.ts';
import type { NodeContext } from './node-role.ts';

type OpenTables = NonNullable<ReturnType<typeof openRankedParts>>;

export class NewestRanks {
  /** The blobs of all rankings. */
  readonly blobs: BlobStore;
  readonly #context: NodeContext;
  readonly #directory: Directory;
  /** The name of the last ranking that was tried. */
  #tried: string | null = null;
  #copies: RankCopies | null = null;
  #tables: OpenTables | null = null;

  readonly #withLinks: boolean;

  private constructor(
    context: NodeContext,
    { blobs, directory, withLinks }: { blobs: BlobStore; directory: Directory; withLinks: boolean },
  ) {
    this.#context = context;
    this.blobs = blobs;
    this.#directory = directory;
    this.#withLinks = withLinks;
  }

  /** Copies rankings to the directory `name` of the node; with `withLinks`, also their link graphs. */
  static async open(context: NodeContext, name: string, withLinks = false): Promise<NewestRanks> {
    const directory = context.directory.directory(name);
    rmSync(directory.path, { recursive: true, force: true });
    const blobs = await context.openBlobs('ranks/');
    return new NewestRanks(context, { blobs, directory, withLinks });
  }

  /** The copies of the newest ranking; null if there is none yet. */
  get copies(): RankCopies | null {
    return this.#copies;
  }

  /** The ranks, hosts and anchor texts of the newest ranking, for new pages. */
  get tables(): OpenTables | null {
    return this.#tables;
  }

  /**
   * Brings the newest finished ranking, if there is a newer one. Returns true if its tables were opened. Rejects if a
   * service is away.
   */
  async refresh(): Promise<boolean> {
    const { database, log } = this.#context;
    const name = await newestRankJob(database, true);
    if (name === null || name === this.#tried) return false;
    const last = this.#copies;
    try {
      this.#replace(await bringClusterRanks(database, this.blobs, this.#directory, name, this.#withLinks));
      log.info('ranks opened', { ranking: name });
    } catch (error) {
      if (explainDatabaseError(error) instanceof ServiceError) throw error;
      log.error('ranks unreadable', { ranking: name, reason: messageOf(error) });
    }
    this.#tried = name;
    return this.#copies !== last;
  }

  /** Opens the link graph of the newest ranking. Returns null if there is none, or it was not copied. */
  openLinks(): LinkTable | null {
    return this.#copies && openLinks(this.#copies.directories, 0);
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
