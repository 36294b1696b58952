/**
 * `gyre export --records`: the typed records of all pages, or what changed since a cursor. After a change, a page has
 * all its present records in the export, or one entry without a record if it no longer has one.
 *
 * With a history, the export has one record for each thing instead, also for things that have ended.
 */
import { ArchiveReader } from '../../archive/mod.ts';
import type { Clock } from '../../base/mod.ts';
import { type CrawlState, hasCrawlState, openCrawlState } from '../../crawl/mod.ts';
import {
  cursorAfter,
  type JournalPosition,
  type JournalRecord,
  journalFiles,
  newestRecords,
  positionOfCursor,
} from '../../journal/mod.ts';
import { identitiesOf } from '../../page/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { parseCursor } from '../feed/mod.ts';
import { readRemovals, removedBy } from '../removals/mod.ts';
import { droppedPages } from './list-pages.ts';
import {
  lastVisitBefore,
  lastVisitOf,
  numberedRecords,
  type PageLifetime,
  readLifetimes,
  typedRecordsOf,
} from './record-lifetimes.ts';
import { type ExportedRecord, recordTable } from './record-rows.ts';
import { type Thing, thingsOn } from './things.ts';
import { TABLE_WRITERS } from './write-table.ts';

export const RECORD_FORMATS: readonly string[] = Object.keys(TABLE_WRITERS);

interface RecordExportOptions {
  format: string;
  /** Only records of this type; null for all types. */
  type: string | null;
  /** The cursor of an earlier export; null to export everything. */
  since: string | null;
  /** True to export each thing once, with its history. */
  hasHistory: boolean;
  clock: Clock;
}

interface RecordExport {
  parts: Iterable<Uint8Array>;
  /** The cursor from which the next export continues. */
  cursor: string;
}

/** Data that all parts of an export need. */
interface Source {
  data: DataDirectory;
  files: readonly string[];
  type: string | null;
  pages: ReadonlyMap<bigint, PageLifetime>;
  /** The times of the last visits of pages with records. */
  visits: ReadonlyMap<bigint, number>;
  isRemoved(url: CanonicalUrl): boolean;
}

/** Begins an export of the journal files that are finished now. Throws a UsageError if the cursor is not valid. */
export async function beginRecordExport(
  data: DataDirectory,
  { format, type, since, hasHistory, clock }: RecordExportOptions,
): Promise<RecordExport> {
  const files = journalFiles(data.journal);
  const after = since === null ? null : positionOfCursor(data.journal, parseCursor(since).journal, files);
  const state = hasCrawlState(data.root) ? openCrawlState(data.root, { readOnly: true }) : null;
  try {
    const source = await openSource(data, files, type, state);
    const records = hasHistory
      ? historyRecords(source, await readThings(source, state, clock.now()))
      : pageRecords(source, after);
    const parts = TABLE_WRITERS[format]!(records, recordTable(type, hasHistory));
    return { parts, cursor: cursorAfter(data.journal, files) };
  } finally {
    state?.close();
  }
}

async function openSource(
  data: DataDirectory,
  files: readonly string[],
  type: string | null,
  state: CrawlState | null,
): Promise<Source> {
  const removed = removedBy(readRemovals(data.root));
  const pages = readLifetimes(data.journal, files, type);
  const visits = new Map<bigint, number>();
  for (const [key, page] of pages) {
    if (page.statements.size > 0) visits.set(key, await lastVisitOf(key, page, state));
  }
  return { data, files, type, pages, visits, isRemoved: (url) => removed.matches(url) };
}

async function readThings(source: Source, state: CrawlState | null, now: number): Promise<Thing[]> {
  const { data, files, visits, isRemoved } = source;
  const pages = new Map([...source.pages].filter(([, page]) => !isOfRemoved(page, isRemoved)));
  const visitedAt = (key: bigint, page: PageLifetime) => lastVisitOf(key, page, state);
  const dropped = await droppedPages(data.journal, files, pages, visitedAt);
  const archive = new ArchiveReader(data.archive);
  try {
    return thingsOn(pages, {
      ...{ dropped, now },
      lastSeenAt: (key, statement, missingAt) =>
        missingAt === null ? visits.get(key)! : lastVisitBefore(missingAt, statement, archive),
    });
  } finally {
    archive.close();
  }
}

function isOfRemoved({ statements }: PageLifetime, isRemoved: Source['isRemoved']): boolean {
  const [first] = statements.values();
  return first !== undefined && isRemoved(first.url);
}

/** Yields the best statement of each thing in the order of the journal. */
function* historyRecords({ data, files, type }: Source, things: readonly Thing[]): Generator<ExportedRecord> {
  const byNumber = new Map<number, Thing[]>();
  for (const thing of things) {
    const { number } = thing.best;
    byNumber.set(number, [...(byNumber.get(number) ?? []), thing]);
  }
  for (const { record, number } of numberedRecords(data.journal, files)) {
    const found = byNumber.get(number);
    if (!found) continue;
    const records = typedRecordsOf(record, type);
    const { url, fetchedAt } = record;
    for (const thing of found) yield { url, fetchedAt, record: records[thing.best.place]!, lifetime: thing };
  }
}

function* pageRecords(source: Source, after: JournalPosition | null): Generator<ExportedRecord> {
  const { data, files, type } = source;
  const hasRecords = (record: JournalRecord) =>
    record.kind === 'page' && record.page.structured !== undefined;
  const options = { after: after ?? {}, isNotable: hasRecords };
  for (const { record, isLater, wasNotable } of newestRecords(data.journal, files, options)) {
    const { url, fetchedAt } = record;
    const isRemoved = source.isRemoved(url);
    if (after !== null && !isLater && !isRemoved) continue;
    const found = isRemoved ? [] : typedRecordsOf(record, type);
    const identities = identitiesOf(found, url);
    const key = fingerprint(url);
    for (const [place, each] of found.entries()) {
      const { firstSeenAt } = source.pages.get(key)!.statements.get(identities[place]!.onPage)!;
      const lifetime = { firstSeenAt, lastSeenAt: source.visits.get(key)!, closed: null, urls: [url] };
      yield { url, fetchedAt, record: each, lifetime };
    }
    if (found.length === 0 && after !== null && wasNotable) yield { url, fetchedAt, record: null };
  }
}
