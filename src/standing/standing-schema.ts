/**
 * The tables of `standing.db`: saved queries, what they found, and what is still to be delivered.
 *
 *   query     a standing query
 *     id, name, query, new_only        new_only is 1 if changes of known pages are not reported
 *     since                            JSON: the journal position of the index when the query was saved
 *     feed, own                        secrets in addresses: of its feeds; of its page, or null for one of an operator
 *     created_at, read_at, digest_to   read_at: last request for a feed; digest_to: last id in a digest
 *     hook_url, hook_secret            its webhook, or null
 *     hook_stopped                     why the webhook is no longer called, or null
 *   found     a page that a query found, oldest first; a page that changes is found again
 *     id, uid, query, change           uid is the id for readers; change is "new" or "changed"
 *     fingerprint, url, title, snippet, fetched_at, found_at
 *     delivery                         id of the delivery that has it, or null
 *   delivery  a message for a webhook; `found` has its pages
 *     id, uid, query, state            "waiting", "delivered" or "parked"
 *     attempts, due_at, created_at, settled_at, problem
 *   page      every page that the journal had so far, to tell new and changed pages from others
 *     fingerprint, text_key, fetched_at    text_key is a hash of title and text, or null if it never was findable
 *   mark      "progress", and JSON: Progress in standing-store.ts
 *
 * Times are milliseconds since 1970. Bytes of deleted rows are overwritten (secure_delete), so that a purge needs no
 * other step; there is no write-ahead log, which would keep them.
 */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { type Directory, GyreError, messageOf, UsageError } from '../base/mod.ts';

const STANDING_FILE = 'standing.db';
const VERSION = 1;
const OWNER_ONLY = 0o600;
/** The time for which a process waits while another one writes. */
const BUSY_MS = 5000;

const SCHEMA = `
CREATE TABLE query (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  query TEXT NOT NULL,
  new_only INTEGER NOT NULL,
  since TEXT NOT NULL,
  feed TEXT NOT NULL UNIQUE,
  own TEXT UNIQUE,
  created_at INTEGER NOT NULL,
  read_at INTEGER NOT NULL,
  digest_to INTEGER NOT NULL DEFAULT 0,
  hook_url TEXT,
  hook_secret TEXT,
  hook_stopped TEXT
);
CREATE TABLE delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  query INTEGER NOT NULL REFERENCES query ON DELETE CASCADE,
  state TEXT NOT NULL DEFAULT 'waiting',
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  problem TEXT
);
CREATE INDEX delivery_order ON delivery (query, state, id);
CREATE TABLE found (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  query INTEGER NOT NULL REFERENCES query ON DELETE CASCADE,
  change TEXT NOT NULL,
  fingerprint INTEGER NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  snippet TEXT NOT NULL,
  fetched_at INTEGER NOT NULL,
  found_at INTEGER NOT NULL,
  delivery INTEGER REFERENCES delivery ON DELETE SET NULL
);
CREATE INDEX found_order ON found (query, id);
CREATE INDEX found_page ON found (fingerprint);
CREATE INDEX found_delivery ON found (delivery);
CREATE TABLE page (
  fingerprint INTEGER PRIMARY KEY,
  text_key INTEGER,
  fetched_at INTEGER NOT NULL
);
CREATE INDEX page_text ON page (text_key);
CREATE TABLE mark (name TEXT PRIMARY KEY, value TEXT NOT NULL);
PRAGMA user_version = ${VERSION};
`;

/** Returns true if the data directory has standing queries, or had some. */
export function hasStanding(root: Directory): boolean {
  return root.has(STANDING_FILE);
}

/** Opens the database, and creates it if it does not exist. Only its owner may read it, because it has secrets. */
export function openStandingDatabase(root: Directory): DatabaseSync {
  const file = join(root.path, STANDING_FILE);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: BUSY_MS });
    database.exec('PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;');
    if (versionOf(database) === 0) create(database, file);
    const version = versionOf(database);
    if (version === VERSION) return database;
    throw new UsageError(
      'newer-format',
      `${file} was written by a newer Gyre (format ${version}, this one reads ${VERSION}): upgrade Gyre`,
    );
  } catch (cause) {
    database?.close();
    if (cause instanceof GyreError) throw cause;
    const advice =
      'check that the directory is writable; if the file is damaged, restore it from a backup or delete it';
    throw new UsageError('standing-queries', `cannot open ${file}: ${messageOf(cause)}; ${advice}`, {
      cause,
    });
  }
}

/** Creates the tables, unless another process does the same at this moment. */
function create(database: DatabaseSync, file: string): void {
  chmodSync(file, OWNER_ONLY);
  database.exec('BEGIN IMMEDIATE');
  try {
    if (versionOf(database) === 0) database.exec(SCHEMA);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function versionOf(database: DatabaseSync): number {
  return database.prepare('PRAGMA user_version').get()!.user_version as number;
}

/** A number of pages that no database has, so that all are copied in one step, as of one moment. */
const ALL_PAGES = 2 ** 31 - 1;

/** Copies the database into another directory; does nothing if there is none. */
export async function copyStanding(from: Directory, to: Directory): Promise<void> {
  if (!hasStanding(from)) return;
  const database = openStandingDatabase(from);
  const file = join(to.path, STANDING_FILE);
  try {
    await backup(database, file, { rate: ALL_PAGES });
    chmodSync(file, OWNER_ONLY);
  } finally {
    database.close();
  }
}

/** Returns what is wrong with the database; null if it is sound. Throws a UsageError if it cannot be opened. */
export function checkStanding(root: Directory): string | null {
  const database = openStandingDatabase(root);
  try {
    const { integrity_check: found } = database.prepare('PRAGMA integrity_check(1)').get()!;
    return found === 'ok' ? null : String(found).replaceAll('\n', ' ');
  } finally {
    database.close();
  }
}

/** Runs `change` in a transaction, which is undone if it throws. */
export function withTransaction<Result>(database: DatabaseSync, change: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = change();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
