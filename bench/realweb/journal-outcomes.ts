/** Reads the outcome of each URL from the journal: a document, an alias of a document, or gone. */

import { readData } from '../../src/cli/data-directory.ts';
import { type JournalRecord, journalFiles, readJournal } from '../../src/journal/mod.ts';
import type { Page } from '../../src/page/mod.ts';

export type UrlOutcome =
  | { kind: 'page'; title: string }
  | { kind: 'alias'; of: string; reason: string }
  | { kind: 'gone'; reason: string };

/** Returns the outcome of each URL. A later record of a URL replaces an earlier one. */
export function readOutcomes(data: string): Map<string, UrlOutcome> {
  const outcomes = new Map<string, UrlOutcome>();
  for (const record of records(data)) outcomes.set(record.url, outcomeOf(record));
  return outcomes;
}

/** Returns the newest content of each of the given URLs that is a document. */
export function readPages(data: string, urls: ReadonlySet<string>): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const record of records(data))
    if (record.kind === 'page' && urls.has(record.url)) pages.set(record.url, record.page);
  return pages;
}

function* records(data: string): Generator<JournalRecord> {
  const { journal } = readData(data);
  for (const file of journalFiles(journal)) yield* readJournal(journal, file);
}

function outcomeOf(record: JournalRecord): UrlOutcome {
  switch (record.kind) {
    case 'page':
      return { kind: 'page', title: record.page.title };
    case 'alias':
      return { kind: 'alias', of: record.of, reason: record.reason };
    case 'gone':
      return { kind: 'gone', reason: record.reason ?? `HTTP ${record.status}` };
  }
}
