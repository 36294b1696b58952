/**
 * The journal: every parsed page in the order of fetching, for the stages that follow.
 *
 *   header   magic GYJ1, version u32
 *   frame*   length u32 > 0, crc32 u32 of the payload, payload
 *   end      length u32 = 0, count u32 of records in the file
 *
 * A payload is zstd-compressed; a frame holds the records of one commit, one after the other:
 *
 *   record   json length u32, text length u32, the `JournalRecord` as JSON, the text of its page as UTF-8
 *
 * The text of a page is outside the JSON because escaping it takes a tenth of the time of parsing the page. Other
 * records have no text.
 *
 * A file is called `00000001.journal` and so on; `.part` is added while it grows. Finished files contain only
 * committed records and never change. A later record of a URL replaces an earlier one. Times are milliseconds
 * since 1970.
 *
 *   {"kind":"page","url":"https://example.org/","fetchedAt":1767323045000,"digest":"…","page":{…}}
 *   {"kind":"alias","url":"https://example.org/old","fetchedAt":1767323045000,"of":"https://example.org/","reason":"redirect"}
 *   {"kind":"gone","url":"https://example.org/no","fetchedAt":1767323045000,"status":404}
 *
 * A file of these three records in one frame, compressed to 200 bytes, has 8 + 8 + 200 + 8 bytes: it begins with
 * 47 59 4A 31  02 00 00 00  C8 00 00 00  and ends with  00 00 00 00  03 00 00 00.
 */
import type { FileKind } from '../base/mod.ts';
import type { Page } from '../page/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';

export const JOURNAL_KIND: FileKind = { magic: 'GYJ1', version: 2 };
export const JOURNAL_SUFFIX = '.journal';

export type JournalRecord = PageRecord | AliasRecord | GoneRecord;

export interface PageRecord {
  kind: 'page';
  url: CanonicalUrl;
  /** Milliseconds since 1970. */
  fetchedAt: number;
  /** SHA-1 of the body in base 32, as in the archive. */
  digest: string;
  page: Page;
}

/**
 * `url` is an alias of `of`: it redirects there, has the same or nearly the same content, declares it as its
 * canonical URL, or is the same path on a mirror of its host.
 */
export interface AliasRecord {
  kind: 'alias';
  url: CanonicalUrl;
  fetchedAt: number;
  of: CanonicalUrl;
  reason: 'redirect' | 'duplicate' | 'near-duplicate' | 'canonical' | 'mirror';
}

/** The page no longer exists (404, 410) or asks not to be indexed. */
export interface GoneRecord {
  kind: 'gone';
  url: CanonicalUrl;
  fetchedAt: number;
  status: number;
  /** Why a response with status 200 is not a page. */
  reason?: 'soft 404' | 'parked';
}
