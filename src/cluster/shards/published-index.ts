/**
 * The published index of a shard: its files are in S3, its manifest in PostgreSQL. Its indexer works on a local copy:
 *
 *   open: manifest and files -> local directory -> indexer -> publish: new files uploaded, then one transaction
 *
 * The transaction checks the epoch of the shard, replaces the manifest, and retires the files that it no longer lists.
 * Searchers may still read the previous manifest, so retired objects are deleted RETIRED_MS later.
 *
 * An earlier owner may have uploaded files and lost the shard before they became visible. `open` retires them, and
 * continues with file numbers that no object has. A late owner can upload the files of one commit at most, so
 * the numbers leave room for these.
 */
import { type BlobStore, type Directory, GyreError, type Log, systemCode } from '../../base/mod.ts';
import {
  CachedSegments,
  EMPTY_MANIFEST,
  filesOf,
  isManifestReadable,
  type Manifest,
  readManifest,
  writeManifest,
} from '../../index/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import { postgresManifestStore, swapManifestRow } from '../postgres-manifest-store.ts';
import { inTransaction } from '../transaction.ts';
import type { OwnedVnode, VnodeOwner } from '../vnode-owner.ts';
import { shardIndexName } from './shard-place.ts';

const RETIRED_MS = 10 * 60_000;
/** Numbers of files and generations that one commit of an indexer never reaches. */
const FREE_FILES = 1_000;
const FREE_GENERATIONS = 100;
const MAX_TRIES = 5;

interface PublishedIndexOptions {
  sql: ClusterDatabase;
  owner: VnodeOwner;
  /** The shard that this node owns, with its epoch. */
  shard: OwnedVnode;
  blobs: BlobStore;
  /** The local directory of the index. */
  directory: Directory;
  log: Log;
  retiredMs?: number;
}

export class PublishedIndex {
  readonly #options: PublishedIndexOptions;
  #published: Manifest;
  /** The local manifest that has the same documents as the published one. */
  #current: Manifest;
  #ranking: string | null;

  private constructor(options: PublishedIndexOptions, published: Manifest, ranking: string | null) {
    this.#options = options;
    this.#published = published;
    this.#current = published;
    this.#ranking = ranking;
  }

  /** The ranking that was applied to all published pages; null if there is none. */
  get ranking(): string | null {
    return this.#ranking;
  }

  /** Copies the published index to the local directory, and prepares it for an indexer. */
  static async open(options: PublishedIndexOptions): Promise<PublishedIndex> {
    const { sql, shard, blobs, directory, log } = options;
    const published = await postgresManifestStore(sql, shardIndexName(shard.vnode)).read();
    const cache = new CachedSegments(blobs, directory, { log, filesOf });
    const isCurrent = isManifestReadable(directory) && isSame(readManifest(directory), published);
    if (!isCurrent) await cache.evict(EMPTY_MANIFEST);
    await cache.bring(published);
    const [row] = await sql<{ ranking: string | null }[]>`
      select ranking from gyre.shards where shard = ${shard.vnode}`;
    const index = new PublishedIndex(options, published, row?.ranking ?? null);
    index.#current = await index.#withFreeNumbers();
    writeManifest(directory, index.#current);
    return index;
  }

  /** Stores that the published index reflects the removals up to this change. */
  async markRemovals(revision: number): Promise<void> {
    const { owner, shard } = this.#options;
    await owner.write([shard], async (tx) => {
      await tx`update gyre.shards set removals = ${revision} where shard = ${shard.vnode}`;
    });
  }

  /**
   * Makes the local index visible to searchers. `ranking` was applied to all its pages. Rejects with `stale-epoch` if
   * another node owns the shard.
   */
  async publish(ranking = this.#ranking): Promise<void> {
    const { directory, owner, shard } = this.#options;
    const next = await this.#upload();
    if (isSame(next, this.#current)) return;
    const kept = new Set(filesOf(next));
    const retired = filesOf(this.#published).filter((name) => !kept.has(name));
    await owner.write([shard], async (tx) => {
      if (!(await swapManifestRow(tx, shardIndexName(shard.vnode), this.#published, next)))
        throw new GyreError('index-changed', `${directory.path}: another writer has replaced the manifest`);
      await this.#retire(tx, retired);
      await tx`update gyre.shards set ranking = ${ranking} where shard = ${shard.vnode}`;
    });
    this.#ranking = ranking;
    this.#published = next;
    this.#current = next;
  }

  /** Deletes objects that were retired long ago. Returns their number. */
  async deleteRetired(): Promise<number> {
    const { sql, blobs, retiredMs = RETIRED_MS } = this.#options;
    const rows = await sql<{ name: string }[]>`select name from gyre.retired_blobs
      where starts_with(name, ${this.#prefix}) and retired_at < clock_timestamp() - ${retiredMs} * interval '1 ms'
      limit 1000`;
    for (const { name } of rows) {
      await blobs.delete(name.slice(this.#prefix.length));
      await sql`delete from gyre.retired_blobs where name = ${name}`;
    }
    return rows.length;
  }

  /**
   * Uploads the files of the local manifest that are not published yet, and returns the manifest. If a merge removes
   * a file in the meantime, continues with the manifest that the merge has written.
   */
  async #upload(): Promise<Manifest> {
    const { directory, blobs } = this.#options;
    const uploaded = new Set(filesOf(this.#published));
    for (let tries = 1; ; tries++) {
      const manifest = readManifest(directory);
      try {
        for (const name of filesOf(manifest)) {
          if (!uploaded.has(name)) await blobs.put(name, directory.read(name));
          uploaded.add(name);
        }
        return manifest;
      } catch (error) {
        if (systemCode(error) !== 'ENOENT' || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Retires objects that no manifest lists. Returns the manifest with numbers that no object has. */
  async #withFreeNumbers(): Promise<Manifest> {
    const { sql, blobs } = this.#options;
    const names = await blobs.list('');
    const listed = new Set(filesOf(this.#published));
    const unused = names.filter((name) => !listed.has(name));
    if (unused.length > 0) await inTransaction(sql, (tx) => this.#retire(tx, unused));
    const files = names.map((name) => Number(/^(?:seg|versions)-(\d+)/.exec(name)?.[1] ?? 0));
    const generations = names.map((name) => Number(/-(\d+)$/.exec(name)?.[1] ?? 0));
    const { nextSegment, generation } = this.#published;
    return {
      ...this.#published,
      nextSegment: Math.max(nextSegment, ...files) + FREE_FILES,
      generation: Math.max(generation, ...generations) + FREE_GENERATIONS,
    };
  }

  async #retire(tx: Transaction, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await tx`insert into gyre.retired_blobs (name)
      select ${this.#prefix} || name from unnest(${[...names]}::text[]) as name on conflict do nothing`;
  }

  get #prefix(): string {
    return `${shardIndexName(this.#options.shard.vnode)}/`;
  }
}

/** Returns true if both are the same version of one index. */
function isSame(a: Manifest, b: Manifest): boolean {
  return a.id === b.id && a.generation === b.generation;
}
