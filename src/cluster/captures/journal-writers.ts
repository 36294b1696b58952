/**
 * The journal writers of a cluster, and the batches that they committed. Each crawl node claims a writer whose node
 * is dead or has left, or makes a new one. The number of a batch is its place among the batches of its writer, so
 * readers need only the last number that they have read of each writer.
 *
 * A batch is added in the transaction that commits its captures. The transaction locks the row of the writer: a node
 * whose writer was claimed by another node is refused with `stale-epoch`.
 */
import { GyreError } from '../../base/mod.ts';
import type { SealedCaptures } from '../../crawl/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import { inTransaction } from '../transaction.ts';
import { addCaptures } from './capture-index.ts';

/** Returns the name of a writer in the journal. */
export function writerName(number: number): string {
  return `n${number}`;
}

/** Returns the number of a writer with this name. */
export function writerNumber(name: string): number {
  return Number(name.slice(1));
}

/** Returns the names of the journal writers of the cluster. */
export async function listJournalWriters(sql: ClusterDatabase | Transaction): Promise<string[]> {
  const rows = await sql<{ number: number }[]>`select number from gyre.journal_writers order by number`;
  return rows.map(({ number }) => writerName(number));
}

/** Claims a journal writer for a live node, unless it has one. Returns the name of the writer. */
export async function claimJournalWriter(sql: ClusterDatabase, node: string): Promise<string> {
  return await inTransaction(sql, async (tx) => {
    await tx`lock table gyre.journal_writers in exclusive mode`;
    const [free] = await tx<{ number: number }[]>`
      select number from gyre.journal_writers w
      where w.node = ${node} or not exists
        (select from gyre.nodes n where n.node = w.node and n.lease_until > clock_timestamp())
      order by w.node = ${node} desc, number limit 1`;
    const [claimed] = free
      ? await tx<{ number: number }[]>`
          update gyre.journal_writers set node = ${node} where number = ${free.number} returning number`
      : await tx<{ number: number }[]>`
          insert into gyre.journal_writers (number, node)
          select count(*) + 1, ${node} from gyre.journal_writers returning number`;
    return writerName(claimed!.number);
  });
}

/** Adds a batch to the batches of the node's writer, with its captures. Does nothing if the batch is empty or known. */
export async function addCaptureBatch(
  tx: Transaction,
  node: string,
  { warc, journal, captures = [], journalDigest }: SealedCaptures,
): Promise<void> {
  const [writer] = await tx<{ number: number }[]>`
    select number from gyre.journal_writers where node = ${node} for update`;
  if (!writer)
    throw new GyreError('stale-epoch', `${node} no longer owns its journal writer: the write was refused`);
  if (warc.length + journal.length === 0) return;
  const [batch] = await tx<{ writer: number; number: number }[]>`
    insert into gyre.capture_batches (writer, number, node, batch, warc, warc_bytes, journal_bytes, records, journal_digest)
    select ${writer.number}, coalesce(max(number), 0) + 1, ${node}, ${journal.file},
      ${captures[0]?.filename ?? null}, ${warc.length}::bigint, ${journal.length}::bigint, ${journal.records}::int, ${journalDigest ?? null}::text
    from gyre.capture_batches where writer = ${writer.number}
    on conflict (node, batch) do nothing returning writer, number`;
  if (batch && captures.length > 0) await addCaptures(tx, batch, captures);
}
