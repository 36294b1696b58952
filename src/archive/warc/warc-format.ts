/**
 * The archive: WARC/1.1 files (ISO 28500:2017). Each record is compressed separately, so that any record can be
 * read by itself and any WARC tool can read the whole file.
 *
 *   00000001.warc.gz       finished; holds only committed records and never changes
 *   00000001.cdxj          the offsets of its records by URL (cdx-format.ts)
 *   00000002.warc.gz.part  being written
 *
 * A file begins with a `warcinfo` record. Each fetch gives a `response` record with the bytes as the server
 * sent them (content coding kept, transfer coding decoded and its header renamed to
 * `X-Archive-Transfer-Encoding`), followed by the `request`, which names the response in
 * `WARC-Concurrent-To`. If the body is already in the archive, or if the response says that the page is not
 * modified, there is a `revisit` record instead, with the headers but without the body. A document that was
 * not fetched over HTTP is a `resource` record.
 *
 * Every record has the SHA-1 of its block. A record with a payload also has the SHA-1 of the payload, and a
 * `revisit` record has the SHA-1 of the payload to which it refers.
 */
import { randomUUID } from 'node:crypto';
import { sha1Base32 } from '../../base/mod.ts';

const NOT_MODIFIED = 'http://netpreserve.org/warc/1.1/revisit/server-not-modified';
const IDENTICAL = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
const BLOCK_DIGEST = 'WARC-Block-Digest: sha1:';
const DIGEST_LENGTH = 32;
const MAX_KEPT_ROOM = 1024 * 1024;
const RECORD_END = '\r\n\r\n';
const CONFORMS_TO = 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/';

export interface Capture {
  url: string;
  fetchedAt: number;
  /** The request line and headers as sent, without the empty line after them; empty if unknown. */
  requestHead: string;
  status: number;
  statusText: string;
  /** The response headers as received: names and values alternate. */
  rawHeaders: readonly string[];
  /** The response body as received, with its content coding. */
  payload: Uint8Array;
  /** The SHA-1 digest of `payload` in base 32. */
  payloadDigest: string;
  ipAddress: string;
  /** An earlier capture whose record already has the same payload; null if there is none. */
  duplicateOf: { url: string; fetchedAt: number } | null;
}

/** A document that was not fetched over HTTP. */
export interface Resource {
  url: string;
  fetchedAt: number;
  contentType: string;
  payload: Uint8Array;
  payloadDigest: string;
}

export type Archivable = Capture | Resource;

export function isResource(item: Archivable): item is Resource {
  return 'contentType' in item;
}

/** Returns the `warcinfo` record, the first record of a file, before compression. */
export function encodeWarcinfo(file: string, software: string, now: number): Buffer {
  const body = `software: ${software}\r\nformat: WARC File Format 1.1\r\nconformsTo: ${CONFORMS_TO}\r\n`;
  const fields: Fields = [
    ['WARC-Type', 'warcinfo'],
    ['WARC-Record-ID', recordId()],
    ['WARC-Date', isoDate(now)],
    ['WARC-Filename', file],
    ['Content-Type', 'application/warc-fields'],
  ];
  return encodeRecord(fields, [Buffer.from(body)]);
}

interface EncodedRecord {
  bytes: Buffer;
  /** The offset of a body that is already compressed; the length of the record if there is none. */
  codedFrom: number;
}

/**
 * Yields the records of one capture or document. The CDXJ file lists the first of them. The bytes of a record
 * are valid until the next is requested.
 */
export function* encodeRecords(item: Archivable): Generator<EncodedRecord> {
  if (isResource(item)) return yield plain(encodeResource(item));
  const responseId = recordId();
  const response = encodeResponse(item, responseId);
  const isCoded = item.duplicateOf === null && hasContentCoding(item.rawHeaders);
  const codedFrom = response.length - (isCoded ? item.payload.length + RECORD_END.length : 0);
  yield { bytes: response, codedFrom };
  if (item.requestHead !== '') yield plain(encodeRequest(item, responseId));
}

function plain(bytes: Buffer): EncodedRecord {
  return { bytes, codedFrom: bytes.length };
}

function hasContentCoding(rawHeaders: readonly string[]): boolean {
  return rawHeaders.some(
    (name, i) =>
      i % 2 === 0 &&
      name.toLowerCase() === 'content-encoding' &&
      /gzip|deflate|br|zstd/i.test(rawHeaders[i + 1] ?? ''),
  );
}

type Fields = [name: string, value: string][];

function encodeResponse(capture: Capture, id: string): Buffer {
  const { duplicateOf } = capture;
  const fields: Fields = [
    ['WARC-Type', duplicateOf ? 'revisit' : 'response'],
    ['WARC-Record-ID', id],
    ...commonFields(capture),
    ['Content-Type', 'application/http; msgtype=response'],
    ['WARC-Payload-Digest', `sha1:${capture.payloadDigest}`],
  ];
  if (duplicateOf) {
    fields.push(['WARC-Profile', capture.status === 304 ? NOT_MODIFIED : IDENTICAL]);
    fields.push(['WARC-Refers-To-Target-URI', fieldValue(duplicateOf.url)]);
    fields.push(['WARC-Refers-To-Date', isoDate(duplicateOf.fetchedAt)]);
  }
  const head = responseHead(capture);
  return encodeRecord(fields, duplicateOf ? [head] : [head, capture.payload]);
}

function encodeRequest(capture: Capture, responseId: string): Buffer {
  const fields: Fields = [
    ['WARC-Type', 'request'],
    ['WARC-Record-ID', recordId()],
    ...commonFields(capture),
    ['WARC-Concurrent-To', responseId],
    ['Content-Type', 'application/http; msgtype=request'],
  ];
  return encodeRecord(fields, [Buffer.from(`${capture.requestHead}\r\n\r\n`, 'latin1')]);
}

function encodeResource(resource: Resource): Buffer {
  const fields: Fields = [
    ['WARC-Type', 'resource'],
    ['WARC-Record-ID', recordId()],
    ['WARC-Date', isoDate(resource.fetchedAt)],
    ['WARC-Target-URI', fieldValue(resource.url)],
    ['Content-Type', fieldValue(resource.contentType)],
    ['WARC-Payload-Digest', `sha1:${resource.payloadDigest}`],
  ];
  return encodeRecord(fields, [resource.payload]);
}

function commonFields(capture: Capture): Fields {
  const fields: Fields = [
    ['WARC-Date', isoDate(capture.fetchedAt)],
    ['WARC-Target-URI', fieldValue(capture.url)],
  ];
  if (capture.ipAddress) fields.push(['WARC-IP-Address', capture.ipAddress]);
  return fields;
}

function responseHead(capture: Capture): Buffer {
  let head = `HTTP/1.1 ${capture.status} ${fieldValue(capture.statusText)}\r\n`;
  for (let at = 0; at + 1 < capture.rawHeaders.length; at += 2) {
    const name = capture.rawHeaders[at]!;
    const stored = name.toLowerCase() === 'transfer-encoding' ? `X-Archive-${name}` : name;
    head += `${stored}: ${fieldValue(capture.rawHeaders[at + 1]!)}\r\n`;
  }
  return Buffer.from(`${head}\r\n`, 'latin1');
}

/**
 * Encodes a record. The block is copied once, to its final position, and hashed there. The head has room
 * reserved for the digest.
 */
function encodeRecord(fields: Fields, block: readonly Uint8Array[]): Buffer {
  const length = block.reduce((sum, part) => sum + part.length, 0);
  let head = 'WARC/1.1\r\n';
  for (const [name, value] of fields) head += `${name}: ${value}\r\n`;
  const digestAt = Buffer.byteLength(head) + BLOCK_DIGEST.length;
  head += `${BLOCK_DIGEST}${' '.repeat(DIGEST_LENGTH)}\r\nContent-Length: ${length}\r\n\r\n`;
  const blockAt = Buffer.byteLength(head);
  const record = roomFor(blockAt + length + RECORD_END.length);
  record.write(head);
  let at = blockAt;
  for (const part of block) {
    record.set(part, at);
    at += part.length;
  }
  record.write(RECORD_END, at);
  record.write(sha1Base32(record.subarray(blockAt, at)), digestAt);
  return record;
}

/**
 * The buffer for encoding records. It is used again for every record, to save allocations and garbage
 * collection.
 */
let room = Buffer.allocUnsafeSlow(64 * 1024);

function roomFor(length: number): Buffer {
  if (length > MAX_KEPT_ROOM) return Buffer.allocUnsafe(length);
  if (length > room.length) room = Buffer.allocUnsafeSlow(2 * length);
  return room.subarray(0, length);
}

/** Replaces line ends in the value of a WARC field, because a line end would start another field. */
function fieldValue(value: string): string {
  return value.replace(/[\r\n]+/g, ' ');
}

function recordId(): string {
  return `<urn:uuid:${randomUUID()}>`;
}

/** Formats the `WARC-Date` with milliseconds, which WARC/1.1 allows. */
function isoDate(ms: number): string {
  return new Date(ms).toISOString();
}
