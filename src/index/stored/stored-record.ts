/** Encodes and decodes one stored document; stored-format.ts describes the bytes. */
import { ByteReader, type ByteWriter } from '../../base/mod.ts';
import type { Heading, StoredDocument } from '../document.ts';

/** Bits of the number that follows the text in a record; stored-format.ts calls it `marks`. */
const NO_COPY = 1;
const HAS_PARTS = 2;

/** Encodes a stored document. `textBytes` is its text as UTF-8, if the caller already has these bytes. */
export function encodeStoredRecord(
  document: StoredDocument,
  out: ByteWriter,
  textBytes: Uint8Array | null = null,
): void {
  out.varint(document.fetchedAt);
  out.varint(document.maxSnippet === undefined ? 0 : document.maxSnippet + 1);
  out.text(document.url);
  out.text(document.title);
  out.text(document.description);
  out.text(document.language);
  if (textBytes === null) out.text(document.text);
  else {
    out.varint(textBytes.length);
    out.raw(textBytes);
  }
  encodeParts(document, out);
}

function encodeParts(
  { noCopy, headings = [], code = [], images = [] }: StoredDocument,
  out: ByteWriter,
): void {
  const hasParts = code.length + images.length > 0;
  const marks = (noCopy ? NO_COPY : 0) | (hasParts ? HAS_PARTS : 0);
  if (marks === 0 && headings.length === 0) return;
  out.varint(marks);
  if (hasParts) out.varint(headings.length);
  let at = 0;
  for (const { level, start, end } of headings) {
    out.varint(level);
    out.varint(start - at);
    out.varint(end - start);
    at = end;
  }
  if (!hasParts) return;
  out.varint(code.length);
  at = 0;
  for (const block of code) {
    out.varint(block.start - at);
    out.varint(block.end - block.start);
    out.text(block.code);
    at = block.end;
  }
  out.varint(images.length);
  for (const { url, label, context } of images) {
    out.text(url);
    out.text(label);
    out.text(context);
  }
}

/** The beginning of a stored document, for callers that do not need the whole text. */
export interface DocumentOpening {
  title: string;
  language: string;
  text: string;
}

/** The maximum number of UTF-8 bytes that one UTF-16 unit can take. */
const BYTES_PER_UNIT = 3;

/** Decodes the beginning of a stored document, with at most `length` UTF-16 units of its text. */
export function decodeOpening(record: Buffer, file: string, length: number): DocumentOpening {
  const reader = new ByteReader(record, file);
  reader.varint();
  reader.varint();
  reader.skip(reader.varint());
  const title = reader.text();
  reader.skip(reader.varint());
  const language = reader.text();
  const textBytes = reader.varint();
  // The bytes may end within a character. Therefore two more units are decoded than needed, and the last
  // ones, which may be a broken character, are cut off.
  const text = reader.utf8(Math.min(textBytes, BYTES_PER_UNIT * (length + 2))).slice(0, length);
  return { title, language, text };
}

/** Decodes a stored document. `file` is used in error messages only. */
export function decodeRecord(record: Uint8Array, file: string): StoredDocument {
  const reader = new ByteReader(record, file);
  const fetchedAt = reader.varint();
  const maxSnippet = reader.varint() - 1;
  const url = reader.text();
  const title = reader.text();
  const description = reader.text();
  const language = reader.text();
  const document: StoredDocument = { url, title, description, language, text: reader.text(), fetchedAt };
  if (maxSnippet >= 0) document.maxSnippet = maxSnippet;
  return reader.remaining > 0 ? { ...document, ...decodeParts(reader) } : document;
}

function decodeParts(reader: ByteReader): Partial<StoredDocument> {
  const marks = reader.varint();
  const hasParts = (marks & HAS_PARTS) !== 0;
  const headings = decodeHeadings(reader, hasParts ? reader.varint() : Number.POSITIVE_INFINITY);
  let at = 0;
  const code = hasParts
    ? listOf(reader, () => {
        const start = at + reader.varint();
        at = start + reader.varint();
        return { start, end: at, code: reader.text() };
      })
    : [];
  const images = hasParts
    ? listOf(reader, () => ({ url: reader.text(), label: reader.text(), context: reader.text() }))
    : [];
  return {
    ...((marks & NO_COPY) !== 0 && { noCopy: true as const }),
    ...(headings.length > 0 && { headings }),
    ...(code.length > 0 && { code }),
    ...(images.length > 0 && { images }),
  };
}

/** Reads at most `count` headings. If `count` is infinite, reads headings up to the end of the record. */
function decodeHeadings(reader: ByteReader, count: number): Heading[] {
  const headings: Heading[] = [];
  for (let at = 0; headings.length < count && reader.remaining > 0; ) {
    const level = reader.varint();
    const start = at + reader.varint();
    at = start + reader.varint();
    headings.push({ level, start, end: at });
  }
  return headings;
}

/** Reads a number of items, then this many items, each by calling `read`. */
function listOf<Item>(reader: ByteReader, read: () => Item): Item[] {
  return Array.from({ length: Math.min(reader.varint(), reader.remaining) }, read);
}

export function urlOfRecord(record: Buffer, file: string): string {
  const reader = new ByteReader(record, file);
  reader.varint();
  reader.varint();
  return reader.text();
}
