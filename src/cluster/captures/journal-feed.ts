/**
 * Copies journal objects of committed batches to a local directory, where the indexers of this node read them as
 * journal files. A file has the number of its batch among the batches of its writer.
 *
 * The directory is a cache: it may be lost at any time. `release` removes the files that all indexers have read.
 */
import type { BlobStore, Directory } from '../../base/mod.ts';
import { isRead, type JournalPosition, journalFiles, journalName } from '../../journal/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import { journalObject } from './capture-objects.ts';
import { writerName, writerNumber } from './journal-writers.ts';

/** Maximum number of batches of one writer that are copied at once. */
const BATCHES = 64;
const PARALLEL = 8;

interface JournalBatch {
  writer: number;
  number: number;
  node: string;
  batch: number;
  /** The name of the object if the batch was purged; null otherwise. */
  journal: string | null;
}

export class JournalFeed {
  readonly #sql: ClusterDatabase;
  readonly #objects: BlobStore;
  readonly directory: Directory;

  constructor(sql: ClusterDatabase, objects: BlobStore, directory: Directory) {
    this.#sql = sql;
    this.#objects = objects;
    this.directory = directory;
  }

  /** Copies the next batches that a reader at this position has not read. Returns their number. */
  async bring(position: JournalPosition): Promise<number> {
    const batches = await this.#after(position);
    await this.#copyAll(batches);
    return batches.length;
  }

  /** Copies all batches of one writer that are not in the directory. */
  async bringWriter(name: string): Promise<void> {
    const copied = new Set(this.directory.list());
    const batches = await this.#sql<JournalBatch[]>`
      select writer, number, node, batch, journal from gyre.capture_batches
      where writer = ${writerNumber(name)} and journal_bytes > 0 order by number`;
    await this.#copyAll(batches.filter(({ number }) => !copied.has(journalName(number, name))));
  }

  /** Removes the files that readers at all these positions have read. */
  release(positions: readonly JournalPosition[]): void {
    for (const name of journalFiles(this.directory))
      if (positions.every((position) => isRead(position, name))) this.directory.remove(name);
  }

  async #after(position: JournalPosition): Promise<JournalBatch[]> {
    return await this.#sql<JournalBatch[]>`
      select b.writer, b.number, b.node, b.batch, b.journal from gyre.journal_writers w
      join lateral (
        select * from gyre.capture_batches b
        where b.writer = w.number and b.journal_bytes > 0
          and b.number > coalesce((${JSON.stringify(position)}::text::json ->> ('n' || w.number))::int, 0)
        order by b.number limit ${BATCHES}
      ) b on true order by b.writer, b.number`;
  }

  async #copyAll(batches: readonly JournalBatch[]): Promise<void> {
    for (let from = 0; from < batches.length; from += PARALLEL)
      await Promise.all(batches.slice(from, from + PARALLEL).map((batch) => this.#copy(batch)));
  }

  async #copy({ writer, number, journal, ...batch }: JournalBatch): Promise<void> {
    const name = journalName(number, writerName(writer));
    if (this.directory.has(name)) return;
    this.directory.replace(name, await this.#objects.get(journal ?? journalObject(batch)));
  }
}
