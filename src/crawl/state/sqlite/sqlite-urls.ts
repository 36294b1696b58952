/**
 * The table of URLs: every known URL and the outcome of its last visit. A trigger counts the outcomes, so that
 * `gyre status` does not scan all URLs.
 */
import type { CanonicalUrl } from '../../../url/mod.ts';
import type { Problem, ReadyUrl, ReasonCount, UrlResult } from '../crawl-state.ts';
import { decodeVerb } from '../discovery.ts';
import { encodeUrlReason } from '../reasons.ts';
import {
  answersOf,
  checkStoredUrl,
  checkUrlOfHost,
  type DatabasePlace,
  problemOfRow,
  type StoredCount,
} from '../stored-rows.ts';
import { DOCTOR_ADVICE } from './database-seal.ts';
import type { Statements } from './sqlite-statements.ts';

export const OUTCOMES_SCHEMA = `
  CREATE TABLE outcome (
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (state, reason)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO outcome SELECT state, reason, count(*) FROM url WHERE state <> 'ready' GROUP BY state, reason;
  CREATE TRIGGER url_outcome AFTER UPDATE OF state, reason ON url
    WHEN old.state <> new.state OR old.reason <> new.reason BEGIN
    UPDATE outcome SET count = count - 1 WHERE state = old.state AND reason = old.reason;
    DELETE FROM outcome WHERE state = old.state AND reason = old.reason AND count = 0;
    INSERT INTO outcome SELECT new.state, new.reason, 1 WHERE new.state <> 'ready'
      ON CONFLICT DO UPDATE SET count = count + 1;
  END;
  DROP INDEX url_problem;
`;

export class SqliteUrls {
  readonly #statements: Statements;
  readonly #place: DatabasePlace;

  /** `file` is the path of the database, which error messages contain. */
  constructor(statements: Statements, file: string) {
    this.#statements = statements;
    this.#place = sqlitePlace(file);
  }

  /**
   * Returns ready URLs of a host. URLs discovered after number `decidedSince` have a decision of the current URL
   * rules.
   */
  ready(origin: string, limit: number, decidedSince: number): ReadyUrl[] {
    const sql = `SELECT url, depth, attempts, relevance, iif(found > ?, verb, 0) AS verb,
      fingerprint >> 32 AS high, fingerprint & 0xffffffff AS low FROM url
      WHERE host = (SELECT id FROM host WHERE origin = ?) AND state = 'ready'
      ORDER BY relevance DESC, depth, found LIMIT ?`;
    const rows = this.#statements(sql).all(decidedSince, origin, limit) as unknown as ReadyRow[];
    return rows.map(({ url, depth, attempts, relevance, verb, high, low }) => {
      const key = checkUrlOfHost(url, (BigInt(high) << 32n) | BigInt(low), origin, this.#place);
      const known = { url, fingerprint: key, depth, attempts, verb: decodeVerb(verb) };
      return relevance > 0 ? { ...known, relevance } : known;
    });
  }

  byFingerprint(fingerprint: bigint): CanonicalUrl | null {
    const url = this.#statements('SELECT url FROM url WHERE fingerprint = ?').get(fingerprint)?.url;
    if (url === undefined) return null;
    checkStoredUrl(url as CanonicalUrl, fingerprint, this.#place);
    return url as CanonicalUrl;
  }

  fingerprints(after: bigint | null, limit: number): bigint[] {
    const where = after === null ? '' : 'WHERE fingerprint > ?';
    const statement = this.#statements(`SELECT fingerprint FROM url ${where} ORDER BY fingerprint LIMIT ?`);
    statement.setReadBigInts(true);
    const rows = after === null ? statement.all(limit) : statement.all(after, limit);
    return rows.map(({ fingerprint }) => fingerprint as bigint);
  }

  /** Writes the results of visits. Must run within a transaction. */
  write(results: readonly UrlResult[]): void {
    const update = this.#statements(
      'UPDATE url SET state = ?, attempts = ?, status = ?, reason = ?, fetched_at = ? WHERE fingerprint = ?',
    );
    for (const result of results) {
      const { state, attempts, status, reason, fetchedAt } = result;
      update.run(state, attempts, status, encodeUrlReason(reason), fetchedAt, result.fingerprint);
    }
  }

  /** Makes the URLs ready that URL rules refused. It reads all URLs, but only if there are such URLs. */
  reopenRefusedByRules(): void {
    const byRules = `state = 'refused' AND reason LIKE '{"code":"url-rule"%'`;
    if (!this.#statements(`SELECT 1 FROM outcome WHERE ${byRules}`).get()) return;
    this.#statements(`UPDATE url SET state = 'ready', attempts = 0 WHERE ${byRules}`).run();
  }

  /** Counts fetched URLs by reason. It reads one row per outcome and one per alias, not one per URL. */
  answers(): ReasonCount[] {
    const read = (sql: string) => this.#statements(sql).all() as unknown as StoredCount[];
    return answersOf(
      read(`SELECT reason, count FROM outcome WHERE state = 'done'`),
      read(`SELECT kind AS reason, count(*) AS count
        FROM verdict CROSS JOIN url ON url.fingerprint = verdict.fingerprint
        WHERE url.state = 'done' AND url.reason = 'page' GROUP BY kind`),
    );
  }

  problems(limit: number): Problem[] {
    const sql = `SELECT reason, parked, sum(count) AS count FROM (
        SELECT reason, '' AS parked, count FROM outcome WHERE state IN ('refused', 'failed')
        UNION ALL SELECT '', parked_reason, 1 FROM host WHERE parked_reason <> '')
      GROUP BY reason, parked ORDER BY count DESC, reason, parked LIMIT ?`;
    const rows = this.#statements(sql).all(limit) as unknown as (StoredCount & { parked: string })[];
    return rows.map(problemOfRow);
  }
}

interface ReadyRow {
  url: CanonicalUrl;
  depth: number;
  attempts: number;
  relevance: number;
  verb: number;
  /**
   * High and low 32 bits of the fingerprint. Two numbers are used, because node:sqlite can return BigInts only for
   * all columns of a statement.
   */
  high: number;
  low: number;
}

/** Names a database file in error messages. */
export function sqlitePlace(file: string): DatabasePlace {
  return { name: file, advice: DOCTOR_ADVICE };
}
