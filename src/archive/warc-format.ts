/**
 * The archive: WARC/1.1 files (ISO 28500:2017), a gzip member per record, so that any record can be
 * read alone and any WARC tool can read the whole.
 *
 *   00000001.warc.gz     finished; holds only committed records and never changes
 *   00000002.warc.gz.part  being written
 *
 * A file opens with a `warcinfo` record. Each fetch gives a `response` record with the bytes as the
 * server sent them (content coding kept, transfer coding undone and its header renamed to
 * `X-Archive-Transfer-Encoding`), followed by the `request`. A body that is already in the archive
 * under another URL gives a `revisit` record instead, with the headers but without the body.
 */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';

export const WARC_SUFFIX = '.warc.gz';

const IDENTICAL = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';

/** Speed before size: level 1 writes twice as fast as level 6 (docs/decisions/0007). */
const GZIP_LEVEL = 1;

/** One exchange with a server. */
export interface Capture {
  url: string;
  /** Milliseconds since 1970. */
  fetchedAt: number;
  /** The request head as it was sent, without the empty line. */
  requestHead: string;
  status: number;
  statusText: string;
  /** Names and values in turn, as received. */
  rawHeaders: readonly string[];
  /** As received: content coding kept. */
  payload: Uint8Array;
  /** SHA-1 of `payload` in base 32. */
  payloadDigest: string;
  ipAddress: string;
  /** The record that holds the same payload already. */
  duplicateOf: { url: string; fetchedAt: number } | null;
}

export function encodeWarcinfo(file: string, software: string, fetchedAt: number): Buffer {
  const body = `software: ${software}\r\nformat: WARC File Format 1.1\r\nconformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n`;
  const fields: Fields = [
    ['WARC-Type', 'warcinfo'],
    ['WARC-Record-ID', recordId()],
    ['WARC-Date', isoDate(fetchedAt)],
    ['WARC-Filename', file],
    ['Content-Type', 'application/warc-fields'],
  ];
  return encodeRecord(fields, [Buffer.from(body)]);
}

/** The response (or revisit) record and its request record, as two gzip members. */
export function encodeCapture(capture: Capture): Buffer {
  const responseId = recordId();
  return Buffer.concat([encodeResponse(capture, responseId), encodeRequest(capture, responseId)]);
}

type Fields = [name: string, value: string][];

function encodeResponse(capture: Capture, id: string): Buffer {
  const fields: Fields = [
    ['WARC-Type', capture.duplicateOf ? 'revisit' : 'response'],
    ['WARC-Record-ID', id],
    ...commonFields(capture),
    ['Content-Type', 'application/http; msgtype=response'],
    ['WARC-Payload-Digest', `sha1:${capture.payloadDigest}`],
  ];
  if (capture.duplicateOf) {
    fields.push(['WARC-Profile', IDENTICAL]);
    fields.push(['WARC-Refers-To-Target-URI', capture.duplicateOf.url]);
    fields.push(['WARC-Refers-To-Date', isoDate(capture.duplicateOf.fetchedAt)]);
  }
  const head = responseHead(capture);
  return encodeRecord(fields, capture.duplicateOf ? [head] : [head, capture.payload]);
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

function commonFields(capture: Capture): Fields {
  const fields: Fields = [
    ['WARC-Date', isoDate(capture.fetchedAt)],
    ['WARC-Target-URI', capture.url],
  ];
  if (capture.ipAddress) fields.push(['WARC-IP-Address', capture.ipAddress]);
  return fields;
}

function responseHead(capture: Capture): Buffer {
  let head = `HTTP/1.1 ${capture.status} ${capture.statusText}\r\n`;
  for (let at = 0; at + 1 < capture.rawHeaders.length; at += 2) {
    const name = capture.rawHeaders[at]!;
    const stored = name.toLowerCase() === 'transfer-encoding' ? `X-Archive-${name}` : name;
    head += `${stored}: ${capture.rawHeaders[at + 1]}\r\n`;
  }
  return Buffer.from(`${head}\r\n`, 'latin1');
}

function encodeRecord(fields: Fields, block: Uint8Array[]): Buffer {
  const length = block.reduce((sum, part) => sum + part.length, 0);
  let head = 'WARC/1.1\r\n';
  for (const [name, value] of fields) head += `${name}: ${value}\r\n`;
  head += `Content-Length: ${length}\r\n\r\n`;
  const record = Buffer.concat([Buffer.from(head), ...block, Buffer.from('\r\n\r\n')]);
  return gzipSync(record, { level: GZIP_LEVEL });
}

function recordId(): string {
  return `<urn:uuid:${randomUUID()}>`;
}

/** WARC/1.1 allows fractions of a second. */
function isoDate(ms: number): string {
  return new Date(ms).toISOString();
}
