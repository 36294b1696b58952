/**
 * The batches whose journal objects are damaged or missing. Index nodes store the problem beside the batch, and hold their
 * positions before it; `gyre status` shows it. A whole object under the name of the batch ends the problem.
 */
import type { BlobStore } from '../../base/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import { readSchemaVersion } from '../migrations.ts';
import { DAMAGE_VERSION } from '../node-schema.ts';
import { journalObject, nextObjectName, putAgain, warcObject } from './capture-objects.ts';
import { journalDigest } from './journal-check.ts';

/** The place of a batch among the batches of all writers. */
interface BatchPlace {
  writer: number;
  number: number;
}

export interface DamagedBatch extends BatchPlace {
  /** The name of the journal object, without the prefix of its blob store. */
  object: string;
  /** The expected and the actual state, as a clause. */
  problem: string;
  /** The name of the WARC object; null if the batch has none. */
  warc: string | null;
  records: number;
  journalBytes: number;
  digest: string | null;
}

interface DamagedRow extends Omit<DamagedBatch, 'object'> {
  node: string;
  batch: number;
  warcBytes: number;
  journal: string | null;
}

/** Returns the damaged batches, in order. A schema that is older than this program has none. */
export async function listDamagedBatches(sql: ClusterDatabase): Promise<DamagedBatch[]> {
  const { version = 0 } = (await readSchemaVersion(sql)) ?? {};
  if (version < DAMAGE_VERSION) return [];
  const rows = await sql<DamagedRow[]>`
    select writer, number, node, batch, journal, warc, records, problem,
      warc_bytes::float8 as "warcBytes", journal_bytes::float8 as "journalBytes", journal_digest as digest
    from gyre.capture_batches where problem is not null order by writer, number`;
  return rows.map(({ node, batch, journal, warc, warcBytes, ...row }) => {
    // Older nodes did not store the names of WARC objects, and compressed them with gzip.
    const archived = warc ?? (warcBytes > 0 ? warcObject({ node, batch }, 'gzip') : null);
    return { ...row, warc: archived, object: journal ?? journalObject({ node, batch }) };
  });
}

/** Stores the problem of a batch; null if it has none. */
export async function storeBatchProblem(
  sql: ClusterDatabase,
  { writer, number }: BatchPlace,
  problem: string | null,
): Promise<void> {
  await sql`update gyre.capture_batches set problem = ${problem}
    where writer = ${writer} and number = ${number} and problem is distinct from ${problem}`;
}

/** Replaces the journal object of a damaged batch. Its problem ends. */
export async function replaceJournalObject(
  sql: ClusterDatabase,
  journal: BlobStore,
  { writer, number, object }: DamagedBatch,
  { bytes, records }: { bytes: Buffer; records: number },
): Promise<void> {
  const next = nextObjectName(object);
  await putAgain(journal, next, bytes);
  await sql`update gyre.capture_batches set journal = ${next}, journal_bytes = ${bytes.length},
    journal_digest = ${journalDigest(bytes)}, records = ${records}, problem = null
    where writer = ${writer} and number = ${number}`;
  await journal.delete(object);
}
