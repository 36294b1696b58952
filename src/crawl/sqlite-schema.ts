/**
 * The tables of `crawl.db`, as the steps by which they came to be. A new database takes all of them, an
 * old one those it lacks, each step in a transaction of its own with the version that it leads to. A step
 * that was released never changes: what should be otherwise is another step at the end.
 *
 *   host      an origin: when it may be asked next, its robots.txt, why it is set aside
 *   url       every URL that is known, by its fingerprint, and what came of it
 *   content   which URL has a body, by the digest of the body
 *   capture   what is remembered of the last answer of a URL, for when it is asked again
 *   mark      how far the files beside the database are valid
 *   host_note, verdict, sketch, claim   what was found out about hosts and pages
 */
import type { DatabaseSync } from 'node:sqlite';
import { UsageError } from '../base/mod.ts';
import { FINDINGS_SCHEMA } from './sqlite-findings.ts';
import { FRONTIER_SCHEMA } from './sqlite-hosts.ts';

const STEPS: readonly string[] = [
  `CREATE TABLE host (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE,
    next_fetch_at INTEGER NOT NULL DEFAULT 0,
    delay_ms INTEGER NOT NULL DEFAULT 0,
    known INTEGER NOT NULL DEFAULT 0,
    robots_kind TEXT,
    robots_body BLOB,
    robots_expires_at INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    set_aside TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE TABLE url (
    fingerprint INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    host INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    found INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'ready',
    attempts INTEGER NOT NULL DEFAULT 0,
    status INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    fetched_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX url_ready ON url (host, depth, found) WHERE state = 'ready';
  CREATE TABLE content (
    digest TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    fetched_at INTEGER NOT NULL,
    payload_digest TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE mark (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`,

  FINDINGS_SCHEMA,
  FRONTIER_SCHEMA,

  `CREATE TABLE capture (
    fingerprint INTEGER PRIMARY KEY,
    said TEXT NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    robots_tag TEXT NOT NULL,
    digest TEXT NOT NULL,
    payload_digest TEXT NOT NULL,
    archived_at INTEGER NOT NULL,
    is_document INTEGER NOT NULL,
    sketch INTEGER,
    gone_count INTEGER NOT NULL,
    interval_ms INTEGER NOT NULL,
    due_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX capture_due ON capture (due_at) WHERE due_at > 0;
  ALTER TABLE host ADD COLUMN waits_for TEXT NOT NULL DEFAULT '';`,
];

export const SCHEMA_VERSION = STEPS.length;

/** Brings the database up to date. One that a newer Gyre wrote is refused, and not touched. */
export function upgradeSchema(database: DatabaseSync, file: string): void {
  const version = schemaVersion(database);
  if (version > SCHEMA_VERSION) {
    throw new UsageError(
      'newer-format',
      `${file} was written by a newer Gyre (format ${version}, this one reads ${SCHEMA_VERSION}): upgrade Gyre or name another directory with --data`,
    );
  }
  if (version === SCHEMA_VERSION) return;
  if (version === 0) database.exec('PRAGMA journal_mode = WAL');
  for (const [at, step] of STEPS.entries()) {
    if (at < version) continue;
    database.exec(`BEGIN IMMEDIATE; ${step} PRAGMA user_version = ${at + 1}; COMMIT`);
  }
}

export function schemaVersion(database: DatabaseSync): number {
  return database.prepare('PRAGMA user_version').get()!.user_version as number;
}
