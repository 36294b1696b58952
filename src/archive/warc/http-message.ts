/**
 * Parses the HTTP response in a record's block. The headers are not reliable, because other programs may have
 * changed the body without changing its headers: a body that is declared as chunked or as gzip may already be
 * decoded. Data that cannot be decoded is left unchanged.
 */
import { decodeBody } from '../../page/mod.ts';

export interface HttpMessage {
  status: number;
  statusText: string;
  /** For each header name in lower case, the values. A repeated header has all its values, in order. */
  headers: ReadonlyMap<string, readonly string[]>;
  /** The headers in the order of the block: names and values alternate. */
  rawHeaders: readonly string[];
  /** The body with its transfer coding decoded and its content coding (such as gzip) kept. */
  payload: Buffer;
  /** The body with its transfer coding and its content coding decoded. It is decoded at the first access. */
  readonly body: Buffer;
}

const MAX_BODY = 64 * 1024 * 1024;

/** Parses the HTTP response in the block of a record. Returns null if the block is not an HTTP response. */
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

/** Returns the first value of a header, or the empty string. */
export function headerOf(message: HttpMessage, name: string): string {
  return message.headers.get(name)?.[0] ?? '';
}

/**
 * Returns the end of the status line and headers. If there is no empty line, this is the end of the block.
 */
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

/**
 * Decodes a chunked body; returns null if the body is not chunked. If the body is truncated, returns the data
 * before the cut.
 */
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
