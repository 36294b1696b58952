/**
 * Applies the operator's removals to `crawl.db` while no crawl runs.
 *
 *   URL is removed     -> `refused` with the reason `removed`; all that was learned from its responses is deleted
 *   URL is allowed     -> `ready` again, and fetched as if it were new
 *   alias of a removed -> `ready` again if it is not removed itself: its page may now be a document of its own
 *
 * The result depends only on the removals, so applying them again changes nothing, and a crash needs no repair.
 * The row of a URL stays, because it is what keeps the URL from being discovered again.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Directory } from '../../../base/mod.ts';
import { type CanonicalUrl, fingerprintRange, hostOf } from '../../../url/mod.ts';
import { markDatabaseOpen, sealDatabase } from './database-seal.ts';
import { openCrawlState } from './sqlite-state.ts';
import { type Statements, statementsOf } from './sqlite-statements.ts';
import { STATE_FILE } from './sqlite-schema.ts';

const REMOVED = 'removed';

/** The removed URLs. `mayMatch` returns false for a host without removed URLs. */
interface RemovedUrlSet {
  matches(url: CanonicalUrl): boolean;
  mayMatch(host: string): boolean;
  coversHost(origin: string): boolean;
}

interface StateRemovals {
  /** Number of URLs that were removed now, and not by an earlier call. */
  removed: number;
  /** Number of URLs that were removed and are allowed again. */
  allowed: number;
  /** Number of aliases that are fetched again because their document was removed. */
  reopened: number;
}

/** The rows of removed URLs. The keys are fingerprints. */
interface RemovedRow {
  key: bigint;
  url: CanonicalUrl;
  /** True if an earlier call has already removed the URL. */
  isKnown: boolean;
}

/** Returns all known URLs that are removed. Reads only the URLs of hosts that may have one. */
export function findRemovedRows(directory: Directory, removed: RemovedUrlSet): RemovedRow[] {
  // Opening the state upgrades a database of an older format.
  openCrawlState(directory, { readOnly: true }).close();
  const database = new DatabaseSync(join(directory.path, STATE_FILE), { readOnly: true, timeout: 5000 });
  try {
    return removedRows(statementsOf(database), removed);
  } finally {
    database.close();
  }
}

/** Applies the removals in one transaction. The caller holds the lock of the crawl. */
export function applyRemovals(directory: Directory, removed: RemovedUrlSet): StateRemovals {
  return changeDatabase(directory, (database) => {
    database.exec('BEGIN IMMEDIATE');
    const report = apply(statementsOf(database), removed);
    database.exec('COMMIT');
    return report;
  });
}

/**
 * Deletes data from removed pages that is stored with their hosts, such as icons, and rewrites the database
 * file, so that its unused parts contain no old content. Call it after `applyRemovals`.
 */
export function purgeRemovals(directory: Directory, removed: RemovedUrlSet): void {
  changeDatabase(directory, (database) => {
    const statements = statementsOf(database);
    const hosts = hostsOf(statements, removed);
    const noIcon = statements(`UPDATE host SET icon = '', icon_wanted = 0 WHERE id = ?`);
    const noRobots = statements(
      'UPDATE host SET robots_kind = NULL, robots_body = NULL, robots_expires_at = NULL WHERE id = ?',
    );
    const noNotes = statements('DELETE FROM host_note WHERE origin = ?');
    for (const { id, origin } of hosts) {
      noIcon.run(id);
      if (!removed.coversHost(origin)) continue;
      noRobots.run(id);
      noNotes.run(origin);
    }
    database.exec('VACUUM');
  });
}

/** Opens the database for a change, and seals it afterwards. */
function changeDatabase<Result>(directory: Directory, change: (database: DatabaseSync) => Result): Result {
  // Opening the state checks the seal of the database, and upgrades an older format.
  openCrawlState(directory).close();
  markDatabaseOpen(directory);
  const database = new DatabaseSync(join(directory.path, STATE_FILE), { timeout: 5000 });
  let isEmpty = false;
  try {
    const result = change(database);
    isEmpty = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    return result;
  } finally {
    database.close();
    if (isEmpty) sealDatabase(directory, STATE_FILE);
  }
}

interface Host {
  id: number;
  origin: string;
}

function hostsOf(statements: Statements, removed: RemovedUrlSet): Host[] {
  const hosts = statements('SELECT id, origin FROM host').all() as unknown as Host[];
  return hosts.filter(({ origin }) => removed.mayMatch(hostOf(`${origin}/` as CanonicalUrl)));
}

function removedRows(statements: Statements, removed: RemovedUrlSet): RemovedRow[] {
  const read = statements(
    'SELECT fingerprint, url, reason FROM url WHERE fingerprint BETWEEN ? AND ? AND host = ?',
  );
  read.setReadBigInts(true);
  return hostsOf(statements, removed).flatMap(({ id, origin }) => {
    const [first, last] = fingerprintRange(origin);
    const rows = read.all(first, last, id) as unknown as {
      fingerprint: bigint;
      url: CanonicalUrl;
      reason: string;
    }[];
    return rows
      .filter(({ url }) => removed.matches(url))
      .map(({ fingerprint: key, url, reason }) => ({ key, url, isKnown: reason === REMOVED }));
  });
}

function apply(statements: Statements, removed: RemovedUrlSet): StateRemovals {
  const rows = removedRows(statements, removed);
  statements('CREATE TEMP TABLE gone (key INTEGER PRIMARY KEY, url TEXT NOT NULL)').run();
  const add = statements('INSERT OR IGNORE INTO gone VALUES (?, ?)');
  for (const { key, url } of rows) add.run(key, url);
  const allowed = allowAgain(statements, removed);
  const reopened = reopenAliases(statements);
  for (const table of ['capture', 'verdict', 'claim', 'sketch'])
    statements(`DELETE FROM ${table} WHERE fingerprint IN (SELECT key FROM gone)`).run();
  statements('DELETE FROM content WHERE url IN (SELECT url FROM gone)').run();
  statements(
    `UPDATE url SET state = 'refused', attempts = 0, status = 0, reason = '${REMOVED}', fetched_at = 0
      WHERE fingerprint IN (SELECT key FROM gone) AND reason <> '${REMOVED}'`,
  ).run();
  statements('DROP TABLE gone').run();
  return { removed: rows.filter(({ isKnown }) => !isKnown).length, allowed, reopened };
}

function allowAgain(statements: Statements, removed: RemovedUrlSet): number {
  const known = statements(
    `SELECT count FROM outcome WHERE state = 'refused' AND reason = '${REMOVED}'`,
  ).get();
  if (!known) return 0;
  const read = statements(
    `SELECT fingerprint, url FROM url WHERE state = 'refused' AND reason = '${REMOVED}'`,
  );
  read.setReadBigInts(true);
  const rows = read.all() as unknown as { fingerprint: bigint; url: CanonicalUrl }[];
  const wake = statements(`UPDATE url SET state = 'ready', reason = '' WHERE fingerprint = ?`);
  const allowed = rows.filter(({ url }) => !removed.matches(url));
  for (const { fingerprint: key } of allowed) wake.run(key);
  return allowed.length;
}

/**
 * Queues the aliases of removed documents to be fetched like new URLs, because their content was that of the removed
 * document. Aliases that are removed themselves are left out.
 */
function reopenAliases(statements: Statements): number {
  statements(
    `CREATE TEMP TABLE alias AS SELECT fingerprint AS key FROM verdict
      WHERE of_fingerprint IN (SELECT key FROM gone) AND fingerprint NOT IN (SELECT key FROM gone)`,
  ).run();
  statements('DELETE FROM capture WHERE fingerprint IN (SELECT key FROM alias)').run();
  statements('DELETE FROM verdict WHERE fingerprint IN (SELECT key FROM alias)').run();
  const { changes } = statements(
    `UPDATE url SET state = 'ready', attempts = 0, reason = '' WHERE fingerprint IN (SELECT key FROM alias)`,
  ).run();
  statements('DROP TABLE alias').run();
  return Number(changes);
}
