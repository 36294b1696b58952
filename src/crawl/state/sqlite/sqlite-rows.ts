/** Reads and writes all rows of `crawl.db`, to copy a crawl state to a cluster and back (state-rows.ts). */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Directory } from '../../../base/mod.ts';
import { domainOfOrigin } from '../../../url/mod.ts';
import { type CommitMarks, SKETCHES_LOST } from '../crawl-state.ts';
import { PROVEN_PAGES } from '../domain-counts.ts';
import type { StateRow, StateRowSource, StateTable } from '../state-rows.ts';
import { SqliteMarks } from './sqlite-marks.ts';
import { STATE_FILE, upgradeSchema } from './sqlite-schema.ts';
import { type Statements, statementsOf } from './sqlite-statements.ts';

const FINGERPRINT = 'CAST(fingerprint AS TEXT) AS cursor';
const AFTER_KEY = 'WHERE fingerprint > CAST(? AS INTEGER) ORDER BY fingerprint LIMIT ?';
const FIRST_KEY = String(-(2n ** 63n));

/** For each table, the statement that reads its rows after a cursor, and the cursor before the first row. */
const READ: Record<StateTable, { first: string; sql: string }> = {
  host: {
    first: '0',
    sql: `SELECT CAST(id AS TEXT) AS cursor, origin, next_fetch_at, delay_ms, robots_kind,
        iif(robots_kind IS NULL, NULL, hex(robots_body)) AS robots_body, robots_expires_at, failures, parked_reason,
        wait_reason, address, known, links, fetched, useful, work, front, icon, icon_wanted, held_back
      FROM host WHERE id > CAST(? AS INTEGER) ORDER BY id LIMIT ?`,
  },
  url: {
    first: FIRST_KEY,
    sql: `SELECT ${FINGERPRINT}, url, (SELECT origin FROM host WHERE id = url.host) AS origin, depth, found,
        iif(found > coalesce((SELECT json_extract(value, '$.since') FROM mark WHERE name = 'rules'), 0), verb, 0) AS verb,
        state, attempts, status, reason, fetched_at, relevance FROM url ${AFTER_KEY}`,
  },
  capture: {
    first: FIRST_KEY,
    sql: `SELECT ${FINGERPRINT}, summary, etag, last_modified, robots_tag, digest, payload_digest, archived_at, is_document,
        gone_count, interval_ms, due_at, history, hinted_at FROM capture ${AFTER_KEY}`,
  },
  content: {
    first: '',
    sql: `SELECT digest AS cursor, url, fetched_at, payload_digest FROM content WHERE digest > ? ORDER BY digest LIMIT ?`,
  },
  note: {
    first: '',
    sql: `SELECT kind || ' ' || origin AS cursor, kind, origin, value, noted_at FROM host_note
      WHERE kind || ' ' || origin > ? ORDER BY 1 LIMIT ?`,
  },
  verdict: {
    first: FIRST_KEY,
    sql: `SELECT ${FINGERPRINT}, url, kind, CAST(of_fingerprint AS TEXT) AS of_fingerprint,
      of_url FROM verdict ${AFTER_KEY}`,
  },
  claim: { first: FIRST_KEY, sql: `SELECT ${FINGERPRINT}, url, target FROM claim ${AFTER_KEY}` },
  domain: {
    first: '',
    sql: `SELECT name AS cursor, hex(linked_from) AS linked_from FROM domain
      WHERE name > ? AND linked_from <> x'' ORDER BY name LIMIT ?`,
  },
};

const KEY = 'CAST(:cursor AS INTEGER)';

/** For each table, the statement that writes a row. */
const WRITE: Record<StateTable, string> = {
  host: `INSERT INTO host (origin, next_fetch_at, delay_ms, robots_kind, robots_body, robots_expires_at, failures,
      parked_reason, wait_reason, address, known, links, fetched, useful, work, front, icon, icon_wanted, held_back, domain)
    VALUES (:origin, :next_fetch_at, :delay_ms, :robots_kind, unhex(:robots_body), :robots_expires_at, :failures,
      :parked_reason, :wait_reason, :address, :known, :links, :fetched, :useful, :work, :front, :icon, :icon_wanted,
      :held_back, (SELECT id FROM domain WHERE name = registrable_domain(:origin)))`,
  url: `INSERT INTO url (fingerprint, url, host, depth, found, verb, state, attempts, status, reason, fetched_at,
      relevance)
    VALUES (${KEY}, :url, (SELECT id FROM host WHERE origin = :origin), :depth, :found, :verb, :state, :attempts, :status,
      :reason, :fetched_at, :relevance)`,
  capture: `INSERT INTO capture (fingerprint, summary, etag, last_modified, robots_tag, digest, payload_digest, archived_at,
      is_document, sketch, gone_count, interval_ms, due_at, history, hinted_at)
    VALUES (${KEY}, :summary, :etag, :last_modified, :robots_tag, :digest, :payload_digest, :archived_at, :is_document, NULL,
      :gone_count, :interval_ms, :due_at, :history, :hinted_at)`,
  content: 'INSERT INTO content VALUES (:cursor, :url, :fetched_at, :payload_digest)',
  note: 'INSERT INTO host_note (kind, origin, value, noted_at) VALUES (:kind, :origin, :value, :noted_at)',
  verdict: `INSERT INTO verdict VALUES (${KEY}, :url, :kind, CAST(:of_fingerprint AS INTEGER), :of_url)`,
  claim: `INSERT INTO claim VALUES (${KEY}, :url, :target)`,
  domain: 'UPDATE domain SET linked_from = unhex(:linked_from) WHERE name = :cursor',
};

/** The columns of a row that its statement does not use. */
const UNUSED: Partial<Record<StateTable, readonly string[]>> = { host: ['cursor'], note: ['cursor'] };

/** Computes the counts of domains, of URLs by state, and of outcomes. */
const COUNT = `
  UPDATE domain SET (hosts, admitted, proven, fetched, useful) =
    (SELECT count(*), count(*) - sum(held_back), sum(useful >= ${PROVEN_PAGES}), sum(fetched), sum(useful)
      FROM host WHERE host.domain = domain.id);
  INSERT OR REPLACE INTO tally SELECT column1, (SELECT count(*) FROM url WHERE state = column1)
    FROM (VALUES ('ready'), ('done'), ('refused'), ('failed'));
  INSERT OR REPLACE INTO tally SELECT 'found', coalesce(max(found), 0) FROM url;
  INSERT INTO outcome SELECT state, reason, count(*) FROM url WHERE state <> 'ready' GROUP BY state, reason;
`;
const SEEN_BYTES = 8;

/** Opens the rows of a crawl for reading. The caller has opened the state before, which upgrades old formats. */
export function openStateRows(directory: Directory): StateRowSource & { close(): void } {
  const database = new DatabaseSync(join(directory.path, STATE_FILE), { readOnly: true, timeout: 5000 });
  const statements = statementsOf(database);
  return {
    async rows(table, after, limit) {
      const { first, sql } = READ[table];
      return statements(sql).all(after === '' ? first : after, limit) as StateRow[];
    },
    async rulesKey() {
      return new SqliteMarks(statements, STATE_FILE).rules()?.key ?? null;
    },
    close: () => database.close(),
  };
}

/** Writes the rows of another crawl state to a new `crawl.db`. */
export class StateRowWriter {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;

  /** The directory must have no `crawl.db`. */
  constructor(directory: Directory) {
    const file = join(directory.path, STATE_FILE);
    this.#database = new DatabaseSync(file);
    upgradeSchema(this.#database, file);
    this.#statements = statementsOf(this.#database);
    this.#database.function('registrable_domain', { deterministic: true }, (origin) =>
      domainOfOrigin(String(origin)),
    );
  }

  write(table: StateTable, rows: readonly StateRow[]): void {
    this.#inTransaction(() => {
      const insert = this.#statements(WRITE[table]);
      for (const row of rows) {
        if (table === 'host') this.#addDomain(String(row.origin));
        insert.run(without(row, UNUSED[table] ?? []));
      }
    });
  }

  /**
   * Computes the counts, writes the marks of the files beside the database, and closes it. `seen.log` is counted but
   * missing and the sketches count as lost, so the next crawl rebuilds both.
   */
  finish(marks: Pick<CommitMarks, 'warc' | 'journal'>, rulesKey: string | null): void {
    this.#inTransaction(() => {
      this.#database.exec(COUNT);
      const stored = new SqliteMarks(this.#statements, STATE_FILE);
      const { count } = this.#statements('SELECT count(*) AS count FROM url').get()!;
      stored.write({ ...marks, seenBytes: Number(count) * SEEN_BYTES, sketches: SKETCHES_LOST });
      if (rulesKey !== null) stored.writeRules({ key: rulesKey, since: 0 });
    });
    this.#database.close();
  }

  #addDomain(origin: string): void {
    this.#statements('INSERT OR IGNORE INTO domain (name) VALUES (?)').run(domainOfOrigin(origin));
  }

  #inTransaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function without(row: StateRow, unused: readonly string[]): Record<string, string | number | null> {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !unused.includes(column)));
}
