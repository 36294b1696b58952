/**
 * Copies the crawl of a stopped cluster to an empty data directory.
 *
 * `migration.json` has the place up to which the captures were copied, and the marks of the local files at this place. The
 * crawl state is written last, beside its final place, so no other command uses a directory that is not complete.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ArchivePiece, pieceOfFile, WARC_START } from '../../archive/mod.ts';
import {
  type Directory,
  openDirectory,
  parseSealedJson,
  sealJson,
  systemClock,
  UsageError,
} from '../../base/mod.ts';
import {
  ClusterCopy,
  type ClusterDatabase,
  openExistingDatabase,
  openS3BlobStore,
  readClusterIdentity,
  readLiveSettings,
  readQueueDepths,
  refuseLiveNodes,
  refuseUnfinishedMigration,
} from '../../cluster/mod.ts';
import {
  type CaptureMark,
  type CaptureStore,
  type CaptureStoreOptions,
  openCaptureStore,
  STATE_TABLES,
  StateRowWriter,
} from '../../crawl/mod.ts';
import { JOURNAL_START, readFrames } from '../../journal/mod.ts';
import { clusterCommandFor } from '../advice.ts';
import { type ClusterFile, readSeedLines } from '../cluster/cluster-file.ts';
import { openData, writeSettings } from '../data-directory.ts';
import { lockCrawl, lockIndex } from '../locks.ts';
import { counted, ProgressLine } from '../output.ts';
import type { Config } from '../settings/mod.ts';
import { PRODUCT, VERSION } from '../version.ts';
import type { ClusterSide } from './to-cluster.ts';

const FILE = 'migration.json';
/** The directory in which the crawl state is written. */
const STATE = 'migration';
const KEYS = ['source', 'cursor', 'batches', 'mark'];
const BATCHES = 64;
const ROWS = 5_000;

interface CopyProgress {
  /** Identifies the crawl that is copied. */
  source: string;
  /** The last batch that was copied, and their number. */
  cursor: string;
  batches: number;
  /** The valid lengths of the local files. */
  mark: CaptureMark;
}

export async function copyFromCluster(
  path: string,
  archive: Config['archive'],
  { cluster, configOf }: ClusterSide,
): Promise<void> {
  refuseUsed(path);
  const sql = await openExistingDatabase(cluster.postgresql);
  const line = new ProgressLine();
  try {
    const source = await openSource(sql, cluster);
    const root = openDirectory(path);
    const progress = readProgress(root, await source.version());
    const data = openData(path);
    const locks = [lockCrawl(root), lockIndex(root)];
    try {
      root.replace(FILE, sealJson(progress));
      const files = { archive: data.archive, journal: data.journal, rotateBytes: archive.fileSizeBytes };
      const options = { ...files, software: `${PRODUCT} ${VERSION}`, clock: systemClock };
      const mark = await copyCaptures({ source, root, line, options }, progress);
      await copyState(source, root, mark, line);
      writeSettings(root, await settingsOf(sql, cluster, configOf(cluster.settings)));
      root.remove(FILE);
    } finally {
      for (const lock of locks) lock.release();
    }
  } finally {
    line.clear();
    await sql.end({ timeout: 1 });
  }
}

function refuseUsed(path: string): void {
  if (!existsSync(path) || readdirSync(path).length === 0 || existsSync(join(path, FILE))) return;
  throw new UsageError(
    'directory-used',
    `${path} has files: name a directory with --data that is empty or does not exist`,
  );
}

/** Opens the crawl of the cluster. Rejects if it may still change, or if RabbitMQ has links that it lacks. */
async function openSource(sql: ClusterDatabase, cluster: ClusterFile): Promise<ClusterCopy> {
  await readClusterIdentity(sql, cluster);
  await refuseUnfinishedMigration(sql);
  await refuseLiveNodes(sql);
  const { waiting } = await readQueueDepths(cluster.rabbitmq, cluster.name);
  if (waiting > 0)
    throw new UsageError(
      'links-waiting',
      `${counted(waiting, 'message')} with links wait in RabbitMQ: start a crawl node, pause the crawl with ${clusterCommandFor('pause', cluster.file)}, stop the node when ${clusterCommandFor('status', cluster.file)} shows no waiting links, and try again`,
    );
  const open = (prefix: string) => openS3BlobStore({ ...cluster.s3, prefix });
  return new ClusterCopy(sql, await open('archive/'), await open('journal/'));
}

function readProgress(root: Directory, source: string): CopyProgress {
  const start = { source, cursor: '', batches: 0, mark: { warc: WARC_START, journal: JOURNAL_START } };
  if (!root.has(FILE)) return start;
  const options = { file: join(root.path, FILE), keys: KEYS, advice: 'use another directory' };
  const progress = parseSealedJson(root.read(FILE), options) as unknown as CopyProgress;
  if (progress.source === source) return progress;
  throw new UsageError(
    'migration-differs',
    `${root.path} has an unfinished copy of another crawl: expected cluster ${source}, got ${progress.source}; use another directory`,
  );
}

interface CaptureCopy {
  source: ClusterCopy;
  root: Directory;
  line: ProgressLine;
  options: CaptureStoreOptions;
}

/** Appends all batches that were not copied yet. Returns the mark of the complete files. */
async function copyCaptures(
  { source, root, line, options }: CaptureCopy,
  progress: CopyProgress,
): Promise<CaptureMark> {
  const total = await source.countBatches();
  let { cursor, batches, mark } = progress;
  let store = openCaptureStore(options, mark);
  try {
    for (;;) {
      const page = await source.batches(cursor, BATCHES);
      for (const batch of page) {
        const { warc, journal } = await source.objects(batch);
        const piece = warc ? pieceOfFile(warc, batch.warc!) : null;
        if (piece && piece.compression !== store.compression)
          store = await withCompression(store, piece, options);
        store.write({
          archive: { entries: piece?.entries ?? [], bytes: new Uint8Array(piece?.bytes ?? []) },
          journal: journal === null ? [] : copiedFrames(journal, batch.journal!),
        });
      }
      if (page.length === 0) break;
      cursor = page.at(-1)!.cursor;
      batches += page.length;
      mark = await store.seal();
      root.replace(FILE, sealJson({ ...progress, cursor, batches, mark }));
      store.committed();
      line.show(`captures: ${batches} of ${counted(total, 'batch', 'batches')} copied`);
    }
    store.publish();
    return mark;
  } finally {
    store.close();
  }
}

/** Finishes the WARC file of a store, because a file has one compression. Returns a store that continues in a new file. */
async function withCompression(
  store: CaptureStore,
  { compression }: ArchivePiece,
  options: CaptureStoreOptions,
): Promise<CaptureStore> {
  const mark = await store.seal();
  store.close();
  const next = openCaptureStore({ ...options, compression, rotateBytes: 0 }, mark);
  next.committed();
  const begun = await next.seal();
  next.close();
  return openCaptureStore({ ...options, compression }, begun);
}

function copiedFrames(journal: Buffer, name: string) {
  return Array.from(readFrames(journal, name), ({ payload, records }) => ({
    payload: new Uint8Array(payload),
    records,
  }));
}

/** Writes the crawl state from the beginning, also if an earlier attempt has written a part of it. */
async function copyState(
  { rows: source }: ClusterCopy,
  root: Directory,
  mark: CaptureMark,
  line: ProgressLine,
): Promise<void> {
  const path = join(root.path, STATE);
  rmSync(path, { recursive: true, force: true });
  const writer = new StateRowWriter(openDirectory(path));
  for (const table of STATE_TABLES) {
    for (let after = '', count = 0; ; ) {
      const rows = await source.rows(table, after, ROWS);
      if (rows.length === 0) break;
      writer.write(table, rows);
      after = rows.at(-1)!.cursor;
      count += rows.length;
      line.show(`crawl state: ${count} rows of the table ${table} copied`);
    }
  }
  writer.finish(mark, await source.rulesKey());
  renameSync(join(path, 'crawl.db'), join(root.path, 'crawl.db'));
  rmSync(path, { recursive: true });
}

async function settingsOf(sql: ClusterDatabase, cluster: ClusterFile, { contact }: Config) {
  const live = await readLiveSettings(sql);
  const { seeds, collections } = live ? readSeedLines(live.seeds) : cluster;
  return { format: 1, seeds, ...(collections.length > 0 && { collections }), contact, samplePort: null };
}
