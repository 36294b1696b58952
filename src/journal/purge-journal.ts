/**
 * Deletes the records of some URLs from the journal, so that none of their bytes is left in it.
 *
 * A file with such records is written again under its name and replaced in one step; it may end up with no
 * records. The numbers of the files stay, so a reader can continue at its position. An alias of a purged page
 * that is not purged itself becomes a `gone` record of the same version: without a record, an older record of
 * the alias would count again.
 *
 * The caller holds the locks of the crawl and of the index, and has finished the file that grew.
 */
import { type Directory, partOf } from '../base/mod.ts';
import type { JournalRecord } from './journal-format.ts';
import { journalFiles, readJournal, readVersions } from './journal-reader.ts';
import { encodeFrames, encodeRecord, fileEnd, fileHead, frameHead } from './journal-writer.ts';

interface JournalPurge {
  /** Number of files that were written again. */
  files: number;
  /** Number of records that were deleted or replaced. */
  records: number;
}

const GONE = 410;
const BATCH_RECORDS = 256;

export async function purgeJournal(
  directory: Directory,
  isPurged: (url: JournalRecord['url']) => boolean,
): Promise<JournalPurge> {
  const report = { files: 0, records: 0 };
  const keep = (record: JournalRecord): JournalRecord | null => {
    if (isPurged(record.url)) return null;
    if (record.kind !== 'alias' || !isPurged(record.of)) return record;
    const { url, fetchedAt } = record;
    return { kind: 'gone', url, fetchedAt, status: GONE };
  };
  for (const name of journalFiles(directory)) {
    let changed = 0;
    let epoch = 0;
    for (const { record, version } of readVersions(directory, name)) {
      if (keep(record) !== record) changed++;
      epoch = version.epoch;
    }
    if (changed === 0) continue;
    await rewrite(directory, name, epoch, keep);
    report.files++;
    report.records += changed;
  }
  return report;
}

async function rewrite(
  directory: Directory,
  name: string,
  epoch: number,
  keep: (record: JournalRecord) => JournalRecord | null,
): Promise<void> {
  const part = directory.append(partOf(name), 0);
  try {
    part.write(fileHead(epoch));
    let count = 0;
    for (const records of inBatches(keptRecords(directory, name, keep))) {
      for (const { payload } of encodeFrames(records)) {
        part.write(frameHead(payload));
        part.write(payload);
      }
      count += records.length;
    }
    part.write(fileEnd(count));
    await part.sync();
  } finally {
    part.close();
  }
  directory.rename(partOf(name), name);
}

function* keptRecords(
  directory: Directory,
  name: string,
  keep: (record: JournalRecord) => JournalRecord | null,
): Generator<Uint8Array> {
  for (const record of readJournal(directory, name)) {
    const kept = keep(record);
    if (kept !== null) yield encodeRecord(kept);
  }
}

/** Groups records, so that one frame has many records and only a few are in memory. */
function* inBatches(records: Iterable<Uint8Array>): Generator<Uint8Array[]> {
  let batch: Uint8Array[] = [];
  for (const record of records) {
    batch.push(record);
    if (batch.length < BATCH_RECORDS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
