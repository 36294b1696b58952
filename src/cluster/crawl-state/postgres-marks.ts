/**
 * Reads and writes the marks of a node: the valid lengths of its files, the time of its last commit, and the price of
 * its visits. They belong to the node, not to its vnodes: the next owner of a vnode has other files.
 */
import { sealJson } from '../../base/mod.ts';
import { type CommitMarks, parseMarks } from '../../crawl/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import { PLACE } from './postgres-urls.ts';

interface MarkRow {
  marks: string | null;
  schedule: string | null;
  committedAt: number | null;
}

export class PostgresMarks {
  readonly #sql: ClusterDatabase;
  readonly #node: string;

  constructor(sql: ClusterDatabase, node: string) {
    this.#sql = sql;
    this.#node = node;
  }

  /** Returns the marks of the last commit; null before the first. */
  async read(): Promise<CommitMarks | null> {
    const marks = (await this.#row())?.marks ?? null;
    return marks === null
      ? null
      : parseMarks(marks, `${PLACE.name}, table crawl_marks, node ${this.#node}`, PLACE.advice);
  }

  async committedAt(): Promise<number | null> {
    return (await this.#row())?.committedAt ?? null;
  }

  async schedule(): Promise<string | null> {
    return (await this.#row())?.schedule ?? null;
  }

  /** Writes the marks, the time of the commit and the schedule. A value that is not given is kept. */
  async write(
    tx: Transaction,
    { marks, now, schedule }: { marks?: CommitMarks; now?: number; schedule?: string | undefined },
  ): Promise<void> {
    const sealed = marks ? sealJson(marks).toString() : null;
    await tx`insert into gyre.crawl_marks as m (node, marks, committed_at, schedule)
      values (${this.#node}, ${sealed}, ${now ?? null}, ${schedule ?? null})
      on conflict (node) do update set marks = coalesce(excluded.marks, m.marks),
        committed_at = coalesce(excluded.committed_at, m.committed_at),
        schedule = coalesce(excluded.schedule, m.schedule)`;
  }

  async #row(): Promise<MarkRow | undefined> {
    const [row] = await this.#sql<MarkRow[]>`
      select marks, schedule, committed_at::float8 as "committedAt" from gyre.crawl_marks where node = ${this.#node}`;
    return row;
  }
}
