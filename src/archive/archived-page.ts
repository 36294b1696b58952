/**
 * What an archived record says, as the journal would put it. The same verdicts as the crawl's on a fresh
 * answer, so that a journal made from the archive says what the crawl had said, as today's parser reads it.
 */
import { sha1Base32 } from '../base/mod.ts';
import {
  type Extractor,
  isFeedName,
  type Page,
  type ParseOptions,
  parsePage,
  pictureType,
  readsContentType,
} from '../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';
import type { ArchiveReader } from './archive-reader.ts';
import { type CdxEntry, cdxTimestamp, REVISIT_MIME } from './cdx-format.ts';
import { DOCUMENT_TYPE, documentDigest, pageOfDocument, parseDocument } from './document-record.ts';
import { type HttpMessage, headerOf } from './http-message.ts';
import { type WarcRecord, warcDate } from './warc-parser.ts';
import { type ArchivedRecord, httpOf } from './warc-reader.ts';

export type Meaning =
  /** `digest` is that of the body without content coding. */
  | { kind: 'page'; page: Page; digest: string }
  | { kind: 'redirect'; to: CanonicalUrl }
  | { kind: 'gone'; status: number }
  /** The body is that of another capture; `url` is empty if the record does not say of which. */
  | { kind: 'revisit'; url: string; fetchedAt: number }
  /** It would be a page, but is in no form that we read. */
  | { kind: 'unreadable' }
  /** Reading it came to no end, or ended in an error; see record-reader.ts. */
  | { kind: 'failed'; reason: string }
  /** An answer that changes nothing about the page: an error, or something that is no page. */
  | { kind: 'nothing' };

const NOTHING: Meaning = { kind: 'nothing' };

export function meaningOf(record: ArchivedRecord, url: CanonicalUrl, options: ParseOptions = {}): Meaning {
  if (record.type === 'resource' || record.type === 'conversion') return resourceMeaning(record, url);
  const { http } = record;
  if (!http) return NOTHING;
  if (record.type === 'revisit' && (http.status === 200 || http.status === 304))
    return revisitMeaning(record);
  if (http.status === 404 || http.status === 410) return { kind: 'gone', status: http.status };
  const location = headerOf(http, 'location');
  if (http.status >= 300 && http.status < 400 && location !== '') {
    const to = canonicalize(location, url);
    return to && to !== url ? { kind: 'redirect', to } : NOTHING;
  }
  return http.status === 200 && record.type === 'response' ? pageMeaning(http, url, options) : NOTHING;
}

function pageMeaning(http: HttpMessage, url: CanonicalUrl, options: ParseOptions): Meaning {
  const contentType = headerOf(http, 'content-type');
  if (!readsContentType(contentType, options.extractors) && !isFeedName(url, contentType)) return NOTHING;
  const input = {
    ...{ url, contentType, body: http.body },
    xRobotsTag: http.headers.get('x-robots-tag') ?? [],
    linkHeader: http.headers.get('link') ?? [],
    lastModified: headerOf(http, 'last-modified'),
    contentLanguage: headerOf(http, 'content-language'),
  };
  const page = parsePage(input, options);
  if (page) return { kind: 'page', page, digest: sha1Base32(http.body) };
  // The icon of a site, from a server that does not tell its type.
  return pictureType(http.body) ? NOTHING : { kind: 'unreadable' };
}

function resourceMeaning({ fields, block }: WarcRecord, url: CanonicalUrl): Meaning {
  const contentType = fields.get('content-type') ?? '';
  if (contentType === DOCUMENT_TYPE) {
    const parsed = parseDocument(block.toString(), '');
    const page = 'document' in parsed ? pageOfDocument(parsed.document) : null;
    return 'document' in parsed && page
      ? { kind: 'page', page, digest: documentDigest(parsed.document) }
      : { kind: 'unreadable' };
  }
  if (!readsContentType(contentType)) return NOTHING;
  const page = parsePage({ url, contentType, body: block, xRobotsTag: [] });
  return page ? { kind: 'page', page, digest: sha1Base32(block) } : NOTHING;
}

function revisitMeaning({ fields }: WarcRecord): Meaning {
  const url = (fields.get('warc-refers-to-target-uri') ?? '').replace(/^<(.*)>$/, '$1');
  return { kind: 'revisit', url, fetchedAt: warcDate(fields.get('warc-refers-to-date') ?? '') };
}

/**
 * The capture that says what a URL is now: the newest with something to say. An answer such as a 500, one
 * that the page has not changed, or the first that it is gone, leaves the word to the one before it.
 */
export function currentCapture(
  archive: ArchiveReader,
  url: string,
  { extractors }: ParseOptions = {},
): CdxEntry | null {
  const entries = archive.find(url).filter((entry) => mayHaveMeaning(entry, extractors));
  for (const [i, entry] of entries.entries()) {
    const before = entries[i + 1];
    const isSilent = entry.mime === REVISIT_MIME ? refersToItself(archive, entry) : isDoubtful(entry, before);
    if (!before || !isSilent) return entry;
  }
  return null;
}

/**
 * What a new capture changes about its URL, whose other captures are `others`: the same as if all of them were read
 * again from the archive. A `doubtful` one is the first to say that the page is gone.
 */
export function standingOf(entry: CdxEntry, others: readonly CdxEntry[]): 'current' | 'doubtful' | 'past' {
  const telling = others.filter((other) => mayHaveMeaning(other));
  telling.sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0));
  const newer = telling.filter(({ timestamp }) => timestamp > entry.timestamp);
  const [newest] = newer;
  const before = telling[newer.length];
  if (!newest) return isDoubtful(entry, before) ? 'doubtful' : 'current';
  const confirms = isGone(entry) && isDoubtful(newest, before);
  return newer.length === 1 && (isDoubtful(newest, entry) || confirms) ? 'current' : 'past';
}

/**
 * That a fetched page is gone may be a slip of its server: it stays until that was said twice, as in a crawl. What no
 * server had answered, such as an imported document, goes at the first word.
 */
function isDoubtful(entry: CdxEntry, before: CdxEntry | undefined): boolean {
  return isGone(entry) && before !== undefined && before.status !== 0 && !isGone(before);
}

function isGone({ status }: CdxEntry): boolean {
  return status === 404 || status === 410;
}

/** The capture with the body that a revisit does without. */
export function findOriginal(
  archive: ArchiveReader,
  { url, fetchedAt }: Extract<Meaning, { kind: 'revisit' }>,
): CdxEntry | null {
  if (url === '' || Number.isNaN(fetchedAt)) return null;
  const timestamp = cdxTimestamp(fetchedAt);
  const isOriginal = (entry: CdxEntry) => entry.timestamp === timestamp && entry.mime !== REVISIT_MIME;
  return archive.find(url).find(isOriginal) ?? null;
}

/** As far as its line in the CDXJ file tells. */
export function mayHaveMeaning(
  { status, mime, url }: CdxEntry,
  extractors: readonly Extractor[] = [],
): boolean {
  if (mime === REVISIT_MIME) return true;
  if (status === 0) return mime === DOCUMENT_TYPE || readsContentType(mime);
  if (status === 200)
    return readsContentType(mime === 'unk' ? '' : mime, extractors) || isFeedName(url as CanonicalUrl, mime);
  return (status >= 300 && status < 400 && status !== 304) || status === 404 || status === 410;
}

function refersToItself(archive: ArchiveReader, entry: CdxEntry): boolean {
  const meaning = revisitMeaning(archive.read(entry));
  return meaning.kind === 'revisit' && (meaning.url === entry.url || meaning.url === '');
}

/** A record as it stands in a file, with the HTTP response in it. */
export function archivedRecord(record: WarcRecord): ArchivedRecord {
  return { ...record, http: httpOf(record) };
}
