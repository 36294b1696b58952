/**
 * CDXJ: the captures of a WARC file and their positions, one line each, sorted by bytes.
 *
 *   org,example)/a 20260102030405 {"url":"https://example.org/a","mime":"text/html","status":"200",
 *     "digest":"sha1:…","length":"2012","offset":"347","filename":"00000001.warc.gz"}
 *
 * (on one line). The first word is the SURT of the URL, the second the time in UTC to the second. Offset and
 * length refer to the compressed record. `00000001.cdxj` belongs to `00000001.warc.gz`. A file that still grows
 * has `00000002.cdxj.part` with the same lines in order of writing. This part file is not synced to disk; lines
 * that it lacks after a crash are read from the WARC file again.
 */
import { surtOf } from './surt.ts';

export interface CdxEntry {
  url: string;
  /** The time of the capture in UTC, 14 digits: `20260102030405`. */
  timestamp: string;
  /**
   * The content type of the response without parameters, such as `text/html`; `warc/revisit` for a capture
   * without a body.
   */
  mime: string;
  /** The HTTP status; 0 for a capture without HTTP, such as an imported document. */
  status: number;
  /** The digest of the payload with its algorithm, as in the WARC record: `sha1:…`. */
  digest: string;
  offset: number;
  length: number;
  filename: string;
}

export const REVISIT_MIME = 'warc/revisit';

/** Returns the CDXJ line of a capture, without a line end. */
export function encodeCdx(entry: CdxEntry): string {
  const { url, timestamp, mime, status, digest, offset, length, filename } = entry;
  const fields = {
    url,
    mime,
    status: status === 0 ? '-' : String(status),
    digest,
    length: String(length),
    offset: String(offset),
    filename,
  };
  return `${surtOf(url)} ${timestamp} ${JSON.stringify(fields)}`;
}

/** Parses a CDXJ line. Returns null if it is incomplete or has another format. */
export function decodeCdx(line: string): CdxEntry | null {
  const [, timestamp = '', json = ''] = /^\S+ (\d{14}) (\{.*\})$/.exec(line) ?? [];
  if (json === '') return null;
  try {
    const fields = JSON.parse(json) as Record<string, string>;
    const { url = '', mime = '', digest = '', filename = '' } = fields;
    const status = Number(fields.status) || 0;
    const [offset, length] = [Number(fields.offset), Number(fields.length)];
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length)) return null;
    return { url, timestamp, mime, status, digest, offset, length, filename };
  } catch {
    return null;
  }
}

/** Formats a time as 14 digits: `2026-01-02T03:04:05.678Z` becomes `20260102030405`. */
export function cdxTimestamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace(/\D/g, '');
}

/**
 * Parses 14 digits to a time in milliseconds: the inverse of `cdxTimestamp`. The digits have no milliseconds,
 * so they are 0.
 */
export function parseCdxTimestamp(timestamp: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(..)(..)(..)(..)(..)$/.exec(timestamp)!;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}

/** Sorts CDXJ lines by their bytes and joins them, with a line end after each. */
export function sortCdx(lines: string[]): Buffer {
  // CDXJ lines are ASCII up to the JSON part, so sorting by UTF-16 code units equals sorting by bytes.
  lines.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}
