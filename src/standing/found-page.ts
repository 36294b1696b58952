/** A page that a standing query found, as it is stored and delivered. */
import type { SQLOutputValue } from 'node:sqlite';

export interface StandingPage {
  /** A UUID, which is the same wherever the page is delivered. */
  id: string;
  change: 'new' | 'changed';
  url: string;
  title: string;
  snippet: string;
  fetchedAt: number;
  foundAt: number;
}

/** The columns of `found` that a page needs, without the fingerprint, which is too large for a number. */
export const FOUND_COLUMNS = 'id, uid, change, url, title, snippet, fetched_at, found_at';

/** Reads a page from a row of the table `found`. */
export function standingPageOf(row: Record<string, SQLOutputValue>): StandingPage {
  return {
    id: String(row.uid),
    change: row.change as StandingPage['change'],
    url: String(row.url),
    title: String(row.title),
    snippet: String(row.snippet),
    fetchedAt: Number(row.fetched_at),
    foundAt: Number(row.found_at),
  };
}
