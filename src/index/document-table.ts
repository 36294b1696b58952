/**
 * What is held in memory of every document of a segment: about 23 bytes each. On disk it is the last
 * part of the segment's tables, column by column, little-endian:
 *
 *   hostCount     varint
 *   hosts         text*     each host once
 *   runCount      varint
 *   runs          varint*   documents of one host side by side: its index in `hosts`, how many they are
 *   length        varint*   per document, words in all fields
 *   fingerprint   i64[]     of the URL
 *   order         u32[]     documents in ascending order of fingerprint, to find one by its URL
 *   titleLength   u8[]
 *   urlDepth      u8[]
 *   stemming      u8[]      0 English, 1 German, …: src/text/terms.ts has the list
 */
import type { ByteReader, ByteWriter } from '../base/mod.ts';
import type { DocId, DocumentRow } from './document.ts';

export interface DocumentTable {
  readonly hosts: readonly string[];
  readonly hostOf: Uint32Array;
  readonly lengths: Uint32Array;
  readonly fingerprints: BigInt64Array;
  readonly order: Uint32Array;
  readonly titleLengths: Uint8Array;
  readonly urlDepths: Uint8Array;
  readonly stemmings: Uint8Array;
}

export function encodeTable(rows: readonly DocumentRow[], out: ByteWriter): void {
  const hosts = [...new Set(rows.map((row) => row.host))];
  const numbers = new Map(hosts.map((host, number) => [host, number]));
  const fingerprints = BigInt64Array.from(rows, (row) => row.fingerprint);
  const order = Uint32Array.from(rows.keys()).sort((a, b) => (fingerprints[a]! < fingerprints[b]! ? -1 : 1));
  out.varint(hosts.length);
  for (const host of hosts) out.text(host);
  encodeRuns(
    rows.map((row) => numbers.get(row.host)!),
    out,
  );
  for (const { length } of rows) out.varint(length);
  out.raw(bytesOf(fingerprints));
  out.raw(bytesOf(order));
  out.raw(Uint8Array.from(rows, (row) => Math.min(row.titleLength, 255)));
  out.raw(Uint8Array.from(rows, (row) => Math.min(row.urlDepth, 255)));
  out.raw(Uint8Array.from(rows, (row) => row.stemming));
}

export function decodeTable(docCount: number, tables: ByteReader): DocumentTable {
  const hosts = Array.from({ length: tables.varint() }, () => tables.text());
  return {
    hosts,
    hostOf: decodeRuns(docCount, tables),
    lengths: Uint32Array.from({ length: docCount }, () => tables.varint()),
    fingerprints: fill(new BigInt64Array(docCount), tables),
    order: fill(new Uint32Array(docCount), tables),
    titleLengths: fill(new Uint8Array(docCount), tables),
    urlDepths: fill(new Uint8Array(docCount), tables),
    stemmings: fill(new Uint8Array(docCount), tables),
  };
}

/** The document with this fingerprint, or -1. */
export function findFingerprint(table: DocumentTable, fingerprint: bigint): DocId {
  let low = 0;
  let high = table.order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = table.fingerprints[table.order[middle]!]!;
    if (found === fingerprint) return table.order[middle]!;
    if (found < fingerprint) low = middle + 1;
    else high = middle;
  }
  return -1;
}

function encodeRuns(values: readonly number[], out: ByteWriter): void {
  const starts = [...values.keys()].filter((at) => at === 0 || values[at] !== values[at - 1]);
  out.varint(starts.length);
  for (const [run, start] of starts.entries()) {
    out.varint(values[start]!);
    out.varint((starts[run + 1] ?? values.length) - start);
  }
}

function decodeRuns(docCount: number, tables: ByteReader): Uint32Array {
  const values = new Uint32Array(docCount);
  let at = 0;
  for (let runs = tables.varint(); runs > 0; runs--) {
    const value = tables.varint();
    const end = at + tables.varint();
    values.fill(value, at, end);
    at = end;
  }
  return values;
}

type Column = Uint8Array | Uint32Array | BigInt64Array;

function fill<T extends Column>(column: T, tables: ByteReader): T {
  bytesOf(column).set(tables.raw(column.byteLength));
  return column;
}

/** Every machine that Node.js runs on is little-endian, but for s390x, which we do not support. */
function bytesOf(column: Column): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}
