/**
 * `gyre export --records`: the typed records of all pages, or what changed since a cursor. After a change, a page has
 * all its present records in the export, or one entry without a record if it no longer has one.
 */
import {
  cursorAfter,
  journalFiles,
  type JournalRecord,
  newestRecords,
  positionOfCursor,
} from '../../journal/mod.ts';
import { isListed, type TypedRecord, typedRecords } from '../../page/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { parseCursor } from '../feed/mod.ts';
import { readRemovals, removedBy } from '../removals/mod.ts';
import { type ExportedRecord, recordTable } from './record-rows.ts';
import { TABLE_WRITERS } from './write-table.ts';

export const RECORD_FORMATS: readonly string[] = Object.keys(TABLE_WRITERS);

interface RecordExportOptions {
  format: string;
  /** Only records of this type; null for all types. */
  type: string | null;
  /** The cursor of an earlier export; null to export everything. */
  since: string | null;
}

interface RecordExport {
  parts: Iterable<Uint8Array>;
  /** The cursor from which the next export continues. */
  cursor: string;
}

/** Begins an export of the journal files that are finished now. Throws a UsageError if the cursor is not valid. */
export function beginRecordExport(
  data: DataDirectory,
  { format, type, since }: RecordExportOptions,
): RecordExport {
  const files = journalFiles(data.journal);
  const after = since === null ? null : positionOfCursor(data.journal, parseCursor(since).journal, files);
  const removed = removedBy(readRemovals(data.root));
  const hasRecords = (record: JournalRecord) =>
    record.kind === 'page' && record.page.structured !== undefined;

  function* records(): Generator<ExportedRecord> {
    const options = { after: after ?? {}, isNotable: hasRecords };
    for (const { record, isLater, wasNotable } of newestRecords(data.journal, files, options)) {
      const { url, fetchedAt } = record;
      const isRemoved = removed.matches(url);
      if (after !== null && !isLater && !isRemoved) continue;
      const found = isRemoved ? [] : recordsOf(record, type);
      for (const each of found) yield { url, fetchedAt, record: each };
      if (found.length === 0 && after !== null && wasNotable) yield { url, fetchedAt, record: null };
    }
  }
  return {
    parts: TABLE_WRITERS[format]!(records(), recordTable(type)),
    cursor: cursorAfter(data.journal, files),
  };
}

function recordsOf(record: JournalRecord, type: string | null): TypedRecord[] {
  if (record.kind !== 'page' || !isListed(record.page)) return [];
  const records = typedRecords(record.page.structured ?? [], record.url);
  return type === null ? records : records.filter((each) => each.type === type || each.statedType === type);
}
