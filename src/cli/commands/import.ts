/** gyre import FILE… */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import {
  archivedRecord,
  isZip,
  noDamage,
  openZipEntry,
  parseDocument,
  readWarc,
  readZipDirectory,
  ThreadEncoder,
} from '../../archive/mod.ts';
import {
  acquireLock,
  CorruptError,
  directoryAt,
  type RandomFile,
  systemClock,
  UsageError,
} from '../../base/mod.ts';
import { openCrawlState } from '../../crawl/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { openData } from '../data-directory.ts';
import { Importer, type ImportReport } from '../importer.ts';
import { counted, ProgressLine, print, printJson } from '../output.ts';
import { onInterrupt } from '../signals.ts';
import { PRODUCT, VERSION } from '../version.ts';

export const importCommand: Command = {
  name: 'import',
  positionals: 'FILE…',
  summary: 'Takes WARC, WACZ and JSONL files into the archive; what is there already is passed over',
  settings: [],
  flags: [{ name: 'json', kind: 'boolean', help: 'print the result as one JSON object' }],
  run: importFiles,
};

const JSONL = /\.(?:jsonl|ndjson)(?:\.gz|\.zst)?$/i;
const WARC_IN_WACZ = /^archive\/.*\.warc(?:\.gz|\.zst)?$/i;

async function importFiles({ config, flags, positionals }: Invocation): Promise<void> {
  if (positionals.length === 0) {
    throw new UsageError('no-files', 'nothing to import: name a file, as in gyre import crawl.warc.gz');
  }
  for (const path of positionals) checkFile(path);
  const data = openData(config.data);
  const lock = acquireLock(data.root, 'crawl', 'gyre crawl or gyre import');
  const state = openCrawlState(data.root);
  try {
    const importer = await Importer.open(data, state, {
      software: `${PRODUCT} ${VERSION}`,
      rotateBytes: config.archive.fileSize,
      clock: systemClock,
      encoder: new ThreadEncoder(),
    });
    await runImport(importer, positionals);
    if (flags.json) printJson(importer.report);
    else print(reportLine(importer.report));
  } finally {
    state.close();
    lock.release();
  }
}

async function runImport(importer: Importer, paths: readonly string[]): Promise<void> {
  const stop = new AbortController();
  const off = onInterrupt(() => stop.abort());
  const progress = new ProgressLine();
  try {
    for (const path of paths) {
      if (stop.signal.aborted) break;
      const show = (share: number) =>
        progress.show(`${basename(path)} ${Math.floor(share * 100)} %: ${reportLine(importer.report)}`);
      await importFile({ path, importer, show, signal: stop.signal });
    }
    await importer.finish();
  } finally {
    importer.close();
    progress.clear();
    off();
  }
}

interface FileImport {
  path: string;
  importer: Importer;
  /** Tells how much of the file is done. */
  show(share: number): void;
  signal: AbortSignal;
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
    importer.report.damaged++;
  } finally {
    file.close();
  }
}

async function importWacz(work: FileImport, file: RandomFile): Promise<void> {
  for (const entry of readZipDirectory(file).filter(({ name }) => WARC_IN_WACZ.test(name))) {
    const warc = openZipEntry(file, entry);
    if (warc) await importWarc(work, warc);
    else work.importer.report.damaged++;
    if (work.signal.aborted) return;
  }
}

async function importWarc({ importer, show, signal }: FileImport, file: RandomFile): Promise<void> {
  const damage = noDamage();
  for await (const { record, offset } of readWarc(file, damage)) {
    await importer.takeRecord(archivedRecord(record));
    show(offset / file.size);
    if (signal.aborted) break;
  }
  importer.report.damaged += damage.damaged + damage.tooLarge;
}

async function importDocuments({ path, importer, show, signal }: FileImport): Promise<void> {
  const file = createReadStream(path);
  const { size } = statSync(path);
  const collection = basename(path).replace(/\..*$/, '');
  for await (const line of linesOf(decompressed(path, file), () => importer.report.damaged++)) {
    if (line.trim() === '') continue;
    const document = parseDocument(line, collection);
    if (document) await importer.takeDocument(document);
    else importer.report.skipped++;
    show(file.bytesRead / size);
    if (signal.aborted) break;
  }
  file.destroy();
}

function decompressed(path: string, file: Readable): Readable {
  if (/\.gz$/i.test(path)) return file.pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }));
  return /\.zst$/i.test(path) ? file.pipe(createZstdDecompress()) : file;
}

/** What follows damage in a compressed file cannot be read. */
async function* linesOf(input: Readable, onDamage: () => void): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const text of input.setEncoding('utf8')) {
      const lines = (rest + (text as string)).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
  } catch {
    onDamage();
  }
  yield rest;
}

function checkFile(path: string): void {
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new UsageError('no-file', `there is no file ${path}: check the name`);
  }
}

function reportLine(report: ImportReport): string {
  const { pages, aliases, gone, known, skipped, orphans, damaged } = report;
  const troubles = skipped + orphans + damaged;
  const found = `imported ${counted(pages, 'page')}, ${aliases} other names, ${gone} gone`;
  return `${found}; ${known} known already, ${troubles} passed over`;
}
