/**
 * The tables of `crawl.db`, as migration steps. A new database runs all steps, an older one those it lacks,
 * each step in its own transaction together with the version number it leads to. A released step never
 * changes; changes to the schema are new steps at the end.
 *
 *   host       an origin: when it may be asked next, its robots.txt, why it is parked
 *     id, origin
 *     next_fetch_at, delay_ms, wait_reason  the earliest polite moment, the delay before it; why else it waits: JSON, or empty
 *     robots_kind, robots_body, robots_expires_at    "rules" or "allow-all"; null while unknown
 *     failures, parked_reason               in a row; why it is parked until then: JSON, or empty
 *     {"code"}, and values by the code: WaitReason and ParkedReason in host-reasons.ts
 *     known, fetched, useful, links         URLs known; answers; pages of its own among them; hosts of other domains that led here
 *     work, front, address                  1 if it may have something to ask for; its front queue; the last IP address
 *     icon, icon_wanted                     JSON, or empty: what is known of its icon; 1 if it is to be asked for
 *     {"found": address or data: URL, "etag", "lastModified", "next": what to ask for, "asked": [in this look], "dueAt"}
 *     domain, held_back                     an id; 1 if its domain has no room for it
 *   domain     a registrable domain: what its budget is measured by
 *     id, name
 *     hosts, admitted                       hosts known; those of them that are not held back
 *     proven, fetched, useful               hosts with four useful pages; sums over its hosts
 *     linked_from                           512 bits, one for the name of each other domain that links to it; or empty
 *   url        every URL that is known, and what came of it
 *     fingerprint, url, host                host is an id
 *     depth, found                          links away from a seed; its number in the order of discovery
 *     state                                 "ready", "done", "refused", "failed"
 *     attempts, status, reason, fetched_at  of the last answer; status 0 if there was none
 *   content    which URL has a body
 *     digest, url, fetched_at, payload_digest    of the body without content coding; of the body as it came
 *   capture    what is remembered of the last answer of a URL, for when it is asked again
 *     fingerprint, said                     what it said, in short
 *     etag, last_modified, robots_tag       its headers
 *     digest, payload_digest, archived_at   as in content; when it was archived
 *     is_document, sketch, gone_count       1 if it may be found; its entry in dedup/near.*; how often in a row it was gone
 *     interval_ms, due_at                   0 for never
 *   mark       how far the files beside the database are valid; the time and the epoch of the last commit
 *     name, value                           "commit", and JSON that is sealed as base/sealed-json.ts says:
 *     {"warc": {"file", "length"}, "journal": {"file", "length", "records"}, "seenBytes", "seenCheck", "sketches", "checksum"}
 *     name, value                           "clock", and the time of the last commit
 *   tally      how many URLs there are in each state, and the highest `found`
 *     name, value
 *   host_note  what was found out about a host
 *     kind, origin, value, noted_at         "traps", "missing-page" or "mirror"; JSON
 *   verdict    a URL that is no document of its own
 *     fingerprint, url, kind                the reason of an alias, "soft 404" or "parked"
 *     of_fingerprint, of_url                whose name it is, or null
 *   sketch     where the sketch of a page is in dedup/near.*
 *     fingerprint, entry
 *   claim      a canonical link that waits until its target has been fetched
 *     fingerprint, url, target
 *
 * Times are milliseconds since 1970. A fingerprint is that of the URL in the same row.
 */
import type { DatabaseSync } from 'node:sqlite';
import { UsageError } from '../../base/mod.ts';
import { domainOfOrigin } from '../../url/mod.ts';
import { DOMAINS_SCHEMA } from './sqlite-domains.ts';
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

  `ALTER TABLE host ADD COLUMN icon TEXT NOT NULL DEFAULT '';
  ALTER TABLE host ADD COLUMN icon_wanted INTEGER NOT NULL DEFAULT 0;`,

  DOMAINS_SCHEMA,

  // Reasons become codes. The sentences of earlier versions are not parsed.
  `ALTER TABLE host RENAME COLUMN waits_for TO wait_reason;
  ALTER TABLE host RENAME COLUMN set_aside TO parked_reason;
  UPDATE host SET wait_reason = '' WHERE wait_reason <> '';
  UPDATE host SET parked_reason = '{"code":"unknown"}' WHERE parked_reason <> '';
  DROP INDEX host_aside;
  CREATE INDEX host_parked ON host (next_fetch_at) WHERE parked_reason <> '';`,
];

export const SCHEMA_VERSION = STEPS.length;

/**
 * Upgrades the database to the current schema. A database written by a newer Gyre is rejected and not
 * changed.
 */
export function upgradeSchema(database: DatabaseSync, file: string): void {
  const version = schemaVersion(database);
  if (version > SCHEMA_VERSION) {
    throw new UsageError(
      'newer-format',
      `${file} was written by a newer Gyre (format ${version}, this one reads ${SCHEMA_VERSION}): upgrade Gyre or choose another directory with --data`,
    );
  }
  if (version === SCHEMA_VERSION) return;
  database.function('registrable_domain', { deterministic: true }, (origin) =>
    domainOfOrigin(String(origin)),
  );
  if (version === 0) database.exec('PRAGMA journal_mode = WAL');
  for (const [at, step] of STEPS.entries()) {
    if (at < version) continue;
    database.exec(`BEGIN IMMEDIATE; ${step} PRAGMA user_version = ${at + 1}; COMMIT`);
  }
}

export function schemaVersion(database: DatabaseSync): number {
  return database.prepare('PRAGMA user_version').get()!.user_version as number;
}
