/**
 * The journal has every parsed page in the order of fetching. Graph and index are built from it.
 *
 *   header   magic GYJ1, version u32, epoch u32
 *   frame*   length u32 > 0, crc32 u32 of the payload, payload
 *   end      length u32 = 0, count u32 of records in the file
 *
 * A payload is zstd-compressed; a frame holds the records of one commit, one after the other:
 *
 *   record   length u32 of the rest, the `JournalRecord` as one line of JSON, 0A, the text of its page as UTF-8
 *
 * The text of a page is outside the JSON because escaping it took about 4 % of the processor time of a crawl.
 * Other records have no text.
 *
 * Several writers may write to one journal. A file belongs to one of them and is called `00000001-main.journal`,
 * for the first file of the writer `main`; `.part` is added while it grows. Finished files contain only committed
 * records and never change. Times are milliseconds since 1970.
 *
 *   {"kind":"page","url":"https://example.org/","fetchedAt":1767323045000,"digest":"…","page":{…}}
 *   {"kind":"alias","url":"https://example.org/old","fetchedAt":1767323045000,"of":"https://example.org/","reason":"redirect"}
 *   {"kind":"gone","url":"https://example.org/no","fetchedAt":1767323045000,"status":404}
 *
 * `"isNew":true` says that the URL had no page before: the page is new, or the alias or missing page never was one.
 * Journals of earlier versions lack it.
 *
 * The version of a record decides which of two records of a URL counts, in whatever order they are read. The
 * record with the greater `fetchedAt` counts; if equal, the one with the greater epoch; if equal, the one
 * whose writer's name comes later; for two records of one writer, the later one. The epoch increases when a
 * host gets another owner.
 *
 * A file of these three records in one frame, compressed to 200 bytes, has 12 + 8 + 200 + 8 bytes: in epoch 1 it
 * begins with  47 59 4A 31  02 00 00 00  01 00 00 00  C8 00 00 00  and ends with  00 00 00 00  03 00 00 00.
 */
import { type FileKind, SEAL_HEADER_BYTES } from '../base/mod.ts';
import type { Page } from '../page/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';

export const JOURNAL_KIND: FileKind = { magic: 'GYJ1', version: 2 };
export const JOURNAL_HEADER_BYTES = SEAL_HEADER_BYTES + 4;
export const JOURNAL_SUFFIX = '.journal';

/** The writer name and the epoch of a crawl that runs in one process. */
export const MAIN_WRITER = 'main';
export const MAIN_EPOCH = 1;

/** The version of a record, which decides which of two records of a URL counts. */
export interface RecordVersion {
  fetchedAt: number;
  epoch: number;
  writer: string;
}

export type JournalRecord = PageRecord | AliasRecord | GoneRecord;

interface AnyRecord {
  /** True if the URL had no page that may be listed before this record. */
  isNew?: true;
}

export interface PageRecord extends AnyRecord {
  kind: 'page';
  url: CanonicalUrl;
  fetchedAt: number;
  /** The SHA-1 of the body in base 32, as in the archive. */
  digest: string;
  page: Page;
}

/**
 * `url` is an alias of `of`: it redirects there, has the same content, declares it as its canonical URL, or is the same
 * path on a mirror of its host. Only earlier versions wrote `near-duplicate`.
 */
export interface AliasRecord extends AnyRecord {
  kind: 'alias';
  url: CanonicalUrl;
  fetchedAt: number;
  of: CanonicalUrl;
  reason: 'redirect' | 'duplicate' | 'near-duplicate' | 'canonical' | 'mirror';
}

/** The page no longer exists (404, 410) or asks not to be indexed. */
export interface GoneRecord extends AnyRecord {
  kind: 'gone';
  url: CanonicalUrl;
  fetchedAt: number;
  status: number;
  /** The reason why a response with status 200 does not count as a page. */
  reason?: 'soft 404' | 'parked';
}

/**
 * Returns a positive number if `a` is newer than `b`, and a negative number if it is older. Returns 0 only if
 * both versions have the same writer; then the record that is read later is newer, because the records of one
 * writer are read in order.
 */
export function compareVersions(a: RecordVersion, b: RecordVersion): number {
  return a.fetchedAt - b.fetchedAt || a.epoch - b.epoch || compareNames(a.writer, b.writer);
}

function compareNames(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
