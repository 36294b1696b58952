/**
 * Brings the index up to the journal.
 *
 *   journal file -> buffer -> segment (when the buffer is full) -> manifest (at the end of a journal file)
 *
 * A later record of a URL replaces an earlier one, wherever that is: in the buffer at once, in segments by a
 * delete when the buffer is written. So a segment's deletes are always those of records that came after it.
 *
 * The manifest is swapped only between journal files and names the last one that is in the index. A build that
 * is killed at any moment is repeated from there: nothing is lost and nothing is there twice.
 *
 * The caller holds the lock of the index.
 */
import { type JournalRecord, journalFiles, readJournal } from '../archive/mod.ts';
import { CorruptError, type Directory, type Log, messageOf } from '../base/mod.ts';
import type { RankTable } from '../graph/mod.ts';
import { Breather, IndexWriter, SegmentBuffer } from '../index/mod.ts';
import { mayBeFound } from '../page/mod.ts';
import { type CanonicalUrl, fingerprint, localityKey } from '../url/mod.ts';
import { relativeTo } from './apply-ranks.ts';
import { indexDocumentOf } from './index-document.ts';

export interface BuildOptions {
  journal: Directory;
  index: Directory;
  /** For the documents of new segments; the others keep the ranks they have. */
  ranks: RankTable | null;
  log: Log;
  /** Stops the build at the next opportunity; what was committed stays. */
  signal?: AbortSignal;
  /** How much to gather in memory before a segment is written. */
  flushBytes?: number;
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
  /** Documents in the index when the build ended. */
  docCount: number;
  generation: number;
  /** False if the signal stopped it. */
  complete: boolean;
}

const DEFAULT_FLUSH_BYTES = 64 * 1024 * 1024;
/** What the memory of one changed URL takes, about. */
const TOUCHED_BYTES = 64;

export async function buildIndex(options: BuildOptions): Promise<BuildReport> {
  const writer = new IndexWriter(options.index, options.log);
  try {
    return await new Build(options, writer).run();
  } finally {
    writer.close();
  }
}

class Build {
  readonly #options: BuildOptions;
  readonly #writer: IndexWriter;
  readonly #buffer = new SegmentBuffer();
  readonly #breather: Breather;
  /** URLs with a record since the last flush. */
  readonly #touched = new Set<bigint>();
  #files = 0;
  #pages = 0;
  #deleted = 0;
  #segments = 0;
  #merges = 0;

  constructor(options: BuildOptions, writer: IndexWriter) {
    this.#options = options;
    this.#writer = writer;
    this.#breather = new Breather(options.signal);
  }

  async run(): Promise<BuildReport> {
    const { signal } = this.#options;
    try {
      signal?.throwIfAborted();
      await this.#readJournal();
      await this.#merge();
      return this.#report(true);
    } catch (error) {
      if (!signal?.aborted) throw error;
      return this.#report(false);
    }
  }

  async #readJournal(): Promise<void> {
    let position = this.#writer.journal;
    let segmentsCommitted = 0;
    for (const file of journalFiles(this.#options.journal, position)) {
      await this.#readFile(file);
      position = file;
      this.#files++;
      if (this.#segments === segmentsCommitted) continue;
      await this.#commit(position);
      segmentsCommitted = this.#segments;
    }
    await this.#commit(position);
  }

  async #readFile(file: string): Promise<void> {
    const { flushBytes = DEFAULT_FLUSH_BYTES } = this.#options;
    for (const record of this.#recordsOf(file)) {
      this.#take(record);
      if (this.#bufferedBytes() >= flushBytes) await this.#flush();
      if (this.#breather.isDue) await this.#breather.breathe();
    }
  }

  /** A damaged file must not keep all later ones out of the index for ever. */
  *#recordsOf(file: string): Generator<JournalRecord> {
    try {
      yield* readJournal(this.#options.journal, file);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      this.#options.log.error('journal file damaged: its rest is left out', { file, why: messageOf(error) });
    }
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
    const { index, ranks, log, signal } = this.#options;
    this.#deleted += this.#writer.deleteDocuments(this.#touched);
    this.#touched.clear();
    if (this.#buffer.docCount > 0) {
      const name = this.#writer.reserveName();
      await this.#buffer.write(index, name, orderKey, signal);
      this.#writer.adopt(name, ranks && relativeTo(ranks));
      log.debug('segment written', { segment: name, docs: this.#buffer.docCount });
      this.#segments++;
    }
    this.#buffer.clear();
  }

  async #commit(position: string): Promise<void> {
    await this.#flush();
    this.#writer.commit(position);
  }

  async #merge(): Promise<void> {
    while (await this.#writer.mergeIfDue(orderKey, this.#options.signal)) {
      this.#writer.commit(this.#writer.journal);
      this.#merges++;
    }
  }

  #report(complete: boolean): BuildReport {
    const { docCount, generation } = this.#writer;
    const counts = { files: this.#files, pages: this.#pages, deleted: this.#deleted };
    return { ...counts, segments: this.#segments, merges: this.#merges, docCount, generation, complete };
  }
}

/** The URLs in an index are canonical: this room put them there. */
function orderKey(url: string): string {
  return localityKey(url as CanonicalUrl);
}
