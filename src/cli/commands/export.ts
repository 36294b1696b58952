/** The command `gyre export`, which exports pages, archive, ranks or index. */
import { createWriteStream, writeFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import {
  ArchiveReader,
  exportCapturesAsWacz,
  exportCdx,
  exportWacz,
  exportWarc,
  WARC_START,
  type WarcMark,
} from '../../archive/mod.ts';
import { type Directory, formatSize, type Log, systemClock, systemCode, UsageError } from '../../base/mod.ts';
import { hasCrawlState, openCrawlState, readPoliteness } from '../../crawl/mod.ts';
import { exportRanks } from '../../graph/mod.ts';
import { exportCiff, IndexReader, summarizeIndex } from '../../index/mod.ts';
import { journalFiles, newestRecords, type PageRecord } from '../../journal/mod.ts';
import { isListed } from '../../page/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { type DataDirectory, openExistingData, readExistingData } from '../data-directory.ts';
import { politenessText } from '../inspection/mod.ts';
import { counted, print, stderrLog, tell } from '../output.ts';
import { WorkProgress } from '../progress/mod.ts';
import { beginPageExport, beginRecordExport, PAGE_FORMATS, RECORD_FORMATS } from '../records/mod.ts';
import { readRemovals } from '../removals/mod.ts';
import { openLocalSearching } from '../sessions/local-searching.ts';
import type { Config } from '../settings/mod.ts';
import { PRODUCT, VERSION } from '../version.ts';

const FORMATS: readonly string[] = [...PAGE_FORMATS, 'warc', 'wacz', 'cdxj'];

/** Number of bytes that are collected before a write. */
const CHUNK = 64 * 1024;

export const exportCommand: Command = {
  name: 'export',
  positionals: '',
  summary:
    'Exports the pages as JSONL, CSV, Parquet or for OpenSearch, their records, the archive as WARC, WACZ or CDXJ, the ranks, or the index',
  examples: [
    'gyre export --out pages.jsonl',
    'gyre export --format parquet --out pages.parquet',
    'gyre export --format wacz --out site.wacz',
    'gyre export --format wacz --query tides --out tides.wacz',
    'gyre export --records --type JobPosting --format parquet --out jobs.parquet',
    'gyre export --records --history --type JobPosting --out jobs.jsonl',
  ],
  settings: [],
  flags: [
    { name: 'ranks', kind: 'boolean', help: 'write every URL with its PageRank instead, as JSONL' },
    {
      name: 'ciff',
      kind: 'string',
      value: 'FILE',
      help: 'write the index to this file instead, in the Common Index File Format',
    },
    {
      name: 'politeness',
      kind: 'boolean',
      help: 'write the politeness ledger instead: per host and day requests, bytes and delays with their causes',
    },
    {
      name: 'records',
      kind: 'boolean',
      help: 'write the records of the pages instead: postings, products, events and other structured data',
    },
    {
      name: 'type',
      kind: 'string',
      value: 'TYPE',
      help: 'with --records: only records of this type, such as JobPosting, with a column for each field',
    },
    {
      name: 'since',
      kind: 'string',
      value: 'CURSOR',
      help: 'only pages or records that changed since the export that printed this cursor; also a cursor of the change feed',
    },
    {
      name: 'history',
      kind: 'boolean',
      help: 'with --records: each thing once, whatever number of pages have it, also if it has ended, with when it was first and last seen and closed',
    },
    {
      name: 'format',
      kind: 'string',
      value: 'FORMAT',
      help: 'jsonl, csv, parquet, opensearch, warc, wacz or cdxj (jsonl); csv or json with --politeness (csv); jsonl, csv or parquet with --records (jsonl)',
    },
    {
      name: 'query',
      kind: 'string',
      value: 'QUERY',
      help: 'with --format wacz: write only the first 100 results of this query',
    },
    { name: 'out', kind: 'string', value: 'FILE', help: 'write to this file instead of standard output' },
  ],
  run: exportData,
};

async function exportData(invocation: Invocation): Promise<void> {
  const { politeness, records } = invocation.flags;
  const stray = (['type', 'history'] as const).find((flag) => invocation.flags[flag] !== undefined);
  if (!records && stray) throw new UsageError('bad-option', `--${stray} needs --records`);
  if (politeness) return exportPoliteness(invocation);
  return records ? exportRecords(invocation) : exportPages(invocation);
}

async function exportRecords({ config, flags }: Invocation): Promise<void> {
  const other = (['ranks', 'ciff', 'politeness', 'query'] as const).find((flag) => flags[flag] !== undefined);
  if (other)
    throw new UsageError('bad-option', `--records and --${other} exclude each other: use one of them`);
  const format = String(flags.format ?? 'jsonl');
  if (!RECORD_FORMATS.includes(format)) {
    const formats = RECORD_FORMATS.join(', ');
    throw new UsageError('bad-option', `--records takes --format ${formats}, not "${format}"`);
  }
  const [type, since] = [flags.type, flags.since].map((flag) => (typeof flag === 'string' ? flag : null));
  const hasHistory = flags.history === true;
  if (hasHistory && since !== null)
    throw new UsageError(
      'bad-option',
      '--history and --since exclude each other: an export with histories is always whole, because each visit changes them',
    );
  const options = { format, type: type!, since: since!, hasHistory, clock: systemClock };
  const begun = await beginRecordExport(readExistingData(config.data), options);
  const output = typeof flags.out === 'string' ? createWriteStream(flags.out) : process.stdout;
  const sizeBytes = await writeOut(output, (write) => writeAll(begun.parts, write));
  if (output !== process.stdout) print(`wrote ${formatSize(sizeBytes)} to ${flags.out}`);
  if (hasHistory) return;
  tell(
    `cursor ${begun.cursor} (gyre export --records --since ${begun.cursor} exports what changes from now on)`,
  );
}

async function exportPoliteness({ config, flags }: Invocation): Promise<void> {
  const format = flags.format ?? 'csv';
  if (format !== 'csv' && format !== 'json')
    throw new UsageError('bad-option', `--politeness takes --format csv or json, not "${format}"`);
  const text = politenessText(readPoliteness(openExistingData(config.data).root), format);
  if (typeof flags.out !== 'string') return void process.stdout.write(text);
  writeFileSync(flags.out, text);
  print(`wrote ${formatSize(Buffer.byteLength(text))} to ${flags.out}`);
}

async function exportPages({ config, flags }: Invocation): Promise<void> {
  const format = String(flags.format ?? 'jsonl');
  if (!FORMATS.includes(format)) {
    throw new UsageError('bad-option', `--format takes ${FORMATS.join(', ')}, not "${format}"`);
  }
  if (flags.query !== undefined && format !== 'wacz')
    throw new UsageError('bad-option', '--query needs --format wacz');
  if (
    flags.since !== undefined &&
    (flags.ranks || flags.ciff !== undefined || !PAGE_FORMATS.includes(format))
  )
    throw new UsageError('bad-option', `--since needs --records, or pages as ${PAGE_FORMATS.join(', ')}`);
  const kinds = (['ranks', 'ciff', 'format'] as const).filter((flag) => flags[flag] !== undefined);
  if (kinds.length > 1) {
    const both = kinds.map((flag) => `--${flag}`).join(' and ');
    throw new UsageError('bad-option', `${both} exclude each other: use one of them`);
  }
  if (flags.ciff !== undefined && flags.out !== undefined)
    throw new UsageError('bad-option', '--ciff already names the output file: remove --out');
  const path = (flags.ciff ?? flags.out) as string | undefined;
  const data = openExistingData(config.data);
  const end = await committedEnd(data);
  const since = typeof flags.since === 'string' ? flags.since : null;
  const isOfPages = flags.ciff === undefined && !flags.ranks && PAGE_FORMATS.includes(format);
  let pagesDone = 0;
  const pages = isOfPages ? beginPageExport(data, format, since, () => pagesDone++) : null;
  const output = path === undefined ? process.stdout : createWriteStream(path);
  const isZstd = path?.endsWith('.zst') ?? false;
  let missing: readonly string[] = [];
  const pageCount = pages && since === null ? summarizeIndex(data.index).docCount : 0;
  const archiveBytes = Math.max(1, sizeOfFiles(data.archive));
  const work: PartOfWork = (doneBytes) => {
    if (flags.ciff !== undefined || flags.ranks || flags.query !== undefined) return null;
    if (pages) return pageCount === 0 ? null : pagesDone / pageCount;
    return format === 'cdxj' ? null : doneBytes / archiveBytes;
  };
  const write = async (write: Write) => {
    if (flags.ciff !== undefined) missing = await writeCiff(data.index, stderrLog(config), write);
    else if (flags.ranks) await writeAll(rankLines(data.graph), write);
    else if (format === 'warc')
      await writeAll(exportWarc(data.archive, end, isZstd ? 'zstd' : 'gzip'), write);
    else if (format === 'cdxj') await writeAll(exportCdx(data.archive, end), write);
    else if (pages) await writeAll(pages.parts, write);
    else if (typeof flags.query === 'string') await writeResults(data, config, flags.query, write);
    else await exportWacz({ ...waczOptions(data, end), write });
  };
  const sizeBytes = await writeOut(output, write, work);
  if (isOfArchive(flags, format)) warnOfRemoved(data, config.data);
  if (path !== undefined) print(`wrote ${formatSize(sizeBytes)} to ${path}`);
  if (pages)
    tell(`cursor ${pages.cursor} (gyre export --since ${pages.cursor} exports what changes from now on)`);
  if (missing.length > 0) {
    const what = `the export lacks the documents of ${missing.join(', ')}`;
    throw new UsageError(
      'incomplete-export',
      `${what}: run ${commandFor('build --repair', config.data)}, then export again`,
    );
  }
}

function isOfArchive(flags: Invocation['flags'], format: string): boolean {
  return flags.ciff === undefined && !flags.ranks && !PAGE_FORMATS.includes(format);
}

/** Warns that the archive still has captures of removed pages. */
function warnOfRemoved({ root }: DataDirectory, data: string): void {
  const left = readRemovals(root).rules.filter(({ purge }) => purge !== 'done').length;
  if (left === 0) return;
  const advice = `${commandFor('remove --purge', data)} with the same targets deletes them`;
  tell(`the export has the captures of removed pages (${counted(left, 'rule')}): ${advice}`);
}

/** Exports the index in the CIFF format. Returns the names of damaged segments, which are left out. */
async function writeCiff(index: Directory, log: Log, write: Write): Promise<readonly string[]> {
  const reader = new IndexReader(index, log);
  try {
    await writeAll(exportCiff(reader.segments, `${PRODUCT} ${VERSION}: words of title, text and URL`), write);
    return reader.missing;
  } finally {
    reader.close();
  }
}

const MAX_RESULTS = 100;

/** Writes the newest captures of the first results of a query. */
async function writeResults(data: DataDirectory, config: Config, query: string, write: Write): Promise<void> {
  const { postingsCacheBytes: cacheBytes } = config.serve;
  const searcher = openLocalSearching(data, config, stderrLog(config), { cacheBytes, answerBytes: 0 });
  const reader = new ArchiveReader(data.archive);
  try {
    const { results } = await searcher.search({ query, offset: 0, limit: MAX_RESULTS, asTyped: true });
    const software = `${PRODUCT} ${VERSION}`;
    const options = { reader, pages: results, software, now: Date.now(), write };
    const missing = await exportCapturesAsWacz(options);
    if (missing.length > 0) tell(`${counted(missing.length, 'result')} without a capture in the archive`);
  } finally {
    reader.close();
    searcher.close();
  }
}

function* rankLines(graph: Directory): Generator<Buffer> {
  for (const row of exportRanks(graph)) yield Buffer.from(`${JSON.stringify(row)}\n`);
}

function waczOptions({ archive, journal }: DataDirectory, end: WarcMark) {
  const pages = currentPages(journal).map(({ url, fetchedAt, page }) => ({
    url,
    fetchedAt,
    title: page.title,
  }));
  return { directory: archive, end, pages, software: `${PRODUCT} ${VERSION}`, now: Date.now() };
}

async function committedEnd({ root }: DataDirectory): Promise<WarcMark> {
  if (!hasCrawlState(root)) return WARC_START;
  const state = openCrawlState(root, { readOnly: true });
  try {
    return (await state.marks())?.warc ?? WARC_START;
  } finally {
    state.close();
  }
}

/** Yields the newest record of each page. */
function* currentPages(journal: Directory): Generator<PageRecord> {
  for (const { record } of newestRecords(journal, journalFiles(journal)))
    if (record.kind === 'page' && isListed(record.page)) yield record;
}

type Write = (bytes: Uint8Array) => Promise<void>;

/** Returns the part of the work that is done, from 0 to 1, after `doneBytes` bytes were written; null if it is unknown. */
type PartOfWork = (doneBytes: number) => number | null;

function sizeOfFiles(directory: Directory): number {
  return directory.list().reduce((sum, name) => sum + directory.sizeOf(name), 0);
}

async function writeAll(parts: Iterable<Uint8Array>, write: Write): Promise<void> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for (const part of parts) {
    gathered.push(part);
    size += part.length;
    if (size < CHUNK) continue;
    await write(Buffer.concat(gathered));
    gathered = [];
    size = 0;
  }
  await write(Buffer.concat(gathered));
}

/**
 * Calls `work`, closes the stream afterwards, and returns the number of bytes written. The reader may close the
 * stream early.
 */
async function writeOut(
  output: Writable,
  work: (write: Write) => Promise<void>,
  partOfWork: PartOfWork = () => null,
): Promise<number> {
  let sizeBytes = 0;
  // A progress line between the lines of an export on a terminal would hide them.
  const progress = output === process.stdout && process.stdout.isTTY ? null : new WorkProgress();
  let failure: NodeJS.ErrnoException | null = null;
  output.on('error', (error) => {
    failure = error;
  });
  const write: Write = async (bytes) => {
    if (failure) throw failure;
    sizeBytes += bytes.length;
    const share = partOfWork(sizeBytes);
    progress?.show({ doing: 'exporting', count: sizeBytes, format: formatSize, share });
    if (!output.write(bytes)) await drained(output);
  };
  try {
    await work(write);
    if (output !== process.stdout) await new Promise<void>((resolve) => output.end(resolve));
    if (failure) throw failure;
    return sizeBytes;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EPIPE') return sizeBytes;
    if (error !== failure) throw error;
    throw new UsageError('cannot-write', `cannot write the export (${code}): choose another file`);
  } finally {
    progress?.clear();
  }
}

/** Resolves when the output stream accepts more data or is closed. */
function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      output.off('drain', settle).off('close', settle);
      resolve();
    };
    output.on('drain', settle).on('close', settle);
  });
}
