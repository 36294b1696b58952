/**
 * The rows of a crawl state, to copy it from one implementation to another (`gyre migrate`). Every implementation has the
 * same tables with the same values, so a copy is exact: nothing is fetched again.
 *
 *   host     in order of discovery
 *   url      with the origin of its host, and its decision of the URL rules if that is still valid
 *   capture, content, note, verdict, claim
 *   domain   only the linking domains; the counts of a domain are computed from its hosts
 *
 * Sketches are left out: they are numbers of local files, which are computed again from the journal. A value is a number,
 * a text or null. 64-bit numbers are decimal text, bytes are hexadecimal text, and truth values are 0 or 1.
 */

/** The tables in the order in which they are written: a row needs the rows of its host and of its URL. */
export const STATE_TABLES = [
  'host',
  'url',
  'capture',
  'content',
  'note',
  'verdict',
  'claim',
  'domain',
] as const;

export type StateTable = (typeof STATE_TABLES)[number];

/** `cursor` orders the rows of a table. */
export type StateRow = { cursor: string } & Readonly<Record<string, string | number | null>>;

export interface StateRowSource {
  /** Returns the next rows of a table after a cursor; the empty string starts at the first. */
  rows(table: StateTable, after: string, limit: number): Promise<StateRow[]>;
  /** Returns the key of the URL rules that decided about the URLs; null if there is none. */
  rulesKey(): Promise<string | null>;
}
