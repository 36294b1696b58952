import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { typedRecords } from '../../page/mod.ts';
import { type ExportedRecord, recordTable } from './record-rows.ts';
import { TABLE_WRITERS } from './write-table.ts';

const URL_OF_PAGE = 'https://shop.example.org/jug';
const FETCHED_AT = Date.UTC(2026, 0, 2, 3, 4, 5);

function exported(properties: Record<string, string[]>, type = 'Product'): ExportedRecord {
  const [record] = typedRecords([{ type, source: 'json-ld', properties }], URL_OF_PAGE);
  return { url: URL_OF_PAGE, fetchedAt: FETCHED_AT, record: record! };
}

const JUG = exported({
  name: ['Jug, "large"\nblue'],
  'offers.price': ['12.50'],
  'offers.priceCurrency': ['EUR'],
  'aggregateRating.ratingValue': ['4.5'],
});
const CUP = exported({ name: ['Cup'], url: ['/cup'], 'offers.price': ['cheap'] });
const GONE: ExportedRecord = { url: `${URL_OF_PAGE}/old`, fetchedAt: FETCHED_AT, record: null };

function written(format: string, records: Iterable<ExportedRecord>, type: string | null): Buffer {
  return Buffer.concat([...TABLE_WRITERS[format]!(records, recordTable(type))]);
}

async function readParquet(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return parquetReadObjects({ file });
}

/** Reads a CSV file by RFC 4180, as a check of the writer. */
function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === '\r\n') rows.push([]);
  }
  const [head, ...lines] = rows.slice(0, -1);
  return lines.map((line) => Object.fromEntries(head!.map((name, index) => [name, line[index]!])));
}

test('all formats have the same values', async () => {
  const records = [JUG, CUP, GONE];
  const lines = written('jsonl', records, 'Product')
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines[0].facts, {
    name: ['Jug, "large"\nblue'],
    price: [{ amount: 12.5, currency: 'EUR' }],
    rating: [4.5],
  });
  assert.deepEqual(lines[2], { url: GONE.url, fetchedAt: '2026-01-02T03:04:05.000Z', removed: true });
  const csv = readCsv(written('csv', records, 'Product').toString());
  const parquet = await readParquet(written('parquet', records, 'Product'));
  assert.equal(csv.length, 3);
  assert.equal(parquet.length, 3);
  const names = recordTable('Product').columns.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const [index, row] of parquet.entries()) {
    assert.deepEqual(Object.keys(row), names);
    for (const name of names) {
      const value = row[name];
      const text = value instanceof Date ? value.toISOString() : value === null ? '' : String(value);
      assert.equal(csv[index]![name], text, name);
    }
    assert.deepEqual(JSON.parse((row.facts as string | null) ?? 'null'), lines[index].facts ?? null);
  }
  const [jug, cup, gone] = parquet;
  assert.equal(jug!.price_amount, 12.5);
  assert.equal(jug!.price_currency, 'EUR');
  assert.equal(jug!.rating, 4.5);
  assert.equal((jug!.fetchedAt as Date).getTime(), FETCHED_AT);
  assert.equal(cup!.record_url, 'https://shop.example.org/cup');
  assert.equal(cup!.problems, 'price: "cheap" is not an amount of money');
  assert.equal(gone!.removed, true);
  assert.equal(gone!.type, null);
});

test('a Parquet file has row groups of limited size, and may be empty', async () => {
  const many = Array.from({ length: 12_345 }, (_, index) => exported({ name: [`Pot ${index}`] }));
  const bytes = written('parquet', many, null);
  const { row_groups: groups } = parquetMetadata(new Uint8Array(bytes).buffer);
  assert.deepEqual(
    groups.map((group) => Number(group.num_rows)),
    [5000, 5000, 2345],
  );
  const rows = await readParquet(bytes);
  assert.equal(rows.length, 12_345);
  assert.deepEqual(JSON.parse(rows[12_344]!.facts as string), { name: ['Pot 12344'] });
  assert.deepEqual(await readParquet(written('parquet', [], 'Event')), []);
});
