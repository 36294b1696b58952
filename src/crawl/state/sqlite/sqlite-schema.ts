/**
 * The tables of `crawl.db`, as migration steps. A new database runs all steps, an older one those it lacks,
 * each step in its own transaction together with the version number it leads to. A released step never
 * changes; changes to the schema are new steps at the end.
 *
 *   host       an origin: the time of its next request, its robots.txt, its counts
 *     id, origin
 *     next_fetch_at, delay_ms, wait_reason  earliest time of the next request; the delay before it; reason of a longer wait: JSON, or empty
 *     robots_kind, robots_body, robots_expires_at    "rules" or "allow-all"; null while unknown
 *     failures, parked_reason               failures in a row; reason for parking until next_fetch_at: JSON, or empty
 *     {"code"}, and values by the code: WaitReason and ParkedReason in reasons.ts
 *     known, fetched, useful, links         known URLs; responses; documents among them; linking hosts of other domains
 *     work, front, address                  1 if it may have ready URLs or a due icon; its front queue; its last IP address
 *     icon, icon_wanted                     state of its icon: JSON, or empty; 1 if the icon is to be fetched
 *     {"found": URL or data: URL, "etag", "lastModified", "next": URL to fetch, "asked": [URLs of this search], "dueAt"}
 *     domain, held_back                     id of the domain; 1 while the host budget of the domain is used up
 *   domain     a registrable domain: the counts that determine its budget
 *     id, name
 *     hosts, admitted                       known hosts; hosts that are not held back
 *     proven, fetched, useful               hosts with four useful pages; sums over its hosts
 *     linked_from                           512 bits, one for the name of each other domain that links to it; or empty
 *   url        every known URL and its outcome
 *     fingerprint, url, host                host is the id of a host
 *     depth, found                          number of links from a seed; number in order of discovery
 *     verb                                  decision of the URL rules at its discovery: 1 index, 2 follow, 0 none
 *     relevance                             estimated relevance to the topic, 1 to 255; 0 if unknown
 *     state                                 "ready", "done", "refused", "failed"
 *     attempts, status, reason, fetched_at  of the last response; status 0 if there was no response;
 *                                           the code of UrlReason in reasons.ts, or JSON if it has values
 *   content    the URL that owns a body
 *     digest, url, fetched_at, payload_digest    digest of the decoded body; of the body as received
 *   capture    the last response of a URL, for the next conditional request
 *     fingerprint, summary                  JSON: ResponseSummary in reasons.ts
 *     etag, last_modified, robots_tag       its headers
 *     digest, payload_digest, archived_at   as in content; when it was archived
 *     is_document, sketch, gone_count       1 if it is a document; its entry in dedup/near.*; number of 404s in a row
 *     interval_ms, due_at                   0 for never
 *     history, hinted_at                    JSON: VisitHistory in crawl-state.ts, or empty; time of a hint, or 0
 *   mark       the valid length of the files beside the database; time and epoch of the last commit
 *     name, value                           "commit", and JSON with a checksum (base/files/sealed-json.ts):
 *     {"warc": {"file", "length"}, "journal": {"file", "length", "records"}, "seenBytes", "seenCheck", "sketches", "checksum"}
 *     name, value                           "clock", and the time of the last commit
 *     name, value                           "epoch", and the epoch of its owner
 *     name, value                           "rules", and JSON: {"key": of the URL rules, "since": the last `found` before them}
 *     name, value                           "schedule", and JSON: {"book": of the price of visits, "all": sums of rates}
 *   tally      the number of URLs in each state, and the highest `found`
 *     name, value
 *   outcome    number of URLs by state and reason, without the ready ones
 *     state, reason, count
 *   host_note  knowledge about a host
 *     kind, origin, value, noted_at         "traps", "missing-page", "mirror" or "changes"; JSON
 *   verdict    a URL that is not a document
 *     fingerprint, url, kind                the reason of an alias, "soft 404" or "parked"
 *     of_fingerprint, of_url                the document of the alias, or null
 *   sketch     the position of a sketch in dedup/near.*
 *     fingerprint, entry
 *   claim      a canonical link that waits until its target has been fetched
 *     fingerprint, url, target
 *
 * Times are milliseconds since 1970. A fingerprint is that of the URL in the same row.
 */
import type { DatabaseSync } from 'node:sqlite';
import { UsageError } from '../../../base/mod.ts';
import { domainOfOrigin } from '../../../url/mod.ts';
import { DOMAINS_SCHEMA } from './sqlite-domains.ts';
import { FINDINGS_SCHEMA } from './sqlite-findings.ts';
import { FRONTIER_SCHEMA } from './sqlite-hosts.ts';
import { OUTCOMES_SCHEMA } from './sqlite-urls.ts';

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

  // Migration: reasons become codes. Sentences that earlier versions stored are not parsed.
  `ALTER TABLE host RENAME COLUMN waits_for TO wait_reason;
  ALTER TABLE host RENAME COLUMN set_aside TO parked_reason;
  UPDATE host SET wait_reason = '' WHERE wait_reason <> '';
  UPDATE host SET parked_reason = '{"code":"unknown"}' WHERE parked_reason <> '';
  DROP INDEX host_aside;
  CREATE INDEX host_parked ON host (next_fetch_at) WHERE parked_reason <> '';`,

  // Migration: the reasons of URLs become codes, too. Reasons without values were codes already.
  `UPDATE url SET reason = 'unknown' WHERE reason NOT IN ('', 'page', 'duplicate', 'near-duplicate', 'canonical', 'mirror',
    'noindex', 'feed', 'soft 404', 'parked', 'redirect', 'sitemap', 'gone', 'unchanged');
  ALTER TABLE capture RENAME COLUMN said TO summary;
  UPDATE capture SET summary = CASE summary WHEN 'imported' THEN '{"code":"imported"}' ELSE '{"code":"unknown"}' END;`,

  // Migration: URLs of earlier versions have no stored decision of the URL rules; it is made at their next visit.
  'ALTER TABLE url ADD COLUMN verb INTEGER NOT NULL DEFAULT 0;',

  OUTCOMES_SCHEMA,

  // Migration: pages of earlier versions have no history; their next visit begins one.
  `ALTER TABLE capture ADD COLUMN history TEXT NOT NULL DEFAULT '';
  ALTER TABLE capture ADD COLUMN hinted_at INTEGER NOT NULL DEFAULT 0;`,

  // Migration: the relevance of URLs of earlier versions is unknown.
  `ALTER TABLE url ADD COLUMN relevance INTEGER NOT NULL DEFAULT 0;
  DROP INDEX url_ready;
  CREATE INDEX url_ready ON url (host, relevance DESC, depth, found) WHERE state = 'ready';`,
];

/** The name of the database in the data directory. */
export const STATE_FILE = 'crawl.db';

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
