/**
 * Interprets an archived record as a page, a redirect, a page that is gone, a revisit, or nothing. The crawl
 * interprets a fresh response in the same way. Therefore a journal rebuilt from the archive equals the journal
 * of the crawl, except for changes of the parser.
 */
import { sha1Base32 } from '../base/mod.ts';
import {
  type DocumentFault,
  type Extractor,
  interpretResponse,
  isGoneStatus,
  mayBePage,
  type Page,
  type ParseOptions,
  parsePage,
  type ResponseMeaning,
} from '../page/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import type { CaptureReader } from './archive-reader.ts';
import { type CdxEntry, cdxTimestamp, REVISIT_MIME } from './cdx/mod.ts';
import { DOCUMENT_TYPE, documentDigest, pageOfDocument, parseDocument } from './document-record.ts';
import { isRemoved } from './gone-policy.ts';
import { type ArchivedRecord, type HttpMessage, httpOf, type WarcRecord, warcDate } from './warc/mod.ts';

export type RecordMeaning =
  /** `digest` is the digest of the body without content coding. */
  | { kind: 'page'; page: Page; digest: string }
  | { kind: 'redirect'; to: CanonicalUrl }
  | { kind: 'gone'; status: number }
  /**
   * A revisit record has no body and refers to the capture that has the body. `url` is the URL of that capture;
   * empty if the record does not name it.
   */
  | { kind: 'revisit'; url: string; fetchedAt: number }
  /** A response that should be a page, but its body cannot be read. */
  | { kind: 'unreadable'; fault: DocumentFault }
  /** The parser timed out or crashed on the record; see record-reader.ts. */
  | { kind: 'failed'; reason: string }
  /** A record that says nothing about the page: an error, or a type that is not a page. */
  | { kind: 'nothing' };

const NOTHING: RecordMeaning = { kind: 'nothing' };

export function interpretRecord(
  record: ArchivedRecord,
  url: CanonicalUrl,
  options: ParseOptions = {},
): RecordMeaning {
  if (record.type === 'resource' || record.type === 'conversion') return resourceMeaning(record, url);
  const { http } = record;
  if (!http) return NOTHING;
  if (record.type === 'revisit' && (http.status === 200 || http.status === 304))
    return revisitMeaning(record);
  return record.type === 'response' || record.type === 'revisit'
    ? meaningOf(interpretResponse(http, url, record.date, options), http)
    : NOTHING;
}

function meaningOf(meaning: ResponseMeaning, http: HttpMessage): RecordMeaning {
  switch (meaning.kind) {
    case 'page':
      return { ...meaning, digest: sha1Base32(http.body) };
    case 'redirect':
      return meaning.to ? { kind: 'redirect', to: meaning.to } : NOTHING;
    case 'gone':
      return { kind: 'gone', status: http.status };
    case 'unreadable':
      return { kind: 'unreadable', fault: meaning.fault };
    default:
      return NOTHING;
  }
}

function resourceMeaning({ fields, block }: WarcRecord, url: CanonicalUrl): RecordMeaning {
  const contentType = fields.get('content-type') ?? '';
  if (contentType === DOCUMENT_TYPE) {
    const parsed = parseDocument(block.toString(), '');
    const page = 'document' in parsed ? pageOfDocument(parsed.document) : null;
    return 'document' in parsed && page
      ? { kind: 'page', page, digest: documentDigest(parsed.document) }
      : { kind: 'unreadable', fault: 'damaged' };
  }
  if (!mayBePage(url, contentType)) return NOTHING;
  const page = parsePage({ url, contentType, body: block, xRobotsTag: [] });
  return page ? { kind: 'page', page, digest: sha1Base32(block) } : NOTHING;
}

function revisitMeaning({ fields }: WarcRecord): RecordMeaning {
  const url = (fields.get('warc-refers-to-target-uri') ?? '').replace(/^<(.*)>$/, '$1');
  return { kind: 'revisit', url, fetchedAt: warcDate(fields.get('warc-refers-to-date') ?? '') };
}

/**
 * Returns the capture that defines the current state of a URL: the newest conclusive capture. Three kinds of
 * captures are not conclusive: errors such as 500, responses that say that the page has not changed, and the
 * first response that says the page is gone. Such captures are skipped.
 */
export function currentCapture(
  archive: CaptureReader,
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
 * Decides whether a new capture is the current state of its page, by comparison with the other captures of the
 * URL. The result is the same as if all captures were read again from the archive. A `doubtful` capture is the
 * first capture that says that the page is gone.
 */
export function recordStandingOf(
  entry: CdxEntry,
  others: readonly CdxEntry[],
): 'current' | 'doubtful' | 'past' {
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
 * Returns true if the capture says that the page is gone, but the page is kept until a second capture says
 * the same.
 */
function isDoubtful(entry: CdxEntry, before: CdxEntry | undefined): boolean {
  if (!isGone(entry) || !before) return false;
  // An imported document has no status (0).
  const wasDocument = before.status === 200 || before.status === 0 || before.mime === REVISIT_MIME;
  return !isRemoved(wasDocument, isGone(before) ? 2 : 1);
}

function isGone({ status }: CdxEntry): boolean {
  return isGoneStatus(status);
}

/** Finds the capture that has the body to which a revisit record refers. */
export function findOriginal(
  archive: CaptureReader,
  { url, fetchedAt }: Extract<RecordMeaning, { kind: 'revisit' }>,
): CdxEntry | null {
  if (url === '' || Number.isNaN(fetchedAt)) return null;
  const timestamp = cdxTimestamp(fetchedAt);
  const isOriginal = (entry: CdxEntry) => entry.timestamp === timestamp && entry.mime !== REVISIT_MIME;
  return archive.find(url).find(isOriginal) ?? null;
}

/**
 * Returns false if the CDXJ line alone shows that the record says nothing about a page, for example because
 * its status is 500.
 */
export function mayHaveMeaning(
  { status, mime, url }: CdxEntry,
  extractors: readonly Extractor[] = [],
): boolean {
  if (mime === REVISIT_MIME) return true;
  if (status === 0) return mime === DOCUMENT_TYPE || mayBePage(url as CanonicalUrl, mime);
  if (status === 200) return mayBePage(url as CanonicalUrl, mime === 'unk' ? '' : mime, extractors);
  return (status >= 300 && status < 400 && status !== 304) || isGoneStatus(status);
}

/**
 * Returns true if a revisit record says that the page has not changed since an earlier capture of the same
 * URL. Also returns true for a damaged revisit record, so that the earlier capture is used.
 */
function refersToItself(archive: CaptureReader, entry: CdxEntry): boolean {
  const record = archive.tryRead(entry);
  const meaning = record ? revisitMeaning(record) : { kind: 'revisit' as const, url: '' };
  return meaning.kind === 'revisit' && (meaning.url === entry.url || meaning.url === '');
}

export function archivedRecord(record: WarcRecord): ArchivedRecord {
  return { ...record, http: httpOf(record) };
}
