/**
 * Begins a ranking when it is due, by the same rule as in a single process (graph/ranking-due.ts), and removes
 * old rankings.
 *
 * A ranking stores the position in the journal at which it began, and the number of records up to there.
 * Therefore any node can decide whether the next ranking is due from the batches after this position alone.
 */
import type { BlobStore } from '../../base/mod.ts';
import { isRankingDue } from '../../graph/mod.ts';
import type { JournalPosition } from '../../journal/mod.ts';
import { listJournalWriters, writerName } from '../captures/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import { inTransaction } from '../transaction.ts';
import { createRankJob, RANK_ROLE } from './postgres-rank-board.ts';

/** The number of finished rankings that are kept: the newest, and one that index nodes may still be copying. */
const KEPT = 2;

/** The position in the journal that the newest ranking covers, and the number of records up to there. */
interface Covered {
  isFinished: boolean;
  journal: JournalPosition;
  records: number;
}

/** New batches of one writer: their last number, their records, and the time since the last batch. */
interface NewBatches {
  writer: number;
  number: number;
  records: number;
  ageMs: number;
}

/** Returns true if there is a ranking to compute. Begins the next one if it is due. */
export async function hasRanking(sql: ClusterDatabase): Promise<boolean> {
  return await inTransaction(sql, async (tx) => {
    // If several nodes look at the same time, only one of them begins the ranking.
    await tx`lock table gyre.rank_jobs in share row exclusive mode`;
    const covered = await readCovered(tx);
    if (!covered.isFinished) return true;
    const batches = await readNewBatches(tx, covered.journal);
    if (batches.length === 0) return false;
    const records = batches.reduce((sum, batch) => sum + batch.records, covered.records);
    const unchangedMs = Math.min(...batches.map(({ ageMs }) => ageMs));
    if (!isRankingDue({ size: records, rankedSize: covered.records, unchangedMs })) return false;
    const last = batches.map(({ writer, number }) => [writerName(writer), number]);
    const journal = { ...covered.journal, ...Object.fromEntries(last) };
    const [writers, parts] = [await listJournalWriters(tx), await countRankNodes(tx)];
    await createRankJob(tx, { writers, parts, journal, records });
    return true;
  });
}

async function readCovered(tx: Transaction): Promise<Covered> {
  const [last] = await tx<Covered[]>`
    select is_finished as "isFinished", journal, records::float8 as records from gyre.rank_jobs
    order by generation desc limit 1`;
  return last ?? { isFinished: true, journal: {}, records: 0 };
}

/** Returns the batches after a position, for each writer that has any. */
async function readNewBatches(tx: Transaction, journal: JournalPosition): Promise<NewBatches[]> {
  return await tx<NewBatches[]>`
    select w.number as writer, max(b.number) as number, sum(b.records)::float8 as records,
      extract(epoch from clock_timestamp() - max(b.committed_at))::float8 * 1000 as "ageMs"
    from gyre.journal_writers w join gyre.capture_batches b
      on b.writer = w.number and b.journal_bytes > 0
        and b.number > coalesce((${JSON.stringify(journal)}::text::json ->> ('n' || w.number))::int, 0)
    group by w.number order by w.number`;
}

/** Returns the number of live nodes that compute rankings, at least 1. Each node gets one part. */
async function countRankNodes(tx: Transaction): Promise<number> {
  const [row] = await tx<{ nodes: number }[]>`select greatest(count(*), 1)::int as nodes from gyre.nodes
    where ${RANK_ROLE} = any(roles) and lease_until > clock_timestamp()`;
  return row!.nodes;
}

/** Removes finished rankings with all their blobs, except the newest. */
export async function removeOldRankings(sql: ClusterDatabase, blobs: BlobStore): Promise<void> {
  const old = await sql<{ name: string }[]>`select name from gyre.rank_jobs
    where is_finished order by generation desc offset ${KEPT}`;
  for (const { name } of old) {
    for (const blob of await blobs.list(`${name}.`)) await blobs.delete(blob);
    await sql`delete from gyre.rank_jobs where name = ${name}`;
  }
}
