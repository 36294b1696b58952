/**
 * `gyre build --from-archive --cluster FILE`: makes damaged journal objects of a cluster again from the WARC objects of the
 * same batches. Index nodes then continue by themselves.
 *
 * A batch also has records without a capture: aliases and removals that followed from other pages. The new object lacks
 * those, and the report counts them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordReader } from '../../archive/mod.ts';
import {
  type BlobStore,
  type Directory,
  GyreError,
  type Log,
  messageOf,
  openDirectory,
  systemCode,
} from '../../base/mod.ts';
import {
  type ClusterDatabase,
  type DamagedBatch,
  findObjectDamage,
  listDamagedBatches,
  openS3BlobStore,
  PostgresCrawlState,
  readClusterRemovals,
  replaceJournalObject,
  storeBatchProblem,
  VnodeOwner,
} from '../../cluster/mod.ts';
import { recordOfVerdict } from '../../crawl/mod.ts';
import { rebuildJournal } from '../../import/mod.ts';
import { encodeJournalFile, journalFiles, readFrames } from '../../journal/mod.ts';
import { loadExtractors, type ReadingPlan } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { ClusterFile } from '../cluster/cluster-file.ts';
import { removedBy } from '../removals/mod.ts';

interface RebuildOptions {
  reading: ReadingPlan;
  /** Time limit for parsing one page, in milliseconds. */
  limitMs: number;
  log: Log;
}

export interface RebuiltBatch {
  /** The name of the damaged object. */
  object: string;
  outcome: 'whole' | 'rebuilt' | 'failed';
  /** The numbers of records before and now. */
  expected: number;
  records: number;
  /** The reason why the object was not rebuilt; null otherwise. */
  reason: string | null;
}

/** Rebuilds all damaged journal objects. Objects that were restored meanwhile stay. */
export async function rebuildClusterJournal(
  database: ClusterDatabase,
  cluster: ClusterFile,
  options: RebuildOptions,
): Promise<RebuiltBatch[]> {
  const [archive, journal] = await Promise.all(
    ['archive/', 'journal/'].map((prefix) => openS3BlobStore({ ...cluster.s3, prefix })),
  );
  const path = mkdtempSync(join(tmpdir(), 'gyre-rebuild-'));
  const rebuild = new Rebuild(database, archive!, journal!, openDirectory(path), options);
  try {
    const report: RebuiltBatch[] = [];
    for (const batch of await listDamagedBatches(database)) report.push(await rebuild.batch(batch));
    return report;
  } finally {
    rebuild.close();
    rmSync(path, { recursive: true, force: true });
  }
}

class Rebuild {
  readonly #database: ClusterDatabase;
  readonly #archive: BlobStore;
  readonly #journal: BlobStore;
  readonly #scratch: Directory;
  readonly #options: RebuildOptions;
  readonly #reader: RecordReader;

  constructor(
    database: ClusterDatabase,
    archive: BlobStore,
    journal: BlobStore,
    scratch: Directory,
    options: RebuildOptions,
  ) {
    this.#database = database;
    this.#archive = archive;
    this.#journal = journal;
    this.#scratch = scratch;
    this.#options = options;
    this.#reader = new RecordReader(options);
  }

  close(): void {
    this.#reader.close();
  }

  async batch(batch: DamagedBatch): Promise<RebuiltBatch> {
    const { object, records: expected } = batch;
    if (await this.#isWhole(batch)) {
      await storeBatchProblem(this.#database, batch, null);
      return { object, outcome: 'whole', expected, records: expected, reason: null };
    }
    try {
      const rebuilt = await this.#fromArchive(batch);
      await replaceJournalObject(this.#database, this.#journal, batch, rebuilt);
      return { object, outcome: 'rebuilt', expected, records: rebuilt.records, reason: null };
    } catch (error) {
      if (!['no-blob', 'archive-damaged'].includes(systemCode(error))) throw error;
      return { object, outcome: 'failed', expected, records: 0, reason: messageOf(error) };
    }
  }

  async #isWhole(batch: DamagedBatch): Promise<boolean> {
    try {
      return findObjectDamage(await this.#journal.get(batch.object), batch.object, batch) === null;
    } catch (error) {
      if (systemCode(error) === 'no-blob') return false;
      throw error;
    }
  }

  async #fromArchive({ warc, writer, number }: DamagedBatch): Promise<{ bytes: Buffer; records: number }> {
    const scratch = this.#scratch.directory(`n${writer}-${number}`);
    const archive = scratch.directory('archive');
    const journal = scratch.directory('journal');
    let length = 0;
    if (warc !== null) {
      const bytes = await this.#archive.get(warc);
      length = bytes.length;
      archive.replace(`00000001${/\.warc\.\w+$/.exec(warc)![0]}`, bytes);
    }
    const { reading, log } = this.#options;
    const removed = removedBy(await readClusterRemovals(this.#database));
    const state = new PostgresCrawlState(this.#database, new VnodeOwner(this.#database, '', 0));
    const { damaged } = await rebuildJournal(archive, journal, {
      end: { file: 1, length },
      parse: { extractors: await loadExtractors(reading.extractors) },
      read: (record, url) => this.#reader.read(record, url),
      async knownAs(url: CanonicalUrl, fetchedAt: number) {
        const verdict = await state.verdictOf(url);
        return verdict && verdict.kind !== 'near-duplicate' ? recordOfVerdict(verdict, fetchedAt) : null;
      },
      isRemoved: (url) => removed.matches(url),
      log,
    });
    if (damaged > 0) throw new GyreError('archive-damaged', `the WARC object archive/${warc} is damaged too`);
    const frames = journalFiles(journal).flatMap((name) => [...readFrames(journal.read(name), name)]);
    const records = frames.reduce((sum, frame) => sum + frame.records, 0);
    return { bytes: encodeJournalFile(frames), records };
  }
}
