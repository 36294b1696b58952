/**
 * Deletes the captures of some URLs from the objects of a cluster, so that none of their bytes is left in S3:
 *
 *   batches with such captures -> local copy, purged -> new objects -> one transaction names them -> old objects deleted
 *
 * The objects of a batch are immutable, so a purged batch has objects with other names, which its row has. If this is
 * interrupted, the batch still has its captures, and is found again; the new objects are then replaced.
 */
import { capturesOfFile, purgeArchive } from '../../archive/mod.ts';
import type { BlobStore, Directory } from '../../base/mod.ts';
import { journalName, purgeJournal } from '../../journal/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import { inTransaction } from '../transaction.ts';
import { addCaptures } from './capture-index.ts';
import { journalObject, nextObjectName, putAgain } from './capture-objects.ts';
import { journalDigest } from './journal-check.ts';

interface PurgeOptions {
  archive: BlobStore;
  journal: BlobStore;
  /** A directory for the copies of one batch after the other. */
  scratch: Directory;
  isPurged(url: CanonicalUrl): boolean;
}

interface Batch {
  writer: number;
  number: number;
  node: string;
  batch: number;
  warc: string | null;
  /** The name of the journal object, if it is not that of a new batch; null otherwise. */
  journal: string | null;
  journalBytes: number;
}

const KEYS = 5_000;
/** Purges the captures of the URLs with these fingerprints. Returns the numbers of deleted records. */
export async function purgeClusterCaptures(
  sql: ClusterDatabase,
  keys: readonly bigint[],
  options: PurgeOptions,
): Promise<{ archiveRecords: number; journalRecords: number }> {
  const total = { archiveRecords: 0, journalRecords: 0 };
  for (let at = 0; at < keys.length; at += KEYS) {
    const some = keys.slice(at, at + KEYS).map(String);
    const batches = await sql<Batch[]>`select distinct b.writer, b.number, b.node, b.batch, b.warc, b.journal,
        b.journal_bytes::float8 as "journalBytes"
      from gyre.captures c join gyre.capture_batches b using (writer, number)
      where c.key = any (${some}::bigint[])`;
    for (const batch of batches) {
      const { archiveRecords, journalRecords } = await purgeBatch(sql, batch, options);
      total.archiveRecords += archiveRecords;
      total.journalRecords += journalRecords;
    }
  }
  return total;
}

async function purgeBatch(sql: ClusterDatabase, batch: Batch, options: PurgeOptions) {
  const { archive, journal, isPurged } = options;
  const scratch = options.scratch.directory('archive');
  const clear = () => {
    for (const name of scratch.list()) scratch.remove(name);
  };
  clear();
  const warc = batch.warc!;
  const oldJournal = batch.journal ?? journalObject(batch);
  const copy = `00000001${/\.warc\.\w+$/.exec(warc)![0]}`;
  scratch.replace(copy, await archive.get(warc));
  const isPurgedText = (text: string) => {
    const url = text === '' ? null : canonicalize(text);
    return url !== null && isPurged(url);
  };
  const { records: archiveRecords } = await purgeArchive(scratch, isPurgedText);
  if (archiveRecords === 0) return { archiveRecords, journalRecords: 0 };
  const newWarc = nextObjectName(warc);
  const captures = capturesOfFile(scratch, copy);
  const bytes = scratch.read(copy);
  await putAgain(archive, newWarc, bytes);
  const rewritten = batch.journalBytes > 0 ? await purgedJournal(batch, oldJournal, options) : null;
  const newJournal = nextObjectName(oldJournal);
  if (rewritten) await putAgain(journal, newJournal, rewritten.bytes);
  await inTransaction(sql, async (tx) => {
    await tx`delete from gyre.captures where writer = ${batch.writer} and number = ${batch.number}`;
    await addCaptures(tx, batch, captures);
    await tx`update gyre.capture_batches set warc = ${newWarc}, warc_bytes = ${bytes.length}
      where writer = ${batch.writer} and number = ${batch.number}`;
    if (rewritten)
      await tx`update gyre.capture_batches set journal = ${newJournal}, journal_bytes = ${rewritten.bytes.length},
        journal_digest = ${journalDigest(rewritten.bytes)}
        where writer = ${batch.writer} and number = ${batch.number}`;
  });
  await archive.delete(warc);
  if (rewritten) await journal.delete(oldJournal);
  clear();
  return { archiveRecords, journalRecords: rewritten?.records ?? 0 };
}

/** Returns the journal object of a batch without the records of purged URLs. */
async function purgedJournal(
  { writer, number }: Batch,
  name: string,
  { journal, scratch, isPurged }: PurgeOptions,
): Promise<{ bytes: Buffer; records: number }> {
  const file = journalName(number, `n${writer}`);
  const directory = scratch.directory('journal');
  directory.replace(file, await journal.get(name));
  const { records } = await purgeJournal(directory, isPurged);
  const bytes = directory.read(file);
  directory.remove(file);
  return { bytes, records };
}
