/**
 * The cursors of the change feed and of exports:
 *
 *   1.main-12                      after file 12 of the writer `main` (journal/journal-cursor.ts)
 *   1.main-12_r3                   and after revision 3 of the list of removals
 *   1.main-12_r3_main-13-40-x1y2   and after record 40 of the next file of `main`, which has the key x1y2
 *
 * A purge may delete records of a file. The key finds the record again; if it is gone too, the reader gets the changes
 * of the file again. So a reader may get a change twice, and misses none.
 */
import { UsageError } from '../../base/mod.ts';
import { type JournalRecord, journalName } from '../../journal/mod.ts';
import { fingerprint } from '../../url/mod.ts';

export interface FeedCursor {
  /** The position after whole files, for `positionOfCursor`. */
  journal: string;
  /** The last revision of the list of removals that the reader knows. */
  revision: number;
  /** The place within the next file; null at its beginning. */
  within: PlaceInFile | null;
}

/** `count` records of the file are read, the last of them with this key. */
export interface PlaceInFile {
  file: string;
  count: number;
  key: string;
}

const CURSOR = /^([^_]*)(?:_r(\d{1,10}))?(?:_([a-z0-9]+)-(\d{1,8})-(\d{1,10})-([a-z0-9]{1,16}))?$/;

export function parseCursor(text: string): FeedCursor {
  const match = CURSOR.exec(text);
  if (!match) {
    const restart = 'start again without a cursor, which gives everything and a new cursor';
    throw new UsageError(
      'bad-cursor',
      `"${text.slice(0, 100)}" is not a cursor such as 1.main-12_r3: ${restart}`,
    );
  }
  const [, journal = '', revision = '0', writer, number, count, key] = match;
  const within =
    writer === undefined || key === undefined
      ? null
      : { file: journalName(Number(number), writer), count: Number(count), key };
  return { journal, revision: Number(revision), within };
}

export function formatCursor({ journal, revision, within }: FeedCursor): string {
  const removals = revision > 0 ? `_r${revision}` : '';
  if (!within) return journal + removals;
  const [number, writer] = within.file.replace(/\..*$/, '').split('-') as [string, string];
  return `${journal}${removals}_${writer}-${Number(number)}-${within.count}-${within.key}`;
}

export function keyOfRecord({ url, fetchedAt }: JournalRecord): string {
  return (BigInt.asUintN(64, fingerprint(url)) ^ BigInt(fetchedAt)).toString(36);
}
