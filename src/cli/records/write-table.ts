/** Writes rows, such as records or pages, as JSONL, CSV or Parquet. */
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';

type Cell = string | number | boolean | Date | null;

export interface Column<Row> {
  name: string;
  kind: 'text' | 'number' | 'boolean' | 'time';
  cellOf(row: Row): Cell;
}

export interface TableOptions<Row> {
  columns: readonly Column<Row>[];
  /** Returns the row for JSONL, which has all its values. */
  lineOf(row: Row): object;
  /** The rows of one row group of a Parquet file, which are in memory together. */
  groupRows: number;
}

type TableWriter = <Row>(rows: Iterable<Row>, options: TableOptions<Row>) => Iterable<Uint8Array>;

const PARQUET_TYPES = { text: 'STRING', number: 'DOUBLE', boolean: 'BOOLEAN', time: 'TIMESTAMP' } as const;

export const TABLE_WRITERS: Readonly<Record<string, TableWriter>> = {
  jsonl: jsonLines,
  csv: csvLines,
  parquet: parquetParts,
};

function* jsonLines<Row>(rows: Iterable<Row>, { lineOf }: TableOptions<Row>): Generator<Uint8Array> {
  for (const row of rows) yield Buffer.from(`${JSON.stringify(lineOf(row))}\n`);
}

/** Yields the lines of RFC 4180, with the names of the columns in the first. */
function* csvLines<Row>(rows: Iterable<Row>, { columns }: TableOptions<Row>): Generator<Uint8Array> {
  yield Buffer.from(`${columns.map(({ name }) => name).join(',')}\r\n`);
  for (const row of rows)
    yield Buffer.from(`${columns.map((column) => csvField(column.cellOf(row))).join(',')}\r\n`);
}

function csvField(value: Cell): string {
  if (value === null) return '';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function* parquetParts<Row>(
  rows: Iterable<Row>,
  { columns, groupRows }: TableOptions<Row>,
): Generator<Uint8Array> {
  const bytes = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: columnData([], columns) });
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: 'gyre' });
  for (const group of inGroups(rows, groupRows)) {
    void file.write({ columnData: columnData(group, columns), rowGroupSize: groupRows });
    yield takeBytes(bytes);
  }
  void file.finish();
  yield takeBytes(bytes);
}

function columnData<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): ColumnSource[] {
  return columns.map(({ name, kind, cellOf }) => ({
    ...{ name, type: PARQUET_TYPES[kind], nullable: true },
    data: rows.map(cellOf),
  }));
}

/** Returns a copy of the bytes in the buffer of the writer, and empties it. The positions in the file continue. */
function takeBytes(writer: ByteWriter): Uint8Array {
  const taken = writer.getBytes().slice();
  writer.index = 0;
  return taken;
}

function* inGroups<Row>(rows: Iterable<Row>, size: number): Generator<Row[]> {
  let group: Row[] = [];
  for (const row of rows) {
    group.push(row);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
