/**
 * The indexer keeps the index up to date with the journal.
 *
 *   journal file -> buffer -> segment (when the buffer is full) -> manifest (at the end of a journal file)
 *                                        merges, in parallel ──────┘
 *
 * A newer record of a URL replaces an older one: in the buffer immediately, in segments by a delete when the
 * buffer is written. A record that is older than the one in the index is skipped (record-versions.ts).
 * Therefore only newer records delete documents of a segment, and the live documents do not depend on the order
 * in which the files of several writers are read.
 *
 * The manifest is replaced only between journal files, and names the last file of each writer that is in the
 * index. After an indexer was killed, the next one continues from there: no record is lost or indexed twice. An indexer
 * that rebuilds replaces the manifest once, at the end; until then the old index is served.
 *
 * One merge runs at a time. If it ends while files are being read, its result becomes visible with their
 * commit; otherwise it is committed immediately.
 *
 * The caller holds the lock of the index.
 */

import {
  type CorruptError,
  type Directory,
  GyreError,
  isMemoryFull,
  type Log,
  messageOf,
  partOf,
} from '../base/mod.ts';
import {
  IndexWriter,
  isManifestReadable,
  type MergePlan,
  readManifest,
  SegmentBuffer,
  TimeSlice,
} from '../index/mod.ts';
import {
  advance,
  type JournalPosition,
  journalFiles,
  missingFiles,
  type VersionedRecord,
} from '../journal/mod.ts';
import { mayBeFound } from '../page/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { adoptWith, type LinkTables, setLinks, textsIn } from './apply-ranks.ts';
import { applyVectors } from './embedding/mod.ts';
import { indexDocumentOf } from './index-document.ts';
import { addMissingLexicons, buildNames, LexiconGatherer } from './lexicons/mod.ts';
import { type MergeRunner, mergeHere } from './merge-runner.ts';
import { RecordVersions } from './record-versions.ts';
import { recordsOf } from './records.ts';
import { writeSegment } from './write-segment.ts';

export interface IndexerOptions {
  journal: Directory;
  index: Directory;
  log: Log;
  /** Stops the build soon after this signal is aborted. Changes that are already committed stay. */
  signal?: AbortSignal;
  /** The size of the buffered documents in bytes at which they are written as a segment. */
  flushBytes?: number;
  /** Runs merges, for example in another thread. By default merges run in the thread of the indexer. */
  merge?: MergeRunner;
  /**
   * Returns true if the URL with this fingerprint belongs to this index, which may be one of several shards. By
   * default all URLs belong to it.
   */
  accepts?: (fingerprint: bigint) => boolean;
  /** If true, indexes the whole journal again and replaces the index at the end. */
  rebuild?: boolean;
  /** Returns true if the operator has removed the URL. Its records count as removals. */
  isRemoved?(url: CanonicalUrl): boolean;
  /** Called many times a second while journal files are read, and twice a second during a merge after that. */
  onProgress?(progress: BuildProgress): void;
  /**
   * If true, a damaged journal file ends `catchUp` with a `CorruptError`, and the committed position stays before the
   * file. The caller must then close this indexer. By default, the rest of the file is skipped.
   */
  isStrict?: boolean;
}

export type BuildProgress =
  /** `share` is the part of the new journal files that is read. */
  | { step: 'reading'; pages: number; share: number }
  /** `share` is the size of the new segment, relative to that of the segments that it replaces. */
  | { step: 'merging'; segments: number; bytes: number; share: number };

export interface BuildReport {
  files: number;
  /** Number of pages indexed, including those that a newer version replaced later in the same build. */
  pages: number;
  /** Number of documents deleted from older segments, because the page is gone or was replaced. */
  deleted: number;
  segments: number;
  merges: number;
  /** Number of documents in the index at the end of the build, without those of damaged segments. */
  docCount: number;
  /** Names of damaged segments, which are skipped. */
  damaged: string[];
  generation: number;
  /** False if the build was stopped before its end. */
  complete: boolean;
}

export const FROM_ARCHIVE = 'gyre build --from-archive rebuilds journal and index from the archive';

const DEFAULT_FLUSH_BYTES = 64 * 1024 * 1024;
/**
 * The buffer size is divided by this number while the memory of the process is nearly full, so that buffered
 * documents are written as a segment earlier.
 */
const FULL_DIVISOR = 8;
/** Approximate memory in bytes for each URL that had a record since the last flush. */
const TOUCHED_BYTES = 160;
const MERGE_REPORT_MS = 500;

export class Indexer {
  readonly #options: IndexerOptions;
  readonly #writer: IndexWriter;
  readonly #buffer = new SegmentBuffer();
  readonly #lexicon = new LexiconGatherer();
  readonly #timeSlice: TimeSlice;
  readonly #versions: RecordVersions;
  #links: LinkTables = { ranks: null };
  #isReading = false;
  #merging: Promise<void> | null = null;
  #mergeFailure: unknown = null;
  /** The part of the new journal files that this call of `catchUp` has read. */
  #doneShare = 0;
  #files = 0;
  #pages = 0;
  #deleted = 0;
  #segments = 0;
  #merges = 0;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#writer = new IndexWriter(options.index, options.log, { fresh: options.rebuild ?? false });
    this.#versions = new RecordVersions(options.index, this.#writer.versions);
    this.#timeSlice = new TimeSlice(options.signal);
  }

  /** The journal files of each writer that are in the index. */
  get journal(): JournalPosition {
    return this.#writer.journal;
  }

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
   * Indexes the new files of the journal, or only `files`, which must have all files of a writer up to the last one. New
   * documents get their ranks and anchor texts from `links`; other documents keep theirs. Returns false if the abort
   * signal stopped the work.
   */
  async catchUp(links: LinkTables | null, files?: readonly string[]): Promise<boolean> {
    this.#links = links ?? { ranks: null };
    this.#isReading = true;
    this.#doneShare = 0;
    try {
      this.#options.signal?.throwIfAborted();
      await this.#readJournal(files);
      return true;
    } catch (error) {
      if (this.#options.signal?.aborted !== true) throw error;
      return false;
    } finally {
      this.#isReading = false;
      this.#startMerge();
    }
  }

  /**
   * Replaces the ranks, host signals and anchor texts of every document. Also replaces the suggested phrases
   * and synonyms in the directory `words`, because they are made from anchor texts.
   */
  applyRanks(links: LinkTables, words: Directory): void {
    const { index, log } = this.#options;
    setLinks(this.#writer, links, log);
    this.#writer.commit();
    if (links.anchors) buildNames(this.#writer, { index, words, textsOf: textsIn(links.anchors, log), log });
  }

  /** Adds the vectors of the batch files in the directory `batches` to the index. */
  applyVectors(batches: Directory): void {
    applyVectors(this.#writer, batches, this.#options.log);
  }

  /** Waits until all due merges are done. Throws if a merge failed. */
  async settle(): Promise<void> {
    while (this.#merging !== null) await this.#merging;
    if (this.#mergeFailure !== null && this.#options.signal?.aborted !== true) throw this.#mergeFailure;
  }

  /** Waits until a running merge has ended. To stop the merge instead, abort the signal first. */
  async close(): Promise<void> {
    await this.#merging;
    this.#writer.close();
  }

  async #readJournal(files?: readonly string[]): Promise<void> {
    if (this.#options.rebuild) this.#checkJournal();
    await addMissingLexicons(this.#writer, this.#options.index, this.#options.signal);
    let position = this.#writer.journal;
    let segmentsCommitted = this.#segments;
    const chosen = files ?? journalFiles(this.#options.journal, position);
    const sizes = chosen.map((file) => this.#options.journal.sizeOf(file));
    const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
    for (const [at, file] of chosen.entries()) {
      await this.#readFile(file);
      position = advance(position, file);
      this.#files++;
      this.#doneShare += sizes[at]! / totalBytes;
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
      const limitBytes = isMemoryFull() ? flushBytes / FULL_DIVISOR : flushBytes;
      if (this.#bufferedBytes() >= limitBytes) await this.#flush();
      if (!this.#timeSlice.isDue) continue;
      this.#options.onProgress?.({ step: 'reading', pages: this.#pages, share: this.#doneShare });
      await this.#timeSlice.pause();
    }
  }

  /** Refuses to rebuild when journal files are missing: the new index would have fewer documents. */
  #checkJournal(): void {
    const { journal, index } = this.#options;
    const last = isManifestReadable(index) ? readManifest(index).journal : {};
    const [missing] = missingFiles(journal, last);
    if (missing)
      throw new GyreError('damaged-journal', `journal file ${missing} is missing; ${FROM_ARCHIVE}`);
  }

  /**
   * Handles a damaged journal file: skips the rest of the file, so that later files are still indexed. A
   * rebuild throws instead, because the new index would lack documents that the existing index has.
   */
  #damagedFile(file: string, error: CorruptError): void {
    if (this.#options.isStrict) throw error;
    const why = error.message;
    if (this.#options.rebuild) {
      throw new GyreError('damaged-journal', `journal file damaged: ${why}; ${FROM_ARCHIVE}`, {
        cause: error,
      });
    }
    this.#options.log.error('journal file damaged, rest skipped', {
      file,
      reason: why,
      advice: FROM_ARCHIVE,
    });
  }

  #take({ record, version }: VersionedRecord): void {
    const key = fingerprint(record.url);
    if (this.#options.accepts?.(key) === false) return;
    if (!this.#versions.isNewest(key, version)) return;
    this.#versions.add(key, version);
    const isRemoved = this.#options.isRemoved?.(record.url) ?? false;
    if (record.kind === 'page' && !isRemoved && mayBeFound(record.page.robots, Date.now())) {
      this.#buffer.add(indexDocumentOf(record));
      this.#pages++;
    } else {
      this.#buffer.remove(key);
    }
  }

  #bufferedBytes(): number {
    return this.#buffer.sizeBytes + TOUCHED_BYTES * this.#versions.recent.size;
  }

  /**
   * Deletes the older documents of all URLs that had a record since the last flush, and writes the buffered documents
   * as a segment.
   */
  async #flush(): Promise<void> {
    const { index, log, signal } = this.#options;
    this.#deleted += this.#writer.deleteDocuments(this.#versions.recent.keys());
    this.#versions.flush(() => this.#writer.reserveVersionsName());
    const docs = this.#buffer.docCount;
    if (docs > 0) {
      const segment = await writeSegment(this.#writer, index, this.#buffer, this.#lexicon, signal);
      adoptWith(this.#writer, segment, this.#links, log);
      log.debug('segment written', { segment: segment.name, docs });
      this.#segments++;
    }
    this.#buffer.clear();
  }

  async #commit(journal: JournalPosition): Promise<void> {
    await this.#flush();
    this.#writer.commit({ journal, versions: this.#versions.entries });
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

  /**
   * Carries out a merge. If the merge fails, for example because the disk is full, the index stays unchanged,
   * and the next indexer tries again.
   */
  async #carryOut(plan: MergePlan): Promise<void> {
    const { index, log, signal, merge = mergeHere } = this.#options;
    const timer = this.#showMerge(plan);
    try {
      const outcome = await merge(index, plan, signal);
      if (outcome.kind === 'damaged') return this.#writer.abandonMerge(plan, outcome);
      this.#writer.adoptMerge(plan);
      this.#merges++;
      if (!this.#isReading) this.#writer.commit();
    } catch (error) {
      this.#writer.abandonMerge(plan);
      this.#mergeFailure = error;
      if (!signal?.aborted) log.error('merge failed', { segment: plan.output, reason: messageOf(error) });
    } finally {
      clearInterval(timer);
    }
  }

  /** Reports the progress of a merge by the size of its unfinished file, while no journal file is read. */
  #showMerge({ inputs, output }: MergePlan): NodeJS.Timeout | undefined {
    const { index, onProgress } = this.#options;
    if (!onProgress) return undefined;
    const sizes = inputs.map(({ file }) => (index.has(file) ? index.sizeOf(file) : 0));
    const totalBytes = Math.max(
      1,
      sizes.reduce((sum, size) => sum + size, 0),
    );
    const part = partOf(output);
    return setInterval(() => {
      if (this.#isReading || !index.has(part)) return;
      const bytes = index.sizeOf(part);
      onProgress({ step: 'merging', segments: inputs.length, bytes, share: Math.min(1, bytes / totalBytes) });
    }, MERGE_REPORT_MS);
  }
}
