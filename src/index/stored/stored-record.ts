/** Encodes and decodes one stored document; stored-format.ts describes the bytes. */
import { ByteReader, type ByteWriter } from '../../base/mod.ts';
import type { Heading, StoredDocument } from '../document.ts';

/** The value after the text if the page forbids showing a copy. For other documents it is 0 or absent. */
const NO_COPY = 1;

/** `textBytes` is the text as UTF-8, if the caller already has it. */
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
  const headings = document.headings ?? [];
  if (document.noCopy || headings.length > 0) out.varint(document.noCopy ? NO_COPY : 0);
  let at = 0;
  for (const { level, start, end } of headings) {
    out.varint(level);
    out.varint(start - at);
    out.varint(end - start);
    at = end;
  }
}

/** `file` is used in error messages only. */
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
  if (reader.remaining > 0 && reader.varint() === NO_COPY) document.noCopy = true;
  if (reader.remaining > 0) document.headings = decodeHeadings(reader);
  return document;
}

function decodeHeadings(reader: ByteReader): Heading[] {
  const headings: Heading[] = [];
  for (let at = 0; reader.remaining > 0; ) {
    const level = reader.varint();
    const start = at + reader.varint();
    at = start + reader.varint();
    headings.push({ level, start, end: at });
  }
  return headings;
}

export function urlOfRecord(record: Buffer, file: string): string {
  const reader = new ByteReader(record, file);
  reader.varint();
  reader.varint();
  return reader.text();
}
