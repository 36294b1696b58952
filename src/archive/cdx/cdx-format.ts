/**
 * CDXJ: the captures of a WARC file and their positions, one line each, sorted by bytes.
 *
 *   org,example)/a 20260102030405 {"url":"https://example.org/a","mime":"text/html","status":"200",
 *     "digest":"sha1:…","length":"2012","offset":"347","filename":"00000001.warc.gz"}
 *
 * (on one line). The first word is the SURT of the URL, the second the time in UTC to the second. Offset and
 * length are those of the compressed record. `00000001.cdxj` belongs to `00000001.warc.gz`. A file that still
 * grows has `00000002.cdxj.part` with the same lines in order of writing. This part file is not synced to disk;
 * lines that it lacks after a crash are read from the WARC file again.
 */
import { surtOf } from './surt.ts';

export interface CdxEntry {
  url: string;
  /** Fourteen digits. */
  timestamp: string;
  /** The content type of a response without parameters; `warc/revisit` for a capture without a body. */
  mime: string;
  /** The HTTP status; 0 when there is none. */
  status: number;
  /** With its algorithm, as in the record: `sha1:…`. */
  digest: string;
  offset: number;
  length: number;
  filename: string;
}

export const REVISIT_MIME = 'warc/revisit';

/** Returns the line without a line end. */
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

/** Returns null for an incomplete line or one of another format. */
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

/** `2026-01-02T03:04:05.678Z` is 20260102030405. */
export function cdxTimestamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace(/\D/g, '');
}

/** Sorts the lines by their bytes and adds the line ends. */
export function sortCdx(lines: string[]): Buffer {
  // Our lines are ASCII up to the JSON, and UTF-16 order equals byte order for ASCII.
  lines.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}
