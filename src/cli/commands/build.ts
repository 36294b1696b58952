/** gyre build */
import type { RebuildReport } from '../../archive/mod.ts';
import { type Directory, silentLog } from '../../base/mod.ts';
import { type BuildReport, FROM_ARCHIVE, type RepairReport } from '../../build/mod.ts';
import { IndexReader, isManifestReadable } from '../../index/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import type { Config } from '../config.ts';
import { readLimitOf } from '../crawl-session.ts';
import { type DataDirectory, openExistingData } from '../data-directory.ts';
import { journalFromArchive } from '../from-archive.ts';
import { buildOnce, repairOnce, wordsOnce } from '../index-session.ts';
import { lockIndex } from '../locks.ts';
import { counted, ProgressLine, print, printJson, stderrLog, tell } from '../output.ts';
import { onInterrupt } from '../signals.ts';

export const buildCommand: Command = {
  name: 'build',
  positionals: '',
  summary: 'Takes up newly crawled pages into the index',
  settings: ['extractors'],
  flags: [
    {
      name: 'from-archive',
      kind: 'boolean',
      help: 'make the journal anew from the archive, and from it the index',
    },
    {
      name: 'rebuild',
      kind: 'boolean',
      help: 'index the whole journal anew; the old index serves until the new one takes its place',
    },
    {
      name: 'repair',
      kind: 'boolean',
      help: 'check every segment first, and restore from the journal what damaged ones had',
    },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  run: build,
};

async function build({ config, flags }: Invocation): Promise<void> {
  const data = openExistingData(config.data);
  const lock = lockIndex(data.root);
  const stop = new AbortController();
  const off = onInterrupt(() => stop.abort());
  try {
    if (flags['from-archive'] && !(await remakeJournal(data, config, stop.signal))) return;
    const log = stderrLog(config);
    const rebuild = isMadeAnew(data, flags);
    const repaired = flags.repair && !rebuild ? await repairOnce(data, config, log, stop.signal) : null;
    const built = await buildOnce(data, config, log, stop.signal, { rebuild });
    await wordsOnce(data, log, stop.signal);
    const report = { ...built, ...asServed(data.index) };
    if (repaired && repaired.lost.length > 0) process.exitCode = 1;
    if (flags.json) return printJson(repaired ? { ...report, repaired } : report);
    if (repaired) print(toldRepair(repaired));
    print(
      told(report, repaired ? '' : `: ${commandFor('build --repair', config.data)} restores what is missing`),
    );
  } finally {
    off();
    lock.release();
  }
}

/** A new journal needs a new index; and without a manifest nobody knows which segments make up the old one. */
function isMadeAnew({ index }: DataDirectory, flags: Invocation['flags']): boolean {
  if (flags.rebuild || flags['from-archive']) return true;
  if (!flags.repair || isManifestReadable(index)) return false;
  tell('the manifest is damaged: the index is made anew from the journal');
  return true;
}

/** What a searcher gets: unlike a writer, a reader checks every byte. */
function asServed(index: Directory): Pick<BuildReport, 'docCount' | 'damaged'> {
  const reader = new IndexReader(index, silentLog);
  const docCount = reader.segments.reduce((sum, { liveDocs }) => sum + liveDocs, 0);
  const damaged = [...reader.missing];
  reader.close();
  return { docCount, damaged };
}

function told({ pages, docCount, damaged }: BuildReport, advice: string): string {
  const holds = `took up ${counted(pages, 'page')}; the index holds ${counted(docCount, 'document')}`;
  if (damaged.length === 0) return holds;
  return `${holds}, without ${counted(damaged.length, 'damaged segment')}${advice}`;
}

function toldRepair({ damaged, lost, restored }: RepairReport): string {
  if (damaged.length === 0) return 'no segment is damaged';
  if (lost.length > 0) {
    const kept = `restored ${counted(restored, 'document')}, but not all of ${damaged.join(', ')}, which stay left out`;
    return `${kept}: the journal is damaged too (${lost.join(', ')}); ${FROM_ARCHIVE}`;
  }
  return `replaced ${counted(damaged.length, 'damaged segment')}: ${counted(restored, 'document')} restored`;
}

/** False when it was interrupted; the journal is then the old one. */
async function remakeJournal(data: DataDirectory, config: Config, signal: AbortSignal): Promise<boolean> {
  const progress = new ProgressLine();
  const show = ({ captures, pages }: RebuildReport) =>
    progress.show(`read ${counted(captures, 'capture')}: ${counted(pages, 'page')}`);
  const made = await journalFromArchive(data, {
    signal,
    onProgress: show,
    extractors: config.crawl.extractors,
    limitMs: readLimitOf(config),
    log: stderrLog(config),
  });
  progress.clear();
  if (made.failed > 0) print(`${counted(made.failed, 'page')} left out: reading them failed`);
  return made.complete;
}
