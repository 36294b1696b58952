/** Copies the crawl of a data directory into an empty cluster. */
import { realpathSync } from 'node:fs';
import { type ArchivePlace, archiveBytes, archivePieces } from '../../archive/mod.ts';
import { type Directory, type FileLock, formatSize, systemClock, UsageError } from '../../base/mod.ts';
import {
  ClusterFiller,
  checkClusterIdentity,
  type LiveSettings,
  openDatabase,
  openS3BlobStore,
} from '../../cluster/mod.ts';
import {
  type CommitMarks,
  hasCrawlState,
  openCaptureStore,
  openCrawlState,
  openStateRows,
  STATE_TABLES,
} from '../../crawl/mod.ts';
import { type JournalFrame, journalFiles, readFrames } from '../../journal/mod.ts';
import { type ClusterFile, readSeedLines } from '../cluster/cluster-file.ts';
import { applySettings } from '../cluster/live-settings.ts';
import { findUnusableServices } from '../cluster-facts/mod.ts';
import { type DataDirectory, type DataSettings, openExistingData, readSettings } from '../data-directory.ts';
import { lockCrawl, lockIndex } from '../locks.ts';
import { ProgressLine, tell } from '../output.ts';
import type { Config } from '../settings/mod.ts';
import { PRODUCT, VERSION } from '../version.ts';

/** The size of an object of the archive or the journal. Objects are uploaded from memory. */
const PIECE_BYTES = 16 * 1024 * 1024;
/** The number of rows in one transaction. */
const ROWS = 5_000;
const SOFTWARE = `${PRODUCT} ${VERSION}`;

export interface ClusterSide {
  cluster: ClusterFile;
  configOf(settings: unknown): Config;
}

export async function copyToCluster(
  path: string,
  archive: Config['archive'],
  { cluster, configOf }: ClusterSide,
): Promise<void> {
  const data = openExistingData(path);
  if (!hasCrawlState(data.root))
    throw new UsageError('no-crawl', `${path} has no crawl: expected the file crawl.db, got none`);
  const live = liveSettingsOf(cluster, readSettings(data.root));
  const { config } = applySettings({ cluster, configOf }, live);
  const problems = await findUnusableServices(cluster);
  if (problems.length > 0) throw new UsageError('services-missing', problems.join('\n'));
  const locks: FileLock[] = [lockCrawl(data.root), lockIndex(data.root)];
  const line = new ProgressLine();
  const sql = await openDatabase(cluster.postgresql);
  try {
    await checkClusterIdentity(sql, cluster);
    const marks = await finishFiles(data, archive);
    const groups = Object.entries(config.crawl.groups).map(([name, hosts]) => ({ name, hosts }));
    const stores = await Promise.all(
      ['archive/', 'journal/'].map((prefix) => openS3BlobStore({ ...cluster.s3, prefix })),
    );
    const [archiveStore, journalStore] = stores as [(typeof stores)[0], (typeof stores)[0]];
    const filler = await ClusterFiller.begin(versionOf(path, marks), {
      ...{ sql, archive: archiveStore, journal: journalStore, groups },
      ...{ software: SOFTWARE, clock: systemClock },
    });
    if (data.root.has('removed.json'))
      tell(`${path} has a list of removed URLs, which a cluster does not obey yet (docs/operations.md)`);
    await copyArchive(data, marks, filler, line);
    await copyJournal(data.journal, filler, line);
    const rulesKey = await copyRows(data.root, filler, line);
    await filler.finish(rulesKey, live);
  } finally {
    line.clear();
    await sql.end({ timeout: 1 });
    for (const lock of locks) lock.release();
  }
}

/** Returns the seeds of the cluster file and those of the directory, with the crawl settings of the file. */
function liveSettingsOf({ seedLines, seeds, settings }: ClusterFile, own: DataSettings): LiveSettings {
  const { crawl = {} } = settings as { crawl?: LiveSettings['crawl'] };
  const known = new Set<string>(seeds);
  const added = own.seeds.filter((url) => !known.has(url)).map((url) => seedLineOf(url, own));
  readSeedLines(added);
  return { seeds: [...seedLines, ...added], crawl };
}

function seedLineOf(url: string, { collections = [] }: DataSettings): string {
  const of = collections.filter(({ seed }) => seed === url);
  if (of.length === 0) return url;
  return `${url} collection=${of.map(({ name }) => name).join(',')} area=${of[0]!.area}`;
}

/** Finishes the last files of a crawl that was killed, as its next start would. Returns the marks of the last commit. */
async function finishFiles(data: DataDirectory, archive: Config['archive']): Promise<CommitMarks> {
  const state = openCrawlState(data.root);
  const marks = await state.marks();
  state.close();
  if (!marks) throw new UsageError('no-crawl', `${data.root.path} has a crawl that has not begun`);
  const { fileSizeBytes: rotateBytes, compression } = archive;
  const options = { archive: data.archive, journal: data.journal, rotateBytes, compression };
  const store = openCaptureStore({ ...options, software: SOFTWARE, clock: systemClock }, marks);
  store.publish();
  store.close();
  return marks;
}

/** Returns a text that changes when the crawl of the directory continues. */
function versionOf(path: string, { warc, journal, seenBytes }: CommitMarks): string {
  const place = `archive ${warc.file}:${warc.length}, journal ${journal.file}:${journal.length}, ${seenBytes}`;
  return `${realpathSync(path)} (${place})`;
}

async function copyArchive(
  { archive }: DataDirectory,
  marks: CommitMarks,
  filler: ClusterFiller,
  line: ProgressLine,
): Promise<void> {
  const total = formatSize(archiveBytes(archive, marks.warc));
  let bytes = 0;
  const after: ArchivePlace = filler.place.archive;
  for (const { compression, end, ...piece } of archivePieces(archive, marks.warc, after, PIECE_BYTES)) {
    bytes += piece.bytes.length;
    const captures = {
      archive: { entries: piece.entries, bytes: new Uint8Array(piece.bytes) },
      journal: [],
    };
    await filler.addCaptures(captures, compression, { ...filler.place, archive: end });
    line.show(`archive: ${formatSize(bytes)} of ${total} copied`);
  }
}

async function copyJournal(journal: Directory, filler: ClusterFiller, line: ProgressLine): Promise<void> {
  let frames: (JournalFrame & { payload: Uint8Array<ArrayBuffer> })[] = [];
  let bytes = 0;
  let place = filler.place.journal;
  const upload = async () => {
    if (frames.length === 0) return;
    const captures = { archive: { entries: [], bytes: new Uint8Array() }, journal: frames };
    await filler.addCaptures(captures, 'gzip', { ...filler.place, journal: place });
    frames = [];
    bytes = 0;
  };
  const start = place;
  for (const name of journalFiles(journal)) {
    if (name < start.name) continue;
    const copied = name === start.name ? start.frames : 0;
    let number = 0;
    for (const { payload, records } of readFrames(journal.read(name), name)) {
      if (++number <= copied) continue;
      frames.push({ payload: new Uint8Array(payload), records });
      bytes += payload.length;
      place = { name, frames: number };
      if (bytes >= PIECE_BYTES) await upload();
    }
    line.show(`journal: ${name} copied`);
  }
  await upload();
}

/** Copies the rows of the crawl state. Returns the key of its URL rules. */
async function copyRows(root: Directory, filler: ClusterFiller, line: ProgressLine): Promise<string | null> {
  const source = openStateRows(root);
  try {
    const { rows: begun } = filler.place;
    const first = begun === null ? 0 : STATE_TABLES.indexOf(begun.table);
    for (const table of STATE_TABLES.slice(first)) {
      let after = table === begun?.table ? begun.after : '';
      for (let count = 0; ; ) {
        const rows = await source.rows(table, after, ROWS);
        if (rows.length === 0) break;
        after = rows.at(-1)!.cursor;
        await filler.addRows(table, rows, { ...filler.place, rows: { table, after } });
        count += rows.length;
        line.show(`crawl state: ${count} rows of the table ${table} copied`);
      }
    }
    return await source.rulesKey();
  } finally {
    source.close();
  }
}
