/** The command `gyre import FILE…`, which adds files of pages to a data directory. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { archivedRecord, noDamage, RecordReader, readWarc, ThreadEncoder } from '../../archive/mod.ts';
import {
  CorruptError,
  directoryAt,
  isZip,
  messageOf,
  openZipEntry,
  type RandomFile,
  readZipDirectory,
  systemClock,
  UsageError,
} from '../../base/mod.ts';
import { openCrawlState } from '../../crawl/mod.ts';
import {
  type FileImport,
  Importer,
  type ImportReport,
  importDocuments,
  passedOver,
} from '../../import/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { openData, readSettings } from '../data-directory.ts';
import { problemLines, reportLine } from '../import-lines.ts';
import { onInterrupt } from '../interrupts.ts';
import { lockCrawl } from '../locks.ts';
import { counted, print, printJson, stderrLog, tell } from '../output.ts';
import { WorkProgress } from '../progress/mod.ts';
import { settleBesideIndex } from '../purging/mod.ts';
import { readRemovals, removedBy } from '../removals/mod.ts';
import { nearDuplicatesOf, readingPlanOf, readLimitOf } from '../sessions/crawl-session.ts';
import { PRODUCT, VERSION } from '../version.ts';

export const importCommand: Command = {
  name: 'import',
  positionals: 'FILE…',
  summary: 'Imports WARC, WACZ and JSONL files; captures that the archive already has are skipped',
  examples: ['gyre import crawl.warc.gz', 'gyre import documents.jsonl'],
  settings: ['extractors', 'record-rules'],
  flags: [{ name: 'json', kind: 'boolean', help: 'print the result as one JSON object' }],
  run: importFiles,
};

const JSONL = /\.(?:jsonl|ndjson)(?:\.gz|\.zst)?$/i;
const WARC_IN_WACZ = /^archive\/.*\.warc(?:\.gz|\.zst)?$/i;

async function importFiles({ config, flags, positionals }: Invocation): Promise<void> {
  if (positionals.length === 0) {
    throw new UsageError('no-files', 'missing file: gyre import crawl.warc.gz');
  }
  for (const path of positionals) checkFile(path);
  const data = openData(config.data);
  const lock = lockCrawl(data.root);
  const state = openCrawlState(data.root);
  const reader = new RecordReader({
    reading: readingPlanOf(config, readSettings(data.root)),
    limitMs: readLimitOf(config),
    log: stderrLog(config),
  });
  try {
    const removed = removedBy(readRemovals(data.root));
    const importer = await Importer.open(data, state, {
      software: `${PRODUCT} ${VERSION}`,
      rotateBytes: config.archive.fileSizeBytes,
      clock: systemClock,
      encoder: new ThreadEncoder(),
      read: (record, url) => reader.read(record, url),
      nearDuplicates: nearDuplicatesOf(config),
      log: stderrLog(config),
      isRemoved: (url) => removed.matches(url),
      firstMs: config.crawl.revisitFirstMs,
    });
    const isComplete = await runImport(importer, positionals);
    // Removals that came during the import are settled now.
    await settleBesideIndex(data, { config, log: stderrLog(config) });
    tellReport(importer.report, config.data, flags.json === true);
    if (!isComplete) tell('interrupted: imported captures are saved; run the same command to continue');
  } finally {
    reader.close();
    state.close();
    lock.release();
  }
}

/** Imports the files; returns false if the import was interrupted. */
async function runImport(importer: Importer, paths: readonly string[]): Promise<boolean> {
  const stop = new AbortController();
  const off = onInterrupt(() => stop.abort());
  const progress = new WorkProgress();
  const { report } = importer;
  try {
    for (const path of paths) {
      if (stop.signal.aborted) break;
      const doing = `importing ${basename(path)}`;
      const format = (count: number) => counted(count, 'capture');
      const show = (share: number) => {
        const count = report.archived + report.known;
        progress.show({ doing, count, format, share, facts: reportLine(report) });
      };
      await importFile({ path, importer, show, signal: stop.signal });
    }
    await importer.finish();
    return !stop.signal.aborted;
  } finally {
    importer.close();
    progress.clear();
    off();
  }
}

/**
 * Prints the report of an import. The exit code is 1 if pages were skipped and no page was archived or already in the
 * archive: the files could be read, but gave no result.
 */
function tellReport(report: ImportReport, data: string, asJson: boolean): void {
  const next = `run ${commandFor('build', data)}, then ${commandFor('rank', data)}`;
  if (asJson) printJson(report);
  else print(`${reportLine(report)}${report.archived > 0 ? `; ${next}` : ''}`);
  for (const line of problemLines(report)) tell(line);
  if (report.archived === 0 && report.known === 0 && passedOver(report) > 0) process.exitCode = 1;
}

async function importFile(work: FileImport): Promise<void> {
  const { path, importer } = work;
  if (JSONL.test(path)) return importDocuments(work);
  const file = directoryAt(dirname(resolve(path))).open(basename(path));
  try {
    if (isZip(file)) await importWacz(work, file);
    else await importWarc(work, file);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    importer.pass('damaged', basename(path), messageOf(error));
  } finally {
    file.close();
  }
}

async function importWacz(work: FileImport, file: RandomFile): Promise<void> {
  for (const entry of readZipDirectory(file).filter(({ name }) => WARC_IN_WACZ.test(name))) {
    const warc = openZipEntry(file, entry);
    if (warc) await importWarc(work, warc);
    else work.importer.pass('damaged', `${basename(work.path)}, ${entry.name}`, 'cannot be read');
    if (work.signal.aborted) return;
  }
}

async function importWarc({ path, importer, show, signal }: FileImport, file: RandomFile): Promise<void> {
  const damage = noDamage();
  for await (const { record, offset } of readWarc(file, damage)) {
    await importer.takeRecord(archivedRecord(record), `${basename(path)} at byte ${offset}`);
    show(offset / file.size);
    if (signal.aborted) break;
  }
  const { damaged, damagedBytes, tooLarge } = damage;
  const place = basename(path);
  if (damaged > 0) {
    const stretches = `${counted(damaged, 'stretch', 'stretches')}, ${damagedBytes} bytes, are not WARC records`;
    importer.pass('damaged', place, stretches, damaged);
  }
  if (tooLarge > 0) importer.pass('damaged', place, `${counted(tooLarge, 'record')} too large`, tooLarge);
}

function checkFile(path: string): void {
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new UsageError('no-file', `file ${path} does not exist: check the name`);
  }
}
