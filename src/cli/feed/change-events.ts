/** Converts records of the journal, and rules of the list of removals, to events of the change feed. */
import type { JournalRecord, PageRecord } from '../../journal/mod.ts';
import { isListed, mayBeFound, mayBeTold, typedRecords } from '../../page/mod.ts';
import type { ChangeEvent } from '../../serve/mod.ts';
import { describeTarget, type RemovalRule } from '../removals/mod.ts';

interface EventOptions {
  hasRecords: boolean;
  now: number;
}

/** Returns null if the record changes nothing for a reader: a URL that is no page was none before. */
export function eventOfRecord(record: JournalRecord, options: EventOptions): ChangeEvent | null {
  const isFound =
    record.kind === 'page' && isListed(record.page) && mayBeFound(record.page.robots, options.now);
  if (isFound) return eventOfPage(record, options);
  if (record.isNew) return null;
  const { url } = record;
  const removed = { type: 'removed' as const, url, at: isoTime(record.fetchedAt) };
  switch (record.kind) {
    case 'page':
      return { ...removed, reason: record.page.kind ?? (isListed(record.page) ? 'expired' : 'noindex') };
    case 'alias':
      return { ...removed, reason: record.reason, of: record.of };
    case 'gone':
      return { ...removed, reason: record.reason ?? 'gone' };
  }
}

function eventOfPage({ url, fetchedAt, digest, page, isNew }: PageRecord, { hasRecords, now }: EventOptions) {
  const { title, language, contentType, publishedAt, modifiedAt, collections, structured = [] } = page;
  return {
    type: isNew ? ('added' as const) : ('changed' as const),
    ...{ url, at: isoTime(fetchedAt), title, language, contentType, digest },
    ...(publishedAt !== undefined && { publishedAt: isoTime(publishedAt) }),
    ...(modifiedAt !== undefined && { modifiedAt: isoTime(modifiedAt) }),
    ...(collections && { collections }),
    ...(hasRecords && { records: mayBeTold(page, now) ? typedRecords(structured, url) : [] }),
  };
}

/**
 * The operator has removed pages. This event stays when a purge has deleted all records of the pages, so that readers
 * delete their copies. It has nothing of the pages but their URL.
 */
export function eventOfRemoval(rule: RemovalRule): ChangeEvent {
  const removed = { type: 'removed' as const, at: isoTime(rule.removedAt), reason: 'operator' };
  return rule.kind === 'url' ? { ...removed, url: rule.value } : { ...removed, target: describeTarget(rule) };
}

function isoTime(moment: number): string {
  return new Date(moment).toISOString();
}
