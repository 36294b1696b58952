/**
 * Exports the postings of an index in the Common Index File Format, which other engines read.
 *
 * Lin and others, "Supporting Interoperability Between Open-Source Search Engines with the Common Index File
 * Format", 2020 (arXiv:2003.08276); messages as in https://github.com/osirrc/ciff:
 *
 *   Header         version 1, counts, mean length, description
 *   PostingsList   per term, ascending: term, documents, occurrences, and per document its gap and frequency
 *   DocRecord      per document: number, URL, length in words
 *
 * Each message is a protocol buffer, preceded by its length. A field is a varint of its number * 8 + its kind,
 * then its value; numbers that are 0 are omitted. The document of a posting is stored as the distance to the
 * document before it in the list; the first counts from 0. Frequencies are plain counts, not weighted by field.
 *
 * In the exported file, the live documents of all segments are numbered consecutively. The header contains the
 * counts, so all lists are walked twice. One list is in memory at a time.
 */
import { ByteWriter } from '../../base/mod.ts';
import { mergeTermEntries } from '../merging/mod.ts';
import type { OpenSegment } from '../open-segment.ts';
import { NO_MORE_DOCS, type PostingsCursor } from '../postings/mod.ts';

const CIFF_VERSION = 1;
const Kind = { varint: 0, fixed64: 1, bytes: 2 } as const;

/** A segment of the index. `numbers` has the numbers of its documents in the exported file. */
interface NumberedSegment {
  segment: OpenSegment;
  /** The number of each document in the exported file; -1 if the document is deleted. */
  numbers: Int32Array;
}

interface TermPostings {
  term: string;
  docCount: number;
  occurrences: number;
  /** The encoded `postings` fields of a protocol buffer message. */
  fields: ByteWriter;
}

/** Yields the exported file in parts, so that it is never in memory as a whole. */
export function* exportCiff(segments: readonly OpenSegment[], description: string): Generator<Buffer> {
  const numbered = numberDocuments(segments);
  const docCount = segments.reduce((sum, { liveDocs }) => sum + liveDocs, 0);
  const length = segments.reduce((sum, { liveLength }) => sum + liveLength, 0);
  let termCount = 0;
  for (const _ of termsOf(numbered)) termCount++;
  yield delimited(headerOf(termCount, docCount, length, description));
  for (const postings of termsOf(numbered)) yield delimited(listOf(postings));
  yield* documentRecords(numbered);
}

function numberDocuments(segments: readonly OpenSegment[]): NumberedSegment[] {
  let next = 0;
  return segments.map((segment) => {
    const numbers = new Int32Array(segment.reader.docCount);
    for (const doc of numbers.keys()) numbers[doc] = segment.deletes.has(doc) ? -1 : next++;
    return { segment, numbers };
  });
}

function* termsOf(numbered: readonly NumberedSegment[]): Generator<TermPostings> {
  const fields = new ByteWriter();
  for (const heads of mergeTermEntries(numbered.map(({ segment }) => segment.reader))) {
    const list = { term: heads[0]!.entry.term, docCount: 0, occurrences: 0, fields };
    fields.clear();
    let before = 0;
    for (const { input, entry } of heads.sort((a, b) => a.input - b.input)) {
      const { segment, numbers } = numbered[input]!;
      before = addPostings(list, segment.reader.postings(entry), numbers, before);
    }
    if (list.docCount > 0) yield list;
  }
}

/**
 * Adds the postings of a segment to the exported postings list of a term. `last` is the document that was added
 * last, before this segment. Returns the new last document.
 */
function addPostings(list: TermPostings, cursor: PostingsCursor, numbers: Int32Array, last: number): number {
  let before = last;
  for (let doc = cursor.advance(); doc !== NO_MORE_DOCS; doc = cursor.advance()) {
    const number = numbers[doc]!;
    if (number < 0) continue;
    writePosting(list.fields, number - before, cursor.count);
    before = number;
    list.docCount++;
    list.occurrences += cursor.count;
  }
  return before;
}

function writePosting(out: ByteWriter, gap: number, frequency: number): void {
  writeTag(out, 4, Kind.bytes);
  out.varint((gap > 0 ? 1 + varintBytes(gap) : 0) + 1 + varintBytes(frequency));
  writeNumber(out, 1, gap);
  writeNumber(out, 2, frequency);
}

function headerOf(termCount: number, docCount: number, length: number, description: string): Buffer {
  const out = new ByteWriter();
  writeNumber(out, 1, CIFF_VERSION);
  writeNumber(out, 2, termCount);
  writeNumber(out, 3, docCount);
  writeNumber(out, 4, termCount);
  writeNumber(out, 5, docCount);
  writeNumber(out, 6, length);
  writeTag(out, 7, Kind.fixed64);
  out.f64(docCount > 0 ? length / docCount : 0);
  writeText(out, 8, description);
  return out.view();
}

function listOf({ term, docCount, occurrences, fields }: TermPostings): Buffer {
  const out = new ByteWriter(fields.length + 64);
  writeText(out, 1, term);
  writeNumber(out, 2, docCount);
  writeNumber(out, 3, occurrences);
  out.raw(fields.view());
  return out.view();
}

function* documentRecords(numbered: readonly NumberedSegment[]): Generator<Buffer> {
  for (const { segment, numbers } of numbered) {
    const { reader } = segment;
    for (const [doc, number] of numbers.entries()) {
      if (number < 0) continue;
      const out = new ByteWriter(256);
      writeNumber(out, 1, number);
      writeText(out, 2, reader.url(doc));
      writeNumber(out, 3, reader.table.lengths[doc]!);
      yield delimited(out.view());
    }
  }
}

function delimited(message: Buffer): Buffer {
  const out = new ByteWriter(message.length + 8);
  out.varint(message.length);
  out.raw(message);
  return out.view();
}

function writeTag(out: ByteWriter, field: number, kind: number): void {
  out.varint(8 * field + kind);
}

function writeNumber(out: ByteWriter, field: number, value: number): void {
  if (value === 0) return;
  writeTag(out, field, Kind.varint);
  out.varint(value);
}

function writeText(out: ByteWriter, field: number, value: string): void {
  writeTag(out, field, Kind.bytes);
  out.text(value);
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}
