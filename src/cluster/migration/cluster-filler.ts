/**
 * Fills an empty cluster with a crawl from elsewhere, in steps that survive a crash.
 *
 *   begin -> addCaptures* -> addRows* -> finish
 *
 * Every step is one transaction, which also stores the place up to which everything was copied. The row is that of the
 * node `migration` in `crawl_marks`. While it exists, no node may join: it would crawl with a part of the state.
 */
import { type BlobStore, type Clock, GyreError, UsageError } from '../../base/mod.ts';
import type { WarcCompression } from '../../archive/mod.ts';
import type { CaptureMark, EncodedCaptures, StateRow, StateTable } from '../../crawl/mod.ts';
import type { HostGroup } from '../../url/mod.ts';
import { addCaptureBatch, claimJournalWriter, openObjectCaptures } from '../captures/mod.ts';
import { changeLiveSettings, type LiveSettings } from '../control/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import { inTransaction } from '../transaction.ts';
import { MIGRATION, refuseLiveNodes } from './cluster-copy.ts';
import { finishStateRows, insertStateRows } from './postgres-rows.ts';

/** The place up to which a crawl was copied: in its archive, in its journal, and in the rows of its state. */
interface CopyPlace {
  archive: { name: string; offset: number };
  /** The number of frames of the journal file `name` that were copied. */
  journal: { name: string; frames: number };
  /** The table that is being copied, and the cursor of its last row. Null before the first table. */
  rows: { table: StateTable; after: string } | null;
}

const START_OF_COPY: CopyPlace = {
  archive: { name: '', offset: 0 },
  journal: { name: '', frames: 0 },
  rows: null,
};

interface StoredProgress {
  /** Identifies the crawl that is copied. Another crawl must not be mixed with it. */
  source: string;
  mark: CaptureMark | null;
  place: CopyPlace;
}

interface FillerOptions {
  sql: ClusterDatabase;
  archive: BlobStore;
  journal: BlobStore;
  /** The host groups of the cluster. */
  groups: readonly HostGroup[];
  software: string;
  clock: Clock;
}

export class ClusterFiller {
  readonly #options: FillerOptions;
  #progress: StoredProgress;

  private constructor(options: FillerOptions, progress: StoredProgress) {
    this.#options = options;
    this.#progress = progress;
  }

  /** Begins or continues the copy of the crawl `source`. Rejects if the cluster has another crawl, or live nodes. */
  static async begin(source: string, options: FillerOptions): Promise<ClusterFiller> {
    const { sql, archive } = options;
    const progress = await inTransaction(sql, async (tx) => {
      await tx`lock table gyre.crawl_marks in exclusive mode`;
      const stored = await readProgress(tx);
      if (stored === null) await refuseCrawl(tx, archive);
      else if (stored.source !== source)
        throw new UsageError(
          'migration-differs',
          `a migration of another crawl into this cluster is unfinished: expected ${stored.source}, got ${source}; continue that one, or use another database and bucket`,
        );
      const begun = stored ?? { source, mark: null, place: START_OF_COPY };
      if (stored === null) await writeProgress(tx, begun);
      return begun;
    });
    await refuseLiveNodes(sql);
    await claimJournalWriter(sql, MIGRATION);
    return new ClusterFiller(options, progress);
  }

  get place(): CopyPlace {
    return this.#progress.place;
  }

  /** Uploads a batch of captures, and adds it to the archive or the journal. Its bytes can no longer be used. */
  async addCaptures(
    captures: EncodedCaptures,
    compression: WarcCompression,
    place: CopyPlace,
  ): Promise<void> {
    const { archive, journal, software, clock } = this.#options;
    const { mark } = this.#progress;
    // Opening the store removes the objects of a batch that was uploaded before a crash and not committed.
    const store = await openObjectCaptures(
      { archive, journal, node: MIGRATION, software, compression, clock },
      mark,
    );
    store.write(captures);
    const sealed = await store.seal();
    const { warc, journal: journalMark } = sealed;
    await this.#step({ mark: { warc, journal: journalMark }, place }, (tx) =>
      addCaptureBatch(tx, MIGRATION, sealed),
    );
  }

  async addRows(table: StateTable, rows: readonly StateRow[], place: CopyPlace): Promise<void> {
    await this.#step({ place }, (tx) => insertStateRows(tx, table, rows, this.#options.groups));
  }

  /** Makes the cluster usable. `live` are the seeds and settings with which its nodes continue the crawl. */
  async finish(rulesKey: string | null, live: LiveSettings): Promise<void> {
    const { sql } = this.#options;
    // The settings are stored first: storing them twice has no effect.
    await changeLiveSettings(sql, live);
    await inTransaction(sql, async (tx) => {
      await lockProgress(tx, this.#progress);
      await finishStateRows(tx, rulesKey);
      await tx`delete from gyre.crawl_marks where node = ${MIGRATION}`;
    });
  }

  async #step(next: Partial<StoredProgress>, work: (tx: Transaction) => Promise<void>): Promise<void> {
    const progress = { ...this.#progress, ...next };
    await inTransaction(this.#options.sql, async (tx) => {
      await lockProgress(tx, this.#progress);
      await work(tx);
      await writeProgress(tx, progress);
    });
    this.#progress = progress;
  }
}

async function readProgress(tx: Transaction): Promise<StoredProgress | null> {
  const [row] = await tx<{ marks: string }[]>`
    select marks from gyre.crawl_marks where node = ${MIGRATION} for update`;
  return row ? (JSON.parse(row.marks) as StoredProgress) : null;
}

async function writeProgress(tx: Transaction, progress: StoredProgress): Promise<void> {
  await tx`insert into gyre.crawl_marks (node, marks) values (${MIGRATION}, ${JSON.stringify(progress)})
    on conflict (node) do update set marks = excluded.marks`;
}

/** Locks the stored progress. Rejects if another process has continued this migration meanwhile. */
async function lockProgress(tx: Transaction, known: StoredProgress): Promise<void> {
  const stored = await readProgress(tx);
  if (JSON.stringify(stored) === JSON.stringify(known)) return;
  throw new GyreError('migration-differs', 'another process continues this migration: only one may run');
}

async function refuseCrawl(tx: Transaction, archive: BlobStore): Promise<void> {
  const [found] = await tx`select
    exists (select from gyre.crawl_urls) or exists (select from gyre.capture_batches) as used`;
  if (!found!.used && (await archive.list('')).length === 0) return;
  throw new UsageError(
    'cluster-used',
    'the cluster has a crawl already: name the file of a cluster with a new database and a new bucket',
  );
}
