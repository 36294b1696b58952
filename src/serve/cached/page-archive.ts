/**
 * Reads copies of pages from the WARC files.
 *
 * `PageArchive` is the interface for cached pages, answer boxes and MCP. Its implementation does no work in
 * the thread that accepts connections: `archive-pool.ts` reads, parses and rewrites in worker threads, within
 * a deadline.
 */
import {
  type ArchivedRecord,
  type CaptureReader,
  type CdxEntry,
  type CdxQuery,
  findOriginal,
  headerOf,
  interpretRecord,
  mayHaveMeaning,
  parseCdxTimestamp,
} from '../../archive/mod.ts';
import { MAX_ICON_BYTES, type Page, pictureType } from '../../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import type { ArchivedPage, CopyComparison, FoundCaptures, ShownCopy } from './copy-tasks.ts';
import type { PageContents } from './page-contents.ts';

export interface PageCopy {
  /**
   * The time of the copy in UTC, 14 digits: `20260102030405`. A copy is identified by its URL and this time.
   */
  at: string;
  fetchedAt: number;
}

export interface CopyContent {
  page: Page;
  contentType: string;
  body: Buffer;
}

export interface Picture {
  contentType: string;
  bytes: Buffer;
}

/** Reads copies in the calling thread, which waits for the disk. */
export interface CopyStore {
  /** Returns all copies of a page, newest first. */
  copies(url: CanonicalUrl): PageCopy[];
  /** Returns the content of a copy; null if it cannot be read. */
  read(url: CanonicalUrl, at: string): CopyContent | null;
}

/**
 * The reason why no copy is shown: there is none, the page does not allow it, reading takes too long, or too
 * many copies are being read.
 */
export interface NoCopy {
  kind: 'none' | 'refused' | 'late' | 'busy';
}

export interface PageArchive {
  /** Returns a copy for display with the words of `query` highlighted; an empty `at` selects the newest. */
  copy(url: CanonicalUrl, at: string, query: string): Promise<ShownCopy | NoCopy>;
  compare(url: CanonicalUrl, from: string, to: string): Promise<CopyComparison | NoCopy>;
  page(url: CanonicalUrl): Promise<ArchivedPage | NoCopy>;
  /** Returns the contents of the newest capture of a page, which is never cached. */
  contents?(url: CanonicalUrl): Promise<PageContents | NoCopy>;
  /** Finds captures for replay tools. An archive that is not in files of this machine cannot do this. */
  captures?(query: CdxQuery): Promise<FoundCaptures | NoCopy>;
  /** Returns an image from the archive; null if there is none at this URL. */
  picture(url: CanonicalUrl): Promise<Picture | null>;
}

export function archivedCopies(reader: CaptureReader): CopyStore {
  const captures = (url: CanonicalUrl): CdxEntry[] =>
    reader.find(url).filter((entry) => entry.status <= 200 && mayHaveMeaning(entry));
  return {
    copies: (url) =>
      captures(url).map(({ timestamp }) => ({ at: timestamp, fetchedAt: parseCdxTimestamp(timestamp) })),
    read(url, at) {
      const entry = captures(url).find(({ timestamp }) => timestamp === at);
      return entry ? contentOf(reader, entry, url) : null;
    },
  };
}

export function archivedPicture(reader: CaptureReader, url: CanonicalUrl): Picture | null {
  const entry = reader.find(url).find(({ status }) => status === 200);
  // A record that is much longer than an icon may be is not decompressed.
  if (!entry || entry.length > 2 * MAX_ICON_BYTES) return null;
  const bytes = reader.read(entry).http?.body;
  const contentType = bytes && pictureType(bytes);
  return bytes && contentType && bytes.length <= MAX_ICON_BYTES ? { contentType, bytes } : null;
}

/**
 * Returns the content of a copy. A revisit record (page unchanged) has no body, so the body is read from an
 * earlier capture.
 */
function contentOf(reader: CaptureReader, entry: CdxEntry, url: CanonicalUrl): CopyContent | null {
  const record = reader.tryRead(entry);
  if (!record) return null;
  const meaning = interpretRecord(record, url);
  if (meaning.kind === 'page') return { page: meaning.page, ...bodyOf(record) };
  if (meaning.kind !== 'revisit') return null;
  const original = findOriginal(reader, meaning);
  const originalUrl = original && canonicalize(original.url);
  return original && originalUrl ? contentOf(reader, original, originalUrl) : null;
}

function bodyOf({ http, block, fields }: ArchivedRecord): Pick<CopyContent, 'contentType' | 'body'> {
  if (http) return { contentType: headerOf(http, 'content-type'), body: http.body };
  return { contentType: fields.get('content-type') ?? '', body: block };
}
