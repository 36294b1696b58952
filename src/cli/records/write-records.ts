/** Writes records as JSONL, CSV or Parquet. */
import { ByteWriter, ParquetWriter, schemaFromColumnData, type ColumnSource } from 'hyparquet-writer';
import type { ExportedRecord, RecordColumn } from './record-rows.ts';
import type { Lifetime } from './things.ts';

type RecordWriter = (
  records: Iterable<ExportedRecord>,
  columns: readonly RecordColumn[],
) => Iterable<Uint8Array>;

/** Records of one row group of a Parquet file, which are in memory together. */
const GROUP_ROWS = 5_000;
const PARQUET_TYPES = { text: 'STRING', number: 'DOUBLE', boolean: 'BOOLEAN', time: 'TIMESTAMP' } as const;

export const RECORD_WRITERS: Readonly<Record<string, RecordWriter>> = {
  jsonl: jsonLines,
  csv: csvLines,
  parquet: parquetParts,
};

function* jsonLines(
  records: Iterable<ExportedRecord>,
  columns: readonly RecordColumn[],
): Generator<Uint8Array> {
  const hasHistory = columns.some(({ name }) => name === 'closed');
  for (const { url, fetchedAt, record, lifetime } of records) {
    const line = {
      ...{ url, fetchedAt: isoTime(fetchedAt), ...(record ?? { removed: true }) },
      ...(lifetime && seenLine(lifetime)),
      ...(lifetime && hasHistory && historyLine(lifetime)),
    };
    yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
}

function seenLine({ firstSeenAt, lastSeenAt }: Lifetime) {
  return { firstSeen: isoTime(firstSeenAt), lastSeen: isoTime(lastSeenAt) };
}

function historyLine({ closed, urls }: Lifetime) {
  return { ...(closed && { closed: isoTime(closed.at), closedReason: closed.reason }), urls };
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** Yields the lines of RFC 4180, with the names of the columns in the first. */
function* csvLines(
  records: Iterable<ExportedRecord>,
  columns: readonly RecordColumn[],
): Generator<Uint8Array> {
  yield Buffer.from(`${columns.map(({ name }) => name).join(',')}\r\n`);
  for (const record of records)
    yield Buffer.from(`${columns.map((column) => csvField(column.cellOf(record))).join(',')}\r\n`);
}

function csvField(value: ReturnType<RecordColumn['cellOf']>): string {
  if (value === null) return '';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function* parquetParts(
  records: Iterable<ExportedRecord>,
  columns: readonly RecordColumn[],
): Generator<Uint8Array> {
  const bytes = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: columnData([], columns) });
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: 'gyre' });
  for (const group of inGroups(records)) {
    void file.write({ columnData: columnData(group, columns), rowGroupSize: GROUP_ROWS });
    yield takeBytes(bytes);
  }
  void file.finish();
  yield takeBytes(bytes);
}

function columnData(records: readonly ExportedRecord[], columns: readonly RecordColumn[]): ColumnSource[] {
  return columns.map(({ name, kind, cellOf }) => ({
    ...{ name, type: PARQUET_TYPES[kind], nullable: true },
    data: records.map(cellOf),
  }));
}

/** Returns a copy of the bytes in the buffer of the writer, and empties it. The positions in the file continue. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const taken = writer.getBytes().slice();
  writer.index = 0;
  return taken;
}

function* inGroups(records: Iterable<ExportedRecord>): Generator<ExportedRecord[]> {
  let group: ExportedRecord[] = [];
  for (const record of records) {
    group.push(record);
    if (group.length < GROUP_ROWS) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
