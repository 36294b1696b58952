/**
 * Finds in all versions of all pages when each record was stated first and last, and when it ended.
 *
 *   version 1 states it     first seen
 *   version 2 states it     last seen, or later, if the crawl has visited the page since and found it unchanged
 *   version 3 does not      ended: the page is gone, or no longer states the record
 *
 * The journal has no record of a visit that found a page unchanged. The crawl state has the time of the last one, and the
 * archive a capture of each. Needs a small object in memory for each URL, and one for each record.
 */

import { type CaptureReader, cdxTimestamp, parseCdxTimestamp, REVISIT_MIME } from '../../archive/mod.ts';
import type { Directory } from '../../base/mod.ts';
import type { CrawlState } from '../../crawl/mod.ts';
import { compareVersions, type JournalRecord, type RecordVersion, readVersions } from '../../journal/mod.ts';
import {
  identitiesOf,
  isListed,
  type RecordIdentity,
  type TypedRecord,
  typedRecords,
} from '../../page/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { expiryOf } from './record-expiry.ts';

/** A record as one page states it. */
export interface Statement {
  url: CanonicalUrl;
  type: string;
  identity: RecordIdentity;
  factCount: number;
  /** The time at which the thing ends according to the record; null if it states none. */
  expiresAt: number | null;
  firstSeenAt: number;
  lastSeenAt: number;
  /** Time of the first version after `version` without the record, as far as it is known; null if there is none. */
  missingAt: number | null;
  version: RecordVersion;
  /** The number in the journal of the newest version with the record, and the place of the record in that version. */
  number: number;
  place: number;
}

/** All that is known about the versions of a URL. */
export interface PageLifetime {
  version: RecordVersion;
  /** The number of the newest version in the journal. */
  number: number;
  kind: JournalRecord['kind'];
  /** The digest of the newest version; empty if it is not a page. */
  digest: string;
  /** The page that the URL was an alias of last. */
  of: bigint | null;
  /** The records of all versions by `onPage`. */
  statements: ReadonlyMap<string, Statement>;
}

export type PageLifetimes = ReadonlyMap<bigint, PageLifetime>;

interface NumberedRecord {
  record: JournalRecord;
  version: RecordVersion;
  number: number;
}

const NO_STATEMENTS: ReadonlyMap<string, Statement> = new Map();

/** Yields all records of the journal with their numbers, which are the same each time. */
export function* numberedRecords(journal: Directory, files: readonly string[]): Generator<NumberedRecord> {
  let number = 0;
  for (const file of files)
    for (const { record, version } of readVersions(journal, file))
      yield { record, version, number: number++ };
}

/** Returns the records of a page that searches may find; only those of one type unless it is null. */
export function typedRecordsOf(record: JournalRecord, type: string | null): TypedRecord[] {
  if (record.kind !== 'page' || !isListed(record.page)) return [];
  const records = typedRecords(record.page.structured ?? [], record.url);
  return type === null ? records : records.filter((each) => each.type === type || each.statedType === type);
}

/** Reads the lifetimes of all pages, and of their records of one type or of all types. */
export function readLifetimes(
  journal: Directory,
  files: readonly string[],
  type: string | null,
): Map<bigint, PageLifetime> {
  const pages = new Map<bigint, PageLifetime>();
  for (const numbered of numberedRecords(journal, files)) {
    const key = fingerprint(numbered.record.url);
    pages.set(key, withVersion(pages.get(key), numbered, type));
  }
  return pages;
}

function withVersion(
  page: PageLifetime | undefined,
  { record, version, number }: NumberedRecord,
  type: string | null,
): PageLifetime {
  const statements = withStatements(page?.statements ?? NO_STATEMENTS, { record, version, number }, type);
  if (page && compareVersions(version, page.version) < 0) return { ...page, statements };
  return {
    ...{ version, number, kind: record.kind, statements },
    digest: record.kind === 'page' ? record.digest : '',
    of: record.kind === 'alias' ? fingerprint(record.of) : (page?.of ?? null),
  };
}

function withStatements(
  known: PageLifetime['statements'],
  { record, version, number }: NumberedRecord,
  type: string | null,
): PageLifetime['statements'] {
  const records = typedRecordsOf(record, type);
  if (records.length === 0 && known.size === 0) return known;
  const statements = new Map(known);
  const { url, fetchedAt } = record;
  for (const [place, identity] of identitiesOf(records, url).entries()) {
    const earlier = statements.get(identity.onPage);
    if (earlier?.number === number) continue;
    const firstSeenAt = Math.min(earlier?.firstSeenAt ?? fetchedAt, fetchedAt);
    if (earlier && compareVersions(version, earlier.version) < 0) {
      statements.set(identity.onPage, { ...earlier, firstSeenAt });
      continue;
    }
    const stated = records[place]!;
    statements.set(identity.onPage, {
      ...{ url, type: stated.type, identity, factCount: Object.keys(stated.facts).length },
      ...{ expiresAt: expiryOf(stated), firstSeenAt, lastSeenAt: fetchedAt, version, number, place },
      missingAt: (earlier?.missingAt ?? 0) > fetchedAt ? earlier!.missingAt : null,
    });
  }
  for (const [key, statement] of statements) {
    if (statement.number === number || compareVersions(version, statement.version) < 0) continue;
    const missingAt = Math.min(statement.missingAt ?? fetchedAt, fetchedAt);
    statements.set(key, { ...statement, missingAt });
  }
  return statements;
}

/** Returns the time at which a page was found without a record; null if its newest version does. */
export function missingSince(page: PageLifetime, statement: Statement): number | null {
  return statement.number === page.number ? null : (statement.missingAt ?? page.version.fetchedAt);
}

/** Returns the time of the last visit that found the newest version of a page. */
export async function lastVisitOf(
  key: bigint,
  page: PageLifetime,
  state: CrawlState | null,
): Promise<number> {
  const last = page.kind === 'page' ? await state?.lastCapture(key) : null;
  const isSame = last?.digest === page.digest;
  return Math.max(page.version.fetchedAt, (isSame && last?.history?.visitedAt) || 0);
}

/** Returns the time of the last visit that still found a record that has ended. */
export function lastVisitBefore(
  endedAt: number,
  { url, version, lastSeenAt }: Statement,
  archive: CaptureReader,
): number {
  const [from, to] = [version.fetchedAt, endedAt].map((time) => cdxTimestamp(time));
  const revisit = archive.find(url).find(({ mime, timestamp }) => {
    return mime === REVISIT_MIME && timestamp > from! && timestamp < to!;
  });
  return Math.max(lastSeenAt, revisit ? (parseCdxTimestamp(revisit.timestamp) ?? 0) : 0);
}
