/** The crawl state of an imported response, as if the crawl had fetched it. */
import { type Archivable, isResource, type RecordMeaning } from '../archive/mod.ts';
import type { ImportedAnswer } from '../crawl/mod.ts';
import type { JournalRecord } from '../journal/mod.ts';
import { isListed } from '../page/mod.ts';

/** Returns the reason code that the crawl would record. */
export function reasonOf(meaning: RecordMeaning, record: JournalRecord | null): string {
  if (record?.kind === 'alias') return record.reason;
  if (record?.kind === 'page' && !isListed(record.page)) return record.page.kind ?? 'noindex';
  return meaning.kind === 'revisit' ? 'page' : meaning.kind;
}

/** Returns the document of a page that a server sent and that may be listed in results; otherwise null. */
export function importedDocumentOf(
  item: Archivable,
  record: JournalRecord | null,
  sketch: number | null,
): ImportedAnswer['document'] {
  if (record?.kind !== 'page' || isResource(item) || !isListed(record.page)) return null;
  const { payloadDigest, fetchedAt: archivedAt } = item;
  return { digest: record.digest, payloadDigest, archivedAt, sketch };
}
