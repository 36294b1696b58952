/**
 * The columns of a segment's documents that are held in memory, about 84 bytes per document. On disk they are
 * the last part of the segment's tables, column by column, little-endian:
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
 *   stemming      u8[]      0 en, 1 de, 2 es, 3 fr, 4 it, 5 nl, 6 pt, 7 sv; 8 latin, 9 cyrillic: other languages
 *                           in these scripts; src/text/terms.ts defines them
 *   languages     as hosts and their runs: a count, each name once, a count of runs, the runs
 *   types         likewise: `html`, `pdf`, `html/news`, `html.md`: src/index/document-type.ts
 *   day           u16[]     since 1970, 0 if unknown
 *   quality       u8[]      1 the least, 255 the most, 0 if unknown
 *   signature     u32[]     ten per document, all 0 if unknown: src/index/signature.ts
 *   urlFit        u8[]      how well the URL suits the page
 *   contentStart  u16[]     position of the first word of the text outside of menus
 *   nameLength    u8[]      words of the last part of the URL's path
 *   isEntry       u8[]      1 for home pages and start pages of directories
 *   subjectStart  u8[]      from version 6 on: words of the title before those that name the page
 *   subjectLength u8[]      words of the title that name the page
 *   subjectSize   u8[]      letters and digits of these words
 *   titleKey      u32[]     from version 7 on: key of the whole title, 0 if it has no letters: src/text/title-key.ts
 *   translationKey u32[]    from version 8 on: key that translations of a page share: src/page/translation-key.ts
 *
 * Example: one page of `a.org` with two words, a title of one word, in English, of the second day of 1970,
 * with half the best quality, the fingerprint 1, the signature 2, 3, 0, … and the fit 6, whose text starts at
 * position 17, which is the home page of its host, whose title has the key 7, and whose translations have the key 8, is
 *
 *   01 05 61 2E 6F 72 67  01 00 01  02  01 00 00 00 00 00 00 00  00 00 00 00  01  00  00
 *   01 02 65 6E  01 00 01  01 04 68 74 6D 6C  01 00 01  01 00  80
 *   02 00 00 00  03 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00
 *   00 00 00 00  00 00 00 00  06  11 00  00  01  00  01  04  07 00 00 00  08 00 00 00
 */
import type { ByteReader, ByteWriter } from '../../base/mod.ts';
import type { DocId, DocumentRow } from '../document.ts';
import { SIGNATURE_NUMBERS } from '../signature.ts';

export interface DocumentTable {
  readonly hosts: readonly string[];
  readonly hostOf: Uint32Array;
  readonly lengths: Uint32Array;
  readonly fingerprints: BigInt64Array;
  readonly order: Uint32Array;
  readonly titleLengths: Uint8Array;
  readonly urlDepths: Uint8Array;
  readonly stemmings: Uint8Array;
  readonly languages: readonly string[];
  readonly languageOf: Uint32Array;
  readonly types: readonly string[];
  readonly typeOf: Uint32Array;
  readonly days: Uint16Array;
  readonly qualities: Uint8Array;
  /** The signatures of all documents, SIGNATURE_NUMBERS numbers each; see signature.ts. */
  readonly signatures: Uint32Array;
  readonly urlFits: Uint8Array;
  readonly contentStarts: Uint16Array;
  readonly nameLengths: Uint8Array;
  readonly entries: Uint8Array;
  readonly subjectStarts: Uint8Array;
  readonly subjectLengths: Uint8Array;
  readonly subjectSizes: Uint8Array;
  readonly titleKeys: Uint32Array;
  readonly translationKeys: Uint32Array;
}

export function encodeTable(rows: readonly DocumentRow[], out: ByteWriter): void {
  const fingerprints = BigInt64Array.from(rows, (row) => row.fingerprint);
  const order = Uint32Array.from(rows.keys()).sort((a, b) => (fingerprints[a]! < fingerprints[b]! ? -1 : 1));
  encodeNames(
    rows.map((row) => row.host),
    out,
  );
  for (const { length } of rows) out.varint(length);
  out.raw(bytesOf(fingerprints));
  out.raw(bytesOf(order));
  out.raw(Uint8Array.from(rows, (row) => Math.min(row.titleLength, 255)));
  out.raw(Uint8Array.from(rows, (row) => Math.min(row.urlDepth, 255)));
  out.raw(Uint8Array.from(rows, (row) => row.stemming));
  encodeNames(
    rows.map((row) => row.language),
    out,
  );
  encodeNames(
    rows.map((row) => row.type),
    out,
  );
  out.raw(bytesOf(Uint16Array.from(rows, (row) => Math.max(0, Math.min(row.day, 65_535)))));
  out.raw(Uint8Array.from(rows, (row) => row.quality));
  for (const { signature } of rows) out.raw(bytesOf(signature));
  out.raw(Uint8Array.from(rows, (row) => row.urlFit));
  out.raw(bytesOf(Uint16Array.from(rows, (row) => Math.min(row.contentStart, 65_535))));
  out.raw(Uint8Array.from(rows, (row) => Math.min(row.nameLength, 255)));
  out.raw(Uint8Array.from(rows, (row) => (row.isEntry ? 1 : 0)));
  out.raw(Uint8Array.from(rows, (row) => Math.min(row.subjectStart, 255)));
  out.raw(Uint8Array.from(rows, (row) => Math.min(row.subjectLength, 255)));
  out.raw(Uint8Array.from(rows, (row) => Math.min(row.subjectSize, 255)));
  out.raw(bytesOf(Uint32Array.from(rows, (row) => row.titleKey)));
  out.raw(bytesOf(Uint32Array.from(rows, (row) => row.translationKey)));
}

export function decodeTable(docCount: number, tables: ByteReader): DocumentTable {
  // A document takes more than one byte, so a damaged count is found before memory is allocated for it.
  tables.require(docCount);
  const [hosts, hostOf] = decodeNames(docCount, tables);
  const columns = {
    hosts,
    hostOf,
    lengths: Uint32Array.from({ length: docCount }, () => tables.varint()),
    fingerprints: fill(new BigInt64Array(docCount), tables),
    order: fill(new Uint32Array(docCount), tables),
    titleLengths: fill(new Uint8Array(docCount), tables),
    urlDepths: fill(new Uint8Array(docCount), tables),
    stemmings: fill(new Uint8Array(docCount), tables),
  };
  const [languages, languageOf] = decodeNames(docCount, tables);
  const [types, typeOf] = decodeNames(docCount, tables);
  const days = fill(new Uint16Array(docCount), tables);
  const later = {
    ...{ ...columns, languages, languageOf, types, typeOf, days },
    qualities: fill(new Uint8Array(docCount), tables),
    signatures: fill(new Uint32Array(SIGNATURE_NUMBERS * docCount), tables),
    urlFits: fill(new Uint8Array(docCount), tables),
    contentStarts: fill(new Uint16Array(docCount), tables),
    nameLengths: fill(new Uint8Array(docCount), tables),
    entries: fill(new Uint8Array(docCount), tables),
  };
  const subjects = decodeSubjects(docCount, tables, columns.titleLengths);
  // Segments of format versions 5 and 6 do not have the first of these columns, and those of version 7 not the second.
  const titleKeys = decodeKeys(docCount, tables);
  return { ...later, ...subjects, titleKeys, translationKeys: decodeKeys(docCount, tables) };
}

/** Decodes a column of keys; in a segment without this column, all keys are 0. */
function decodeKeys(docCount: number, tables: ByteReader): Uint32Array {
  const keys = new Uint32Array(docCount);
  return tables.remaining === 0 ? keys : fill(keys, tables);
}

/** The number of letters in an average word of a title. */
const WORD_LETTERS = 6;

/** Decodes the columns of title subjects. Segments of format version 5 do not have these columns. */
function decodeSubjects(
  docCount: number,
  tables: ByteReader,
  titleLengths: Uint8Array,
): Pick<DocumentTable, 'subjectStarts' | 'subjectLengths' | 'subjectSizes'> {
  const subjectStarts = new Uint8Array(docCount);
  if (tables.remaining === 0) {
    const subjectSizes = titleLengths.map((words) => Math.min(255, WORD_LETTERS * words));
    return { subjectStarts, subjectLengths: titleLengths, subjectSizes };
  }
  return {
    subjectStarts: fill(subjectStarts, tables),
    subjectLengths: fill(new Uint8Array(docCount), tables),
    subjectSizes: fill(new Uint8Array(docCount), tables),
  };
}

/** Returns the number of the document with this URL fingerprint, or -1. */
export function findDocument(table: DocumentTable, fingerprint: bigint): DocId {
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

/**
 * Encodes a column of names: a list of the distinct names, then runs of adjacent documents with the same name.
 */
function encodeNames(values: readonly string[], out: ByteWriter): void {
  const names = [...new Set(values)];
  const numbers = new Map(names.map((name, number) => [name, number]));
  out.varint(names.length);
  for (const name of names) out.text(name);
  encodeRuns(
    values.map((value) => numbers.get(value)!),
    out,
  );
}

function decodeNames(docCount: number, tables: ByteReader): [names: string[], numbers: Uint32Array] {
  const nameCount = tables.varint();
  tables.require(nameCount);
  const names = Array.from({ length: nameCount }, () => tables.text());
  return [names, decodeRuns(docCount, nameCount, tables)];
}

function encodeRuns(values: readonly number[], out: ByteWriter): void {
  const starts = [...values.keys()].filter((at) => at === 0 || values[at] !== values[at - 1]);
  out.varint(starts.length);
  for (const [run, start] of starts.entries()) {
    out.varint(values[start]!);
    out.varint((starts[run + 1] ?? values.length) - start);
  }
}

function decodeRuns(docCount: number, nameCount: number, tables: ByteReader): Uint32Array {
  const values = new Uint32Array(docCount);
  let at = 0;
  for (let runs = tables.varint(); runs > 0; runs--) {
    const value = tables.varint();
    const end = at + tables.varint();
    if (value >= nameCount || end > docCount) {
      const expected = `one of ${nameCount} names for ${docCount} documents`;
      throw tables.damage(expected, `name ${value} up to document ${end}`);
    }
    values.fill(value, at, end);
    at = end;
  }
  if (at < docCount) throw tables.damage(`names of ${docCount} documents`, `${at}`);
  return values;
}

type Column = Uint8Array | Uint16Array | Uint32Array | BigInt64Array;

function fill<T extends Column>(column: T, tables: ByteReader): T {
  bytesOf(column).set(tables.raw(column.byteLength));
  return column;
}

/**
 * Returns the bytes of a column as they are in the file. All machines that Node.js runs on are little-endian,
 * except s390x, which Gyre does not support.
 */
function bytesOf(column: Column): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}
