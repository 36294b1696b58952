/**
 * Copies of pages, as the pages about them want to see them; behind it stand the WARC files.
 *
 * A page that asks for no copies (`noarchive`) or not to be found (`noindex`) is refused, and with it all that was
 * kept of it before it asked: its newest copy speaks for all.
 */
import {
  type ArchivedRecord,
  type ArchiveReader,
  type CdxEntry,
  findOriginal,
  headerOf,
  mayHaveMeaning,
  meaningOf,
} from '../../archive/mod.ts';
import { MAX_ICON_BYTES, type Page, pictureType } from '../../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';

export interface PageCopy {
  /** Fourteen digits in UTC: the name of the copy among those of its URL. */
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

export interface PageArchive {
  /** All copies of a page, the newest first. */
  copies(url: CanonicalUrl): PageCopy[];
  /** What a copy says; null if it cannot be read. */
  read(url: CanonicalUrl, at: string): CopyContent | null;
  /** Any file of the archive that is a picture; null if there is none at this address. */
  picture(url: CanonicalUrl): Picture | null;
}

export function archivedPages(reader: ArchiveReader): PageArchive {
  const captures = (url: CanonicalUrl): CdxEntry[] =>
    reader.find(url).filter((entry) => entry.status <= 200 && mayHaveMeaning(entry));
  return {
    copies: (url) => captures(url).map(({ timestamp }) => ({ at: timestamp, fetchedAt: timeOf(timestamp) })),
    read(url, at) {
      const entry = captures(url).find(({ timestamp }) => timestamp === at);
      return entry ? contentOf(reader, entry, url) : null;
    },
    picture(url) {
      const entry = reader.find(url).find(({ status }) => status === 200);
      const bytes = entry ? reader.read(entry).http?.body : undefined;
      const contentType = bytes && pictureType(bytes);
      return bytes && contentType && bytes.length <= MAX_ICON_BYTES ? { contentType, bytes } : null;
    },
  };
}

/** Whether a page lets its copies be shown. */
export function allowsCopies({ robots }: Page, now: number): boolean {
  return robots.archive && robots.index && (robots.unavailableAfter ?? Number.POSITIVE_INFINITY) > now;
}

/** A capture that found the page unchanged has the body of an earlier one. */
function contentOf(reader: ArchiveReader, entry: CdxEntry, url: CanonicalUrl): CopyContent | null {
  const record = reader.read(entry);
  const meaning = meaningOf(record, url);
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

function timeOf(timestamp: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(..)(..)(..)(..)(..)$/.exec(timestamp)!;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}
