/**
 * Copies journal objects of committed batches to a local directory, where the indexers of this node read them as
 * journal files. A file has the number of its batch among the batches of its writer.
 *
 * An object that is damaged or missing is fetched again at once. If that does not help, its problem is stored beside the
 * batch (damaged-batches.ts), and readers get no later batch of this writer: their positions stay before it, so no page is
 * lost. The other writers continue, and the object is tried again after RETRY_MS.
 *
 * The directory is a cache: it may be lost at any time. `release` removes the files that all indexers have read.
 */
import { type BlobStore, type Directory, type Log, systemCode } from '../../base/mod.ts';
import {
  isRead,
  type JournalPosition,
  journalFiles,
  journalName,
  parseJournalName,
} from '../../journal/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import { journalObject } from './capture-objects.ts';
import { storeBatchProblem } from './damaged-batches.ts';
import { findObjectDamage } from './journal-check.ts';
import { writerName, writerNumber } from './journal-writers.ts';

/** Maximum number of batches of one writer that are copied at once. */
const BATCHES = 64;
const PARALLEL = 8;
const ATTEMPTS = 2;
const RETRY_MS = 5_000;

interface JournalBatch {
  writer: number;
  number: number;
  node: string;
  batch: number;
  /** The name of the object if it was replaced, for example by a purge; null otherwise. */
  journal: string | null;
  journalBytes: number;
  digest: string | null;
  problem: string | null;
}

interface JournalFeedOptions {
  log: Log;
  /** The time after which a damaged object is fetched again. */
  retryMs?: number;
}

export class JournalFeed {
  readonly #sql: ClusterDatabase;
  readonly #objects: BlobStore;
  readonly #log: Log;
  readonly #retryMs: number;
  readonly directory: Directory;
  /** For each file with a damaged object, the time at which the object is fetched again. */
  readonly #heldUntilMs = new Map<string, number>();

  constructor(
    sql: ClusterDatabase,
    objects: BlobStore,
    directory: Directory,
    { log, retryMs = RETRY_MS }: JournalFeedOptions,
  ) {
    this.#sql = sql;
    this.#objects = objects;
    this.directory = directory;
    this.#log = log;
    this.#retryMs = retryMs;
  }

  /**
   * Copies the next batches that a reader at this position has not read. Returns the files to read. The directory may
   * have others, which a reader must not read: they are for readers at other positions, or follow a damaged batch.
   */
  async bring(position: JournalPosition): Promise<string[]> {
    const batches = await this.#after(position);
    const isHere = await this.#copyAll(batches);
    const held = new Set<number>();
    const files = batches.flatMap((batch, index) => {
      if (!isHere[index]) held.add(batch.writer);
      return held.has(batch.writer) ? [] : [fileOf(batch)];
    });
    return files.sort();
  }

  /** Copies all batches of one writer that are not in the directory, except those with damaged objects. */
  async bringWriter(name: string): Promise<void> {
    const copied = new Set(this.directory.list());
    const batches = await this.#sql<JournalBatch[]>`select ${this.#columns()} from gyre.capture_batches b
      where writer = ${writerNumber(name)} and journal_bytes > 0 order by number`;
    await this.#copyAll(batches.filter((batch) => !copied.has(fileOf(batch))));
  }

  /** Removes the files that readers at all these positions have read. */
  release(positions: readonly JournalPosition[]): void {
    for (const name of journalFiles(this.directory))
      if (positions.every((position) => isRead(position, name))) this.directory.remove(name);
  }

  /** Removes a copy that a reader could not read, and holds its batch as one with a damaged object. */
  async refuse(file: string, reason: string): Promise<void> {
    this.directory.remove(file);
    const { number, writer } = parseJournalName(file);
    await this.#hold({ writer: writerNumber(writer), number }, file, reason);
  }

  async #after(position: JournalPosition): Promise<JournalBatch[]> {
    return await this.#sql<JournalBatch[]>`
      select ${this.#columns()} from gyre.journal_writers w
      join lateral (
        select * from gyre.capture_batches b
        where b.writer = w.number and b.journal_bytes > 0
          and b.number > coalesce((${JSON.stringify(position)}::text::json ->> ('n' || w.number))::int, 0)
        order by b.number limit ${BATCHES}
      ) b on true order by b.writer, b.number`;
  }

  #columns() {
    return this.#sql`b.writer, b.number, b.node, b.batch, b.journal, b.problem,
      b.journal_bytes::float8 as "journalBytes", b.journal_digest as digest`;
  }

  /** Returns for each batch whether its file is in the directory now. */
  async #copyAll(batches: readonly JournalBatch[]): Promise<boolean[]> {
    const isHere: boolean[] = [];
    for (let from = 0; from < batches.length; from += PARALLEL)
      isHere.push(
        ...(await Promise.all(batches.slice(from, from + PARALLEL).map((batch) => this.#copy(batch)))),
      );
    return isHere;
  }

  async #copy(batch: JournalBatch): Promise<boolean> {
    const file = fileOf(batch);
    if (this.directory.has(file)) return true;
    if (performance.now() < (this.#heldUntilMs.get(file) ?? 0)) return false;
    const problem = await this.#fetch(batch, file);
    if (problem !== null) {
      await this.#hold(batch, file, problem);
      return false;
    }
    this.#heldUntilMs.delete(file);
    if (batch.problem !== null) {
      await storeBatchProblem(this.#sql, batch, null);
      this.#log.info('journal object whole again', { object: objectOf(batch) });
    }
    return true;
  }

  /** Copies the object of a batch. Returns what is wrong with it, or null. */
  async #fetch(batch: JournalBatch, file: string): Promise<string | null> {
    for (let attempt = 1; ; attempt++) {
      const bytes = await this.#read(objectOf(batch));
      const problem = bytes === null ? 'the object is missing' : findObjectDamage(bytes, file, batch);
      if (problem === null) this.directory.replace(file, bytes!);
      if (problem === null || attempt === ATTEMPTS) return problem;
    }
  }

  /** Returns the bytes of an object; null if there is none. */
  async #read(object: string): Promise<Buffer | null> {
    try {
      return await this.#objects.get(object);
    } catch (error) {
      if (systemCode(error) === 'no-blob') return null;
      throw error;
    }
  }

  async #hold(batch: { writer: number; number: number }, file: string, problem: string): Promise<void> {
    if (!this.#heldUntilMs.has(file))
      this.#log.error('journal object damaged, writer held', { file, problem });
    this.#heldUntilMs.set(file, performance.now() + this.#retryMs);
    await storeBatchProblem(this.#sql, batch, problem);
  }
}

function fileOf({ writer, number }: JournalBatch): string {
  return journalName(number, writerName(writer));
}

function objectOf({ journal, ...batch }: JournalBatch): string {
  return journal ?? journalObject(batch);
}
