/** Makes the crawl state of an imported response, as if the crawl had fetched it. */
import type { Archivable, RecordMeaning } from '../archive/mod.ts';
import { type ImportedAnswer, reasonOfFault, type UrlReason } from '../crawl/mod.ts';
import type { JournalRecord } from '../journal/mod.ts';
import { isListed } from '../page/mod.ts';

/** Returns the reason code that the crawl would have recorded for the response if it had fetched it. */
export function reasonOf(meaning: RecordMeaning, record: JournalRecord | null, status: number): UrlReason {
  if (record?.kind === 'alias') return { code: record.reason };
  if (record?.kind === 'page' && !isListed(record.page)) return { code: record.page.kind ?? 'noindex' };
  switch (meaning.kind) {
    case 'revisit':
      return { code: 'page' };
    case 'failed':
      return { code: 'unreadable', cause: meaning.reason };
    case 'unreadable':
      return reasonOfFault(meaning.fault);
    case 'nothing':
      return status >= 400 ? { code: 'http-status', status } : { code: 'no-page' };
    default:
      return { code: meaning.kind };
  }
}

/** Returns the document of a page or an imported text that may be a search result; otherwise null. */
export function importedDocumentOf(
  item: Archivable,
  record: JournalRecord | null,
  sketch: number | null,
): ImportedAnswer['document'] {
  if (record?.kind !== 'page' || !isListed(record.page)) return null;
  const { payloadDigest, fetchedAt: archivedAt } = item;
  return { digest: record.digest, payloadDigest, archivedAt, sketch };
}
