/**
 * Reads and writes the tables of crawl knowledge (notes, verdicts, sketches, claims). They are in the same file
 * and change in the same transactions as the URLs.
 */
import type { SQLOutputValue } from 'node:sqlite';
import { type CanonicalUrl, fingerprint } from '../../../url/mod.ts';
import type {
  CanonicalClaim,
  FindingsBatch,
  HostNote,
  IdentityVerdict,
  NoteKind,
  Outcome,
  VerdictKind,
} from '../crawl-knowledge.ts';
import type { Discovered, UrlState } from '../crawl-state.ts';
import { decodeUrlReason } from '../reasons.ts';
import type { Statements } from './sqlite-statements.ts';

export const FINDINGS_SCHEMA = `
  CREATE TABLE host_note (
    kind TEXT NOT NULL,
    origin TEXT NOT NULL,
    value TEXT NOT NULL,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (kind, origin)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE verdict (
    fingerprint INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    kind TEXT NOT NULL,
    of_fingerprint INTEGER,
    of_url TEXT
  ) STRICT;
  CREATE INDEX verdict_of ON verdict (of_fingerprint) WHERE of_fingerprint IS NOT NULL;
  CREATE TABLE sketch (fingerprint INTEGER PRIMARY KEY, entry INTEGER NOT NULL) STRICT;
  CREATE TABLE claim (
    fingerprint INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    target TEXT NOT NULL
  ) STRICT;
`;

const NOTE_COLUMNS = 'origin, kind, value, noted_at AS notedAt';
const VERDICT_COLUMNS = 'url, kind, of_url AS "of"';

type Row = Record<string, SQLOutputValue>;

export class SqliteFindings {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  notesOf(origins: Iterable<string>, kind: NoteKind): HostNote[] {
    const read = this.#statements(`SELECT ${NOTE_COLUMNS} FROM host_note WHERE kind = ? AND origin = ?`);
    return Array.from(origins, (origin) => read.get(kind, origin) as unknown as HostNote).filter(Boolean);
  }

  notes(kind: NoteKind): HostNote[] {
    const sql = `SELECT ${NOTE_COLUMNS} FROM host_note WHERE kind = ? ORDER BY origin`;
    return this.#statements(sql).all(kind) as unknown as HostNote[];
  }

  sketchesOf(keys: Iterable<bigint>): Map<bigint, number> {
    return this.#byKey(keys, 'SELECT entry FROM sketch WHERE fingerprint = ?', (row) => row.entry as number);
  }

  claims(after: bigint | null, limit: number): CanonicalClaim[] {
    const where = after === null ? '' : 'WHERE fingerprint > ?';
    const page = this.#statements(`SELECT url, target FROM claim ${where} ORDER BY fingerprint LIMIT ?`);
    const rows = after === null ? page.all(limit) : page.all(after, limit);
    return rows as unknown as CanonicalClaim[];
  }

  outcomesOf(keys: Iterable<bigint>): Map<bigint, Outcome> {
    const sql = `SELECT state, reason, kind AS verdict FROM url
      LEFT JOIN verdict ON verdict.fingerprint = url.fingerprint WHERE url.fingerprint = ?`;
    return this.#byKey(keys, sql, ({ state, reason, verdict }) => ({
      state: state as UrlState,
      reason: decodeUrlReason(reason as string),
      verdict: verdict as VerdictKind | null,
    }));
  }

  namesOf(url: CanonicalUrl): IdentityVerdict[] {
    const sql = `SELECT ${VERDICT_COLUMNS} FROM verdict WHERE of_fingerprint = ? ORDER BY url`;
    return this.#statements(sql).all(fingerprint(url)) as unknown as IdentityVerdict[];
  }

  verdictOf(url: CanonicalUrl): IdentityVerdict | null {
    const sql = `SELECT ${VERDICT_COLUMNS} FROM verdict WHERE fingerprint = ?`;
    return (this.#statements(sql).get(fingerprint(url)) as unknown as IdentityVerdict | undefined) ?? null;
  }

  verdicts(after: bigint | null, limit: number): IdentityVerdict[] {
    const where = after === null ? '' : 'WHERE fingerprint > ?';
    const sql = `SELECT ${VERDICT_COLUMNS} FROM verdict ${where} ORDER BY fingerprint LIMIT ?`;
    const rows = after === null ? this.#statements(sql).all(limit) : this.#statements(sql).all(after, limit);
    return rows as unknown as IdentityVerdict[];
  }

  verdictCounts(): { kind: VerdictKind; count: number }[] {
    const sql = 'SELECT kind, count(*) AS count FROM verdict GROUP BY kind ORDER BY count DESC, kind';
    return this.#statements(sql).all() as unknown as { kind: VerdictKind; count: number }[];
  }

  #byKey<Value>(keys: Iterable<bigint>, sql: string, read: (row: Row) => Value): Map<bigint, Value> {
    const statement = this.#statements(sql);
    const found = new Map<bigint, Value>();
    for (const key of keys) {
      const row = statement.get(key);
      if (row) found.set(key, read(row));
    }
    return found;
  }

  /** Writes the findings of a commit, within its transaction. Returns the URLs that became ready again. */
  write(batch: FindingsBatch): Discovered[] {
    this.#writeNotes(batch);
    this.#writeVerdicts(batch);
    this.#writeClaims(batch);
    const keepSketch = this.#statements('INSERT OR REPLACE INTO sketch VALUES (?, ?)');
    for (const [key, entry] of batch.sketches) keepSketch.run(key, entry);
    return this.#reopen(batch);
  }

  #writeNotes({ notes }: FindingsBatch): void {
    const keep = this.#statements('INSERT OR REPLACE INTO host_note VALUES (?, ?, ?, ?)');
    for (const { kind, origin, value, notedAt } of notes.values()) {
      keep.run(kind, origin, value, Math.round(notedAt));
    }
  }

  #writeVerdicts({ verdicts }: FindingsBatch): void {
    const keep = this.#statements('INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?, ?)');
    const forget = this.#statements('DELETE FROM verdict WHERE fingerprint = ?');
    for (const [key, verdict] of verdicts) {
      if (verdict === null) forget.run(key);
      else keep.run(key, verdict.url, verdict.kind, verdict.of && fingerprint(verdict.of), verdict.of);
    }
  }

  #writeClaims({ claims }: FindingsBatch): void {
    const open = this.#statements('INSERT OR REPLACE INTO claim VALUES (?, ?, ?)');
    const settle = this.#statements('DELETE FROM claim WHERE fingerprint = ?');
    for (const [key, claim] of claims) {
      if (claim === null) settle.run(key);
      else open.run(key, claim.url, claim.target);
    }
  }

  #reopen({ reopened }: FindingsBatch): Discovered[] {
    const reopen = this.#statements(
      `UPDATE url SET state = 'ready', reason = '' WHERE fingerprint = ? AND state = 'refused' RETURNING url, depth`,
    );
    return [...reopened].flatMap((key) => {
      const row = reopen.get(key);
      return row ? [{ url: row.url as CanonicalUrl, fingerprint: key, depth: row.depth as number }] : [];
    });
  }
}
