/** What the crawl's state remembers of an answer that was imported, as if the crawl had asked for it. */
import { type Archivable, isResource, type JournalRecord, type Meaning } from '../archive/mod.ts';
import type { ImportedAnswer } from '../crawl/mod.ts';
import { isListed } from '../page/mod.ts';

/** As the crawl would call it. */
export function reasonOf(meaning: Meaning, record: JournalRecord | null): string {
  if (record?.kind === 'alias') return record.reason;
  if (record?.kind === 'page' && !isListed(record.page)) return record.page.kind ?? 'noindex';
  return meaning.kind === 'revisit' ? 'page' : meaning.kind;
}

/** Of a page that a server had answered, and that may be found. */
export function documentOf(
  item: Archivable,
  record: JournalRecord | null,
  sketch: number | null,
): ImportedAnswer['document'] {
  if (record?.kind !== 'page' || isResource(item) || !isListed(record.page)) return null;
  const { payloadDigest, fetchedAt: archivedAt } = item;
  return { digest: record.digest, payloadDigest, archivedAt, sketch };
}
