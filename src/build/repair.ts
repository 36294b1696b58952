/**
 * Brings back from the journal what damaged segments had.
 *
 * A segment whose checksum is not right is left out; which documents it had, nobody can tell. So the journal is gone
 * through from its newest file back to the oldest: the last record of a URL is what the index must have, and what no
 * readable segment has is indexed again. The manifest is swapped at the end; until then the rest serves.
 *
 * If a journal file that the index had taken up is damaged too, or gone, then nobody knows whether all of it was found:
 * what was found is indexed, and the damaged segments stay in the manifest, left out and told by every reader.
 *
 * In memory is a fingerprint per URL of the journal. The caller holds the lock of the index.
 */
import { type JournalRecord, journalFiles, missingFiles, type PageRecord } from '../archive/mod.ts';
import type { CorruptError, Directory, Log } from '../base/mod.ts';
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
  /** The segments that were damaged; they are replaced, unless the journal is damaged too. */
  damaged: string[];
  /** Journal files that were needed and are damaged or gone. */
  lost: string[];
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
    const lost = new Set<string>();
    const restored = damaged.length > 0 ? await restore(writer, options, lost) : 0;
    return { damaged, lost: [...lost], restored, docCount: writer.docCount };
  } finally {
    writer.close();
  }
}

async function restore(writer: IndexWriter, options: RepairOptions, lost: Set<string>): Promise<number> {
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
  const onDamage = (file: string, error: CorruptError) => {
    if (!lost.has(file)) log.error('journal file damaged, its rest is lost', { file, why: error.message });
    lost.add(file);
  };
  const files = journalFiles(journal).filter((file) => file <= writer.journal);
  for (const file of missingFiles(journal, writer.journal)) {
    log.error('journal file is gone', { file });
    lost.add(file);
  }
  for (const record of lastRecords(journal, files.reverse(), onDamage)) {
    if (isWanted(record) && !writer.has(fingerprint(record.url))) buffer.add(indexDocumentOf(record));
    if (buffer.sizeBytes >= flushBytes) await flush();
    if (breather.isDue) await breather.breathe();
  }
  await flush();
  if (lost.size === 0) writer.forgetDamaged();
  writer.commit(writer.journal);
  return restored;
}

/** The last record of each URL. `files` go from the newest to the oldest; each is read twice, to be held never. */
function* lastRecords(
  journal: Directory,
  files: readonly string[],
  onDamage: (file: string, error: CorruptError) => void,
): Generator<JournalRecord> {
  const seen = new Set<bigint>();
  for (const file of files) {
    const lastOf = new Map<bigint, number>();
    let number = 0;
    const records = () => recordsOf(journal, file, (error) => onDamage(file, error));
    for (const { url } of records()) lastOf.set(fingerprint(url), number++);
    number = 0;
    for (const record of records()) {
      const key = fingerprint(record.url);
      if (lastOf.get(key) === number++ && !seen.has(key)) yield record;
    }
    for (const key of lastOf.keys()) seen.add(key);
  }
}

function isWanted(record: JournalRecord): record is PageRecord {
  return record.kind === 'page' && mayBeFound(record.page.robots, Date.now());
}
