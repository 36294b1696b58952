/**
 * `gyre export`: all pages with their records, or those that changed since a cursor. After a change, a page is in the
 * export as it is now, or as removed.
 */
import { createHash } from 'node:crypto';
import {
  cursorAfter,
  type JournalRecord,
  journalFiles,
  newestRecords,
  type PageRecord,
  positionOfCursor,
} from '../../journal/mod.ts';
import { isListed, type TypedRecord, typedRecords } from '../../page/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { parseCursor } from '../feed/mod.ts';
import { readRemovals, removedBy } from '../removals/mod.ts';
import { type Column, TABLE_WRITERS, type TableOptions } from './write-table.ts';

export const PAGE_FORMATS: readonly string[] = [...Object.keys(TABLE_WRITERS), 'opensearch'];

/** A page as it is exported. `page` is null if the page is gone or removed. */
interface ExportedPage {
  url: string;
  fetchedAt: number;
  page: PageRecord | null;
}

interface PageExport {
  parts: Iterable<Uint8Array>;
  /** The cursor from which the next export, or the change feed, continues. */
  cursor: string;
}

/** Pages of one row group of a Parquet file. Their texts are in memory together. */
const GROUP_ROWS = 500;
/** The maximum length of an identifier in OpenSearch, in bytes. */
const MAX_ID_BYTES = 512;

/**
 * Begins an export of the journal files that are finished now, and calls `onPage` for each page. Throws a UsageError if the
 * cursor is not valid.
 */
export function beginPageExport(
  data: DataDirectory,
  format: string,
  since: string | null,
  onPage: () => void,
): PageExport {
  const files = journalFiles(data.journal);
  const after = since === null ? null : positionOfCursor(data.journal, parseCursor(since).journal, files);
  const pages = exportedPages(data, files, after, onPage);
  const parts = format === 'opensearch' ? bulkLines(pages) : TABLE_WRITERS[format]!(pages, PAGE_TABLE);
  return { parts, cursor: cursorAfter(data.journal, files) };
}

function* exportedPages(
  data: DataDirectory,
  files: readonly string[],
  after: Readonly<Record<string, number>> | null,
  onPage: () => void,
): Generator<ExportedPage> {
  const removed = removedBy(readRemovals(data.root));
  const isPage = (record: JournalRecord): record is PageRecord =>
    record.kind === 'page' && isListed(record.page);
  const options = { after: after ?? {}, isNotable: isPage };
  for (const { record, isLater, wasNotable } of newestRecords(data.journal, files, options)) {
    const { url, fetchedAt } = record;
    const isRemoved = removed.matches(url);
    if (after !== null && !isLater && !isRemoved) continue;
    onPage();
    if (!isRemoved && isPage(record)) yield { url, fetchedAt, page: record };
    else if (after !== null && wasNotable) yield { url, fetchedAt, page: null };
  }
}

/** Returns the page as one line of JSONL. */
function lineOfPage({ url, fetchedAt, page: record }: ExportedPage): object {
  if (!record) return { url, fetchedAt: isoTime(fetchedAt), removed: true };
  const { digest, page } = record;
  const { title, description, language, text, contentType, canonical } = page;
  const { publishedAt, modifiedAt, collections } = page;
  const records = recordsOf(record);
  return {
    ...{ url, title, description, language, text, contentType, canonical, digest },
    ...(publishedAt !== undefined && { publishedAt: isoTime(publishedAt) }),
    ...(modifiedAt !== undefined && { modifiedAt: isoTime(modifiedAt) }),
    fetchedAt: isoTime(fetchedAt),
    ...(collections && { collections }),
    links: page.links.map((link) => ({ url: link.url, text: link.text, nofollow: link.nofollow })),
    ...(records.length > 0 && { records }),
  };
}

function recordsOf({ page, url }: PageRecord): TypedRecord[] {
  return typedRecords(page.structured ?? [], url);
}

function column(
  name: string,
  kind: Column<ExportedPage>['kind'],
  read: (record: PageRecord) => string | number | undefined | null,
): Column<ExportedPage> {
  return {
    ...{ name, kind },
    cellOf: ({ page: record }) => {
      const value = record && read(record);
      if (value === null || value === undefined) return null;
      return kind === 'time' ? new Date(value) : value;
    },
  };
}

const PAGE_TABLE: TableOptions<ExportedPage> = {
  columns: [
    { name: 'url', kind: 'text', cellOf: ({ url }) => url },
    { name: 'fetchedAt', kind: 'time', cellOf: ({ fetchedAt }) => new Date(fetchedAt) },
    { name: 'removed', kind: 'boolean', cellOf: ({ page }) => page === null },
    column('title', 'text', ({ page }) => page.title),
    column('description', 'text', ({ page }) => page.description),
    column('language', 'text', ({ page }) => page.language),
    column('contentType', 'text', ({ page }) => page.contentType),
    column('canonical', 'text', ({ page }) => page.canonical),
    column('digest', 'text', ({ digest }) => digest),
    column('publishedAt', 'time', ({ page }) => page.publishedAt),
    column('modifiedAt', 'time', ({ page }) => page.modifiedAt),
    column('collections', 'text', ({ page }) => page.collections?.join(' ')),
    column('text', 'text', ({ page }) => page.text),
    column('links', 'text', ({ page }) => JSON.stringify(page.links.map(({ url }) => url))),
    column('records', 'text', (record) => JSON.stringify(recordsOf(record))),
  ],
  lineOf: lineOfPage,
  groupRows: GROUP_ROWS,
};

/**
 * Yields the lines of a bulk request of OpenSearch: an action, and the page below it. The facts of records are JSON in a
 * text, because fields of the same name have other kinds of values in other types, which an index refuses.
 */
function* bulkLines(pages: Iterable<ExportedPage>): Generator<Uint8Array> {
  for (const each of pages) {
    const _id = idOf(each.url);
    if (each.page === null) {
      yield Buffer.from(`${JSON.stringify({ delete: { _id } })}\n`);
      continue;
    }
    const records = recordsOf(each.page).map(({ facts, ...rest }) => ({
      ...rest,
      facts: JSON.stringify(facts),
    }));
    const document = { ...lineOfPage(each), ...(records.length > 0 && { records }) };
    yield Buffer.from(`${JSON.stringify({ index: { _id } })}\n${JSON.stringify(document)}\n`);
  }
}

/** Returns the URL, or its SHA-256 if it is too long to be an identifier. */
function idOf(url: string): string {
  return Buffer.byteLength(url) <= MAX_ID_BYTES ? url : createHash('sha256').update(url).digest('hex');
}

function isoTime(moment: number): string {
  return new Date(moment).toISOString();
}
