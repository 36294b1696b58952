/**
 * Brings back from the journal what damaged segments had.
 *
 * A segment whose checksum is not right is left out; which documents it had, nobody can tell. So the journal is gone
 * through from its newest file back to the oldest: the last record of a URL is what the index must have, and what no
 * readable segment has is indexed again. The manifest is swapped at the end; until then the rest serves.
 *
 * In memory is a fingerprint per URL of the journal. The caller holds the lock of the index.
 */
import { type JournalRecord, journalFiles, type PageRecord } from '../archive/mod.ts';
import { type Directory, type Log, silentLog } from '../base/mod.ts';
import { Breather, IndexWriter, SegmentBuffer } from '../index/mod.ts';
import { mayBeFound } from '../page/mod.ts';
import { fingerprint } from '../url/mod.ts';
import { adoptWith, type LinkTables } from './apply-ranks.ts';
import { indexDocumentOf } from './index-document.ts';
import { orderKey } from './order.ts';
import { recordsOf } from './records.ts';

export interface RepairOptions extends LinkTables {
  journal: Directory;
  index: Directory;
  log: Log;
  signal?: AbortSignal;
  flushBytes?: number;
}

export interface RepairReport {
  /** The segments that were damaged and are replaced. */
  damaged: string[];
  /** Documents that were indexed again. */
  restored: number;
  docCount: number;
}

const DEFAULT_FLUSH_BYTES = 64 * 1024 * 1024;

export async function repairIndex(options: RepairOptions): Promise<RepairReport> {
  const writer = new IndexWriter(options.index, options.log);
  try {
    writer.verify();
    const damaged = [...writer.damaged];
    const restored = damaged.length > 0 ? await restore(writer, options) : 0;
    return { damaged, restored, docCount: writer.docCount };
  } finally {
    writer.close();
  }
}

async function restore(writer: IndexWriter, options: RepairOptions): Promise<number> {
  const { journal, index, signal, log, flushBytes = DEFAULT_FLUSH_BYTES } = options;
  const buffer = new SegmentBuffer();
  const breather = new Breather(signal);
  let restored = 0;
  const flush = async () => {
    if (buffer.docCount === 0) return;
    const name = writer.reserveName();
    await buffer.write(index, name, orderKey, signal);
    adoptWith(writer, name, options, log);
    restored += buffer.docCount;
    buffer.clear();
  };
  const files = journalFiles(journal).filter((file) => file <= writer.journal);
  for (const record of lastRecords(journal, files.reverse(), log)) {
    if (isWanted(record) && !writer.has(fingerprint(record.url))) buffer.add(indexDocumentOf(record));
    if (buffer.sizeBytes >= flushBytes) await flush();
    if (breather.isDue) await breather.breathe();
  }
  await flush();
  writer.forgetDamaged();
  writer.commit(writer.journal);
  return restored;
}

/** The last record of each URL. `files` go from the newest to the oldest; each is read twice, to be held never. */
function* lastRecords(journal: Directory, files: readonly string[], log: Log): Generator<JournalRecord> {
  const seen = new Set<bigint>();
  for (const file of files) {
    const lastOf = new Map<bigint, number>();
    let number = 0;
    for (const { url } of recordsOf(journal, file, silentLog)) lastOf.set(fingerprint(url), number++);
    number = 0;
    for (const record of recordsOf(journal, file, log)) {
      const key = fingerprint(record.url);
      if (lastOf.get(key) === number++ && !seen.has(key)) yield record;
    }
    for (const key of lastOf.keys()) seen.add(key);
  }
}

function isWanted(record: JournalRecord): record is PageRecord {
  return record.kind === 'page' && mayBeFound(record.page.robots, Date.now());
}
