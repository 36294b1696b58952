/**
 * The table of URLs: every known URL and the outcome of its last visit. A trigger counts the outcomes, so that
 * `gyre status` does not scan all URLs.
 */
import { GyreError } from '../../base/mod.ts';
import { type CanonicalUrl, fingerprint, originOf } from '../../url/mod.ts';
import type { FetchVerb, Problem, ReadyUrl, ReasonCount, UrlResult } from './crawl-state.ts';
import { DOCTOR_ADVICE } from './database-seal.ts';
import { decodeReason, decodeUrlReason, encodeUrlReason, type ParkedReason } from './reasons.ts';
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
  readonly #file: string;

  /** `file` is the path of the database, which error messages contain. */
  constructor(statements: Statements, file: string) {
    this.#statements = statements;
    this.#file = file;
  }

  /**
   * Returns ready URLs of a host. URLs discovered after number `decidedSince` have a decision of the current URL
   * rules.
   */
  ready(origin: string, limit: number, decidedSince: number): ReadyUrl[] {
    const sql = `SELECT url, depth, attempts, iif(found > ?, verb, 0) AS verb,
      fingerprint >> 32 AS high, fingerprint & 0xffffffff AS low FROM url
      WHERE host = (SELECT id FROM host WHERE origin = ?) AND state = 'ready' ORDER BY depth, found LIMIT ?`;
    const rows = this.#statements(sql).all(decidedSince, origin, limit) as unknown as ReadyRow[];
    return rows.map(({ url, depth, attempts, verb, high, low }) => {
      const key = this.#checked(url, (BigInt(high) << 32n) | BigInt(low));
      if (originOf(url) !== origin) throw this.#damaged('host', `the origin of ${url}`, origin);
      return { url, fingerprint: key, depth, attempts, verb: VERBS[verb] ?? null };
    });
  }

  byFingerprint(fingerprint: bigint): CanonicalUrl | null {
    const url = this.#statements('SELECT url FROM url WHERE fingerprint = ?').get(fingerprint)?.url;
    if (url === undefined) return null;
    this.#checked(url as CanonicalUrl, fingerprint);
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

  /** Counts fetched URLs by reason. It reads one row per outcome and one per alias, not one per URL. */
  answers(): ReasonCount[] {
    const read = (sql: string) =>
      this.#statements(sql).all() as unknown as { reason: string; count: number }[];
    const counts = new Map(
      read(`SELECT reason, count FROM outcome WHERE state = 'done'`).map(({ reason, count }) => [
        reason,
        count,
      ]),
    );
    const aliases = read(`SELECT kind AS reason, count(*) AS count
      FROM verdict CROSS JOIN url ON url.fingerprint = verdict.fingerprint
      WHERE url.state = 'done' AND url.reason = 'page' GROUP BY kind`);
    for (const { reason, count } of aliases) {
      counts.set('page', (counts.get('page') ?? 0) - count);
      counts.set(reason, (counts.get(reason) ?? 0) + count);
    }
    return [...counts]
      .filter(([, count]) => count > 0)
      .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
      .map(([reason, count]) => ({ reason: decodeUrlReason(reason), count }));
  }

  problems(limit: number): Problem[] {
    const sql = `SELECT reason, parked, sum(count) AS count FROM (
        SELECT reason, '' AS parked, count FROM outcome WHERE state IN ('refused', 'failed')
        UNION ALL SELECT '', parked_reason, 1 FROM host WHERE parked_reason <> '')
      GROUP BY reason, parked ORDER BY count DESC, reason, parked LIMIT ?`;
    const rows = this.#statements(sql).all(limit) as unknown as {
      reason: string;
      parked: string;
      count: number;
    }[];
    return rows.map(({ reason, parked, count }) => {
      const parkedReason = decodeReason<ParkedReason>(parked);
      return parkedReason ? { parked: parkedReason, count } : { reason: decodeUrlReason(reason), count };
    });
  }

  /** Rejects a URL whose fingerprint differs from the one under which it is stored. */
  #checked(url: CanonicalUrl, stored: bigint): bigint {
    const actual = fingerprint(url);
    if (actual === stored) return actual;
    throw this.#damaged('url', `a URL with the fingerprint ${hex(stored)}`, `${url} with ${hex(actual)}`);
  }

  #damaged(table: string, expected: string, got: string): GyreError {
    return damagedRow(`${this.#file}, table ${table}`, expected, got);
  }
}

interface ReadyRow {
  url: CanonicalUrl;
  depth: number;
  attempts: number;
  verb: number;
  /**
   * High and low 32 bits of the fingerprint. Two numbers are used, because node:sqlite can return BigInts only for
   * all columns of a statement.
   */
  high: number;
  low: number;
}

/** Decisions of the URL rules, by their number in the table. */
const VERBS: readonly (FetchVerb | null)[] = [null, 'index', 'follow'];

export function encodeVerb(verb: FetchVerb | undefined): number {
  return verb === undefined ? 0 : VERBS.indexOf(verb);
}

function hex(fingerprint: bigint): string {
  return BigInt.asUintN(64, fingerprint).toString(16).padStart(16, '0');
}

/** Returns an error like a `CorruptError` for a location that is not a byte offset. */
export function damagedRow(place: string, expected: string, got: string): GyreError {
  return new GyreError('corrupt-file', `${place}: expected ${expected}, got ${got}; ${DOCTOR_ADVICE}`);
}
