/**
 * Keeps the index up to the journal.
 *
 *   journal file -> buffer -> segment (when the buffer is full) -> manifest (at the end of a journal file)
 *                                        merges, beside all that ──┘
 *
 * A later record of a URL replaces an earlier one, wherever that is: in the buffer at once, in segments by a
 * delete when the buffer is written. So a segment's deletes are always those of records that came after it.
 *
 * The manifest is swapped only between journal files and names the last one that is in the index. An indexer that
 * is killed at any moment is repeated from there: nothing is lost and nothing is there twice. One that rebuilds swaps
 * it once, at the end: until then the old index serves.
 *
 * One merge runs at a time. When it is done while files are read, its result becomes visible with them, else at once.
 *
 * The caller holds the lock of the index.
 */
import { type JournalRecord, journalFiles, missingFiles } from '../archive/mod.ts';
import { type CorruptError, type Directory, GyreError, type Log, messageOf } from '../base/mod.ts';
import {
  Breather,
  IndexWriter,
  isManifestReadable,
  type MergePlan,
  readManifest,
  SegmentBuffer,
} from '../index/mod.ts';
import { mayBeFound } from '../page/mod.ts';
import { fingerprint } from '../url/mod.ts';
import { adoptWith, type LinkTables, setLinks } from './apply-ranks.ts';
import { indexDocumentOf } from './index-document.ts';
import { type MergeRunner, mergeHere } from './merge-runner.ts';
import { orderKey } from './order.ts';
import { recordsOf } from './records.ts';

export interface IndexerOptions {
  journal: Directory;
  index: Directory;
  log: Log;
  /** Stops the work at the next opportunity; what was committed stays. */
  signal?: AbortSignal;
  /** How much to gather in memory before a segment is written. */
  flushBytes?: number;
  /** Who carries out merges; by default this thread. */
  merge?: MergeRunner;
  /** Indexes the whole journal anew and swaps the index at the end. */
  rebuild?: boolean;
}

export interface BuildReport {
  /** Journal files that were read. */
  files: number;
  /** Pages that were indexed, also those replaced later in the same build. */
  pages: number;
  /** Documents that left older segments, because they are gone or were replaced. */
  deleted: number;
  segments: number;
  merges: number;
  /** Documents in the index when the build ended, without those of damaged segments. */
  docCount: number;
  /** Segments that are damaged and left out. */
  damaged: string[];
  generation: number;
  /** False if the signal stopped it. */
  complete: boolean;
}

export const FROM_ARCHIVE = 'gyre build --from-archive makes journal and index anew from the archive';

const DEFAULT_FLUSH_BYTES = 64 * 1024 * 1024;
/** What the memory of one changed URL takes, about. */
const TOUCHED_BYTES = 64;

export class Indexer {
  readonly #options: IndexerOptions;
  readonly #writer: IndexWriter;
  readonly #buffer = new SegmentBuffer();
  readonly #breather: Breather;
  /** URLs with a record since the last flush. */
  readonly #touched = new Set<bigint>();
  #links: LinkTables = { ranks: null };
  #isReading = false;
  #merging: Promise<void> | null = null;
  #mergeFailure: unknown = null;
  #files = 0;
  #pages = 0;
  #deleted = 0;
  #segments = 0;
  #merges = 0;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#writer = new IndexWriter(options.index, options.log, { fresh: options.rebuild ?? false });
    this.#breather = new Breather(options.signal);
  }

  /** What was done so far. */
  get report(): BuildReport {
    const { docCount, generation } = this.#writer;
    const damaged = [...this.#writer.damaged];
    const counts = { files: this.#files, pages: this.#pages, deleted: this.#deleted };
    const complete = this.#options.signal?.aborted !== true;
    return {
      ...counts,
      segments: this.#segments,
      merges: this.#merges,
      docCount,
      damaged,
      generation,
      complete,
    };
  }

  /**
   * Takes up what the journal has gained. New documents get what `links` know of them; the others keep what they have.
   * False if the signal stopped it.
   */
  async catchUp(links: LinkTables | null): Promise<boolean> {
    this.#links = links ?? { ranks: null };
    this.#isReading = true;
    try {
      this.#options.signal?.throwIfAborted();
      await this.#readJournal();
      return true;
    } catch (error) {
      if (this.#options.signal?.aborted !== true) throw error;
      return false;
    } finally {
      this.#isReading = false;
      this.#startMerge();
    }
  }

  /** Ranks every document anew, and gives it what links say. */
  applyRanks(links: LinkTables): void {
    setLinks(this.#writer, links, this.#options.log);
    this.#writer.commit(this.#writer.journal);
  }

  /** Waits until no merge is due; throws if one failed. */
  async settle(): Promise<void> {
    while (this.#merging !== null) await this.#merging;
    if (this.#mergeFailure !== null && this.#options.signal?.aborted !== true) throw this.#mergeFailure;
  }

  /** A merge that still runs must have been stopped by the signal, or is waited for. */
  async close(): Promise<void> {
    await this.#merging;
    this.#writer.close();
  }

  async #readJournal(): Promise<void> {
    if (this.#options.rebuild) this.#checkJournal();
    let position = this.#writer.journal;
    let segmentsCommitted = this.#segments;
    for (const file of journalFiles(this.#options.journal, position)) {
      await this.#readFile(file);
      position = file;
      this.#files++;
      if (this.#options.rebuild || this.#segments === segmentsCommitted) continue;
      await this.#commit(position);
      segmentsCommitted = this.#segments;
    }
    await this.#commit(position);
  }

  async #readFile(file: string): Promise<void> {
    const { journal, flushBytes = DEFAULT_FLUSH_BYTES } = this.#options;
    for (const record of recordsOf(journal, file, (error) => this.#damagedFile(file, error))) {
      this.#take(record);
      if (this.#bufferedBytes() >= flushBytes) await this.#flush();
      if (this.#breather.isDue) await this.#breather.breathe();
    }
  }

  /** An index is not exchanged for one that lacks what it has. */
  #checkJournal(): void {
    const { journal, index } = this.#options;
    const last = isManifestReadable(index) ? readManifest(index).journal : '';
    const [missing] = missingFiles(journal, last);
    if (missing) throw new GyreError('damaged-journal', `journal file ${missing} is gone; ${FROM_ARCHIVE}`);
  }

  /**
   * A damaged file must not keep all later ones out of the index for ever. But an index that is there is not exchanged
   * for one that lacks what the file had.
   */
  #damagedFile(file: string, error: CorruptError): void {
    const why = error.message;
    if (this.#options.rebuild) {
      throw new GyreError('damaged-journal', `journal file damaged: ${why}; ${FROM_ARCHIVE}`, {
        cause: error,
      });
    }
    this.#options.log.error(`journal file damaged, its rest is left out: ${FROM_ARCHIVE}`, { file, why });
  }

  #take(record: JournalRecord): void {
    const key = fingerprint(record.url);
    this.#touched.add(key);
    if (record.kind === 'page' && mayBeFound(record.page.robots, Date.now())) {
      this.#buffer.add(indexDocumentOf(record));
      this.#pages++;
    } else {
      this.#buffer.remove(key);
    }
  }

  #bufferedBytes(): number {
    return this.#buffer.sizeBytes + TOUCHED_BYTES * this.#touched.size;
  }

  /** Everything taken so far is in a segment, or deleted, after this. */
  async #flush(): Promise<void> {
    const { index, log, signal } = this.#options;
    this.#deleted += this.#writer.deleteDocuments(this.#touched);
    this.#touched.clear();
    if (this.#buffer.docCount > 0) {
      const name = this.#writer.reserveName();
      await this.#buffer.write(index, name, orderKey, signal);
      adoptWith(this.#writer, name, this.#links, log);
      log.debug('segment written', { segment: name, docs: this.#buffer.docCount });
      this.#segments++;
    }
    this.#buffer.clear();
  }

  async #commit(position: string): Promise<void> {
    await this.#flush();
    this.#writer.commit(position);
    this.#startMerge();
  }

  #startMerge(): void {
    if (this.#merging || this.#mergeFailure !== null || this.#options.signal?.aborted) return;
    const plan = this.#writer.planMerge();
    if (!plan) return;
    this.#merging = this.#carryOut(plan).finally(() => {
      this.#merging = null;
      this.#startMerge();
    });
  }

  /** A merge that fails, for want of disk or memory, leaves the index as it is; the next indexer tries again. */
  async #carryOut(plan: MergePlan): Promise<void> {
    const { index, log, signal, merge = mergeHere } = this.#options;
    try {
      const outcome = await merge(index, plan, signal);
      if (outcome.kind === 'damaged') return this.#writer.abandonMerge(plan, outcome);
      this.#writer.adoptMerge(plan);
      this.#merges++;
      if (!this.#isReading) this.#writer.commit(this.#writer.journal);
    } catch (error) {
      this.#writer.abandonMerge(plan);
      this.#mergeFailure = error;
      if (!signal?.aborted) log.error('segments not merged', { segment: plan.output, why: messageOf(error) });
    }
  }
}
