/**
 * The captures of the cluster by URL, in PostgreSQL: a row for each record of a WARC object, in place of a CDXJ file.
 * The transaction that commits a batch also adds its rows, so a capture is found as soon as its page is committed.
 *
 * A row has the fingerprint of the URL and not the URL itself. A reader compares the URL of the record, so two URLs
 * with the same fingerprint cannot be confused.
 */
import type { CdxEntry, RemoteCaptures } from '../../archive/mod.ts';
import type { BlobStore } from '../../base/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { jsonRows } from '../json-rows.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';

/** Maximum number of captures of a URL. Older captures are not found. */
const MAX_FOUND = 1_000;
const COLUMNS = `key bigint, at bigint, mime text, status smallint, digest text, start int, length int`;

/** Adds the captures of a committed batch, in the transaction that commits it. */
export async function addCaptures(
  tx: Transaction,
  { writer, number }: { writer: number; number: number },
  entries: readonly CdxEntry[],
): Promise<void> {
  const rows = entries.map(({ url, timestamp, mime, status, digest, offset, length }) => {
    const key = fingerprint(url as CanonicalUrl);
    return { key, at: Number(timestamp), mime, status, digest, start: offset, length };
  });
  rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  await tx`insert into gyre.captures (key, at, mime, status, digest, writer, number, start, length)
    select key, at, mime, status, digest, ${writer}::smallint, ${number}::int, start, length
    from ${jsonRows(tx, rows, COLUMNS)}`;
}

/** Returns the captures of the cluster. `archive` has its WARC objects. */
export function clusterCaptures(sql: ClusterDatabase, archive: BlobStore): RemoteCaptures {
  return {
    async find(url) {
      const key = String(fingerprint(url as CanonicalUrl));
      const rows = await sql<Omit<CdxEntry, 'url'>[]>`
        select c.at::text as timestamp, c.mime, c.status, c.digest, c.start as offset, c.length, b.warc as filename
        from gyre.captures c join gyre.capture_batches b using (writer, number)
        where c.key = ${key} order by c.at desc, b.committed_at desc, c.start desc limit ${MAX_FOUND}`;
      return rows.map((row) => ({ ...row, url }));
    },
    record: ({ filename, offset, length }) => archive.range(filename, offset, length),
  };
}
