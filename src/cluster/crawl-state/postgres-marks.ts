/**
 * Reads and writes the marks of a node: the valid lengths of its files, and the time of its last commit. They belong
 * to the node, not to its vnodes: the next owner of a vnode has other files.
 */
import { sealJson } from '../../base/mod.ts';
import { type CommitMarks, parseMarks } from '../../crawl/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import { PLACE } from './postgres-urls.ts';

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

  /** Writes the marks, the time of the commit, or both. A value that is not given is kept. */
  async write(tx: Transaction, { marks, now }: { marks?: CommitMarks; now?: number }): Promise<void> {
    const sealed = marks ? sealJson(marks).toString() : null;
    await tx`insert into gyre.crawl_marks as m (node, marks, committed_at)
      values (${this.#node}, ${sealed}, ${now ?? null})
      on conflict (node) do update set marks = coalesce(excluded.marks, m.marks),
        committed_at = coalesce(excluded.committed_at, m.committed_at)`;
  }

  async #row(): Promise<{ marks: string | null; committedAt: number | null } | undefined> {
    const [row] = await this.#sql<{ marks: string | null; committedAt: number | null }[]>`
      select marks, committed_at::float8 as "committedAt" from gyre.crawl_marks where node = ${this.#node}`;
    return row;
  }
}
