/**
 * The HTTP response inside a record's block. Archives hold what servers sent and what other programs made
 * of it, so nothing here is certain: a chunked body may be left in place or undone with its header still
 * there, and a content coding may be named that is gone. What cannot be undone is left as it is.
 */
import { decodeBody } from './content-coding.ts';

export interface HttpMessage {
  status: number;
  statusText: string;
  /** Names in lower case; of a repeated header all values, in order. */
  headers: ReadonlyMap<string, readonly string[]>;
  /** Names and values in turn, as they stand in the block. */
  rawHeaders: readonly string[];
  /** With the transfer coding undone, content coding kept. */
  payload: Buffer;
  /** With the content coding undone too, when it is first asked for. */
  readonly body: Buffer;
}

const MAX_BODY = 64 * 1024 * 1024;

/** Null for a block that is no HTTP response. */
export function parseHttpMessage(block: Buffer): HttpMessage | null {
  const headEnd = endOfHead(block);
  const [statusLine = '', ...lines] = block
    .toString('latin1', 0, headEnd)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/);
  const [, status, statusText = ''] = /^HTTP\/[\d.]+ +(\d{3})(?: +(.*))?$/.exec(statusLine) ?? [];
  if (status === undefined) return null;
  const { headers, rawHeaders } = parseHeaders(lines);
  const raw = block.subarray(headEnd);
  const isChunked = headers.get('transfer-encoding')?.some((value) => /\bchunked\b/i.test(value));
  const payload = isChunked ? (dechunk(raw) ?? raw) : raw;
  const contentEncoding = headers.get('content-encoding')?.join(',') ?? '';
  let body: Buffer | undefined;
  return {
    status: Number(status),
    statusText: statusText.trim(),
    headers,
    rawHeaders,
    payload,
    get body() {
      body ??= bodyOf(payload, contentEncoding);
      return body;
    },
  };
}

function bodyOf(payload: Buffer, contentEncoding: string): Buffer {
  const decoded = decodeBody(payload, contentEncoding, MAX_BODY);
  return decoded.kind === 'decoded' ? decoded.body : payload;
}

/** The first value of a header, or the empty string. */
export function headerOf(message: HttpMessage, name: string): string {
  return message.headers.get(name)?.[0] ?? '';
}

/** A head without an empty line behind it is all there is. */
function endOfHead(block: Buffer): number {
  const windows = block.indexOf('\r\n\r\n');
  const unix = block.indexOf('\n\n');
  if (windows >= 0 && (unix < 0 || windows < unix)) return windows + 4;
  return unix < 0 ? block.length : unix + 2;
}

function parseHeaders(lines: readonly string[]): Pick<HttpMessage, 'headers' | 'rawHeaders'> {
  const headers = new Map<string, string[]>();
  const rawHeaders: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    rawHeaders.push(name, value);
    const values = headers.get(name.toLowerCase());
    if (values) values.push(value);
    else headers.set(name.toLowerCase(), [value]);
  }
  return { headers, rawHeaders };
}

/** The content of a chunked body; null if it is not one. A body that ends too early gives what it has. */
function dechunk(bytes: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf(0x0a, at);
    const line = lineEnd < 0 || lineEnd - at > 1000 ? '' : bytes.toString('latin1', at, lineEnd);
    const [, digits] = /^([0-9a-f]{1,8})\s*(?:;.*)?\r?$/i.exec(line) ?? [];
    if (digits === undefined) return chunks.length === 0 ? null : Buffer.concat(chunks);
    const length = Number.parseInt(digits, 16);
    if (length === 0) break;
    chunks.push(bytes.subarray(lineEnd + 1, lineEnd + 1 + length));
    at = lineEnd + 1 + length;
    if (bytes[at] === 0x0d) at++;
    if (bytes[at] === 0x0a) at++;
  }
  return Buffer.concat(chunks);
}
