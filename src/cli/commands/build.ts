/** The command `gyre build`, which indexes the journal. */

import { type Directory, formatSize, silentLog } from '../../base/mod.ts';
import {
  areVersionsReadable,
  type BuildProgress,
  type BuildReport,
  FROM_ARCHIVE,
  type RepairReport,
} from '../../build/mod.ts';
import type { RebuildReport } from '../../import/mod.ts';
import { IndexReader, isManifestReadable, readManifest } from '../../index/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { type DataDirectory, openExistingData, readSettings } from '../data-directory.ts';
import { onInterrupt } from '../interrupts.ts';
import { lockIndex } from '../locks.ts';
import { counted, print, printJson, stderrLog, tell } from '../output.ts';
import { type Work, WorkProgress } from '../progress/mod.ts';
import { readingPlanOf, readLimitOf } from '../sessions/crawl-session.ts';
import { journalFromArchive } from '../sessions/from-archive.ts';
import { buildOnce, repairOnce } from '../sessions/index-session.ts';
import { applyWaitingVectors } from '../sessions/waiting-vectors.ts';
import type { Config } from '../settings/mod.ts';
import { findIfFree } from '../standing/mod.ts';

export const buildCommand: Command = {
  name: 'build',
  positionals: '',
  summary: 'Adds newly crawled pages to the index',
  examples: ['gyre build', 'gyre build --from-archive', 'gyre build --cluster cluster.json --from-archive'],
  settings: ['extractors', 'record-rules'],
  flags: [
    {
      name: 'from-archive',
      kind: 'boolean',
      help: 'rebuild the journal from the archive, and the index from the journal',
    },
    {
      name: 'rebuild',
      kind: 'boolean',
      help: 'index the whole journal again; searches use the old index until the new one replaces it',
    },
    {
      name: 'repair',
      kind: 'boolean',
      help: 'check every segment first, and restore the documents of damaged ones from the journal',
    },
    {
      name: 'cluster',
      kind: 'string',
      value: 'FILE',
      help: 'repair the journal (--from-archive) or damaged shards (--rebuild) of the cluster of this file instead (docs/cluster.md)',
    },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  leastMemory: '384Mi',
  run: build,
};

async function build({ config, flags }: Invocation): Promise<void> {
  // The clients of the services are loaded only for a cluster.
  if (typeof flags.cluster === 'string')
    return await (await import('../cluster-admin/mod.ts')).buildCluster(flags.cluster, { flags });
  const data = openExistingData(config.data);
  const lock = lockIndex(data.root);
  const stop = new AbortController();
  const off = onInterrupt(() => stop.abort());
  try {
    if (flags['from-archive'] && !(await remakeJournal(data, config, stop.signal))) return;
    const log = stderrLog(config);
    const rebuild = isMadeAnew(data, flags);
    const repaired = flags.repair && !rebuild ? await repairOnce(data, config, log, stop.signal) : null;
    const progress = new WorkProgress();
    const onProgress = (step: BuildProgress) => progress.show(workOf(step));
    const built = await buildOnce(data, config, log, stop.signal, { rebuild, onProgress });
    progress.clear();
    applyWaitingVectors(data, log);
    await findIfFree(data, { config, log, signal: stop.signal });
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

function workOf(progress: BuildProgress): Work {
  const { step, share } = progress;
  if (step === 'reading') return { doing: 'indexing', count: progress.pages, share };
  const doing = `merging ${counted(progress.segments, 'segment')}`;
  return { doing, count: progress.bytes, format: formatSize, share };
}

/**
 * Returns true if the whole index must be rebuilt. This is the case with `--rebuild`, with `--from-archive`, which
 * replaces the journal, and with `--repair` if the manifest or a table of versions is unreadable.
 */
function isMadeAnew({ index }: DataDirectory, flags: Invocation['flags']): boolean {
  if (flags.rebuild || flags['from-archive']) return true;
  if (!flags.repair || isIndexComplete(index)) return false;
  tell('the manifest or a table that it lists is damaged; rebuilding the index from the journal');
  return true;
}

function isIndexComplete(index: Directory): boolean {
  return isManifestReadable(index) && areVersionsReadable(index, readManifest(index).versions);
}

/**
 * Counts the documents and the damaged segments of an index. It uses an index reader, because a reader checks every
 * byte and a writer does not.
 */
function asServed(index: Directory): Pick<BuildReport, 'docCount' | 'damaged'> {
  const reader = new IndexReader(index, silentLog);
  const docCount = reader.segments.reduce((sum, { liveDocs }) => sum + liveDocs, 0);
  const damaged = [...reader.missing];
  reader.close();
  return { docCount, damaged };
}

function told({ pages, docCount, damaged }: BuildReport, advice: string): string {
  const holds = `indexed ${counted(pages, 'page')}; the index has ${counted(docCount, 'document')}`;
  if (damaged.length === 0) return holds;
  return `${holds}, without ${counted(damaged.length, 'damaged segment')}${advice}`;
}

function toldRepair(report: RepairReport): string {
  const { lexicons } = report;
  const told = toldSegments(report);
  return lexicons.length === 0 ? told : `${told}; wrote ${counted(lexicons.length, 'damaged lexicon')} again`;
}

function toldSegments({ damaged, lost, restored }: RepairReport): string {
  if (damaged.length === 0 && lost.length === 0) return 'no segment and no journal file is damaged';
  if (damaged.length === 0) {
    return `no segment is damaged, but the journal is (${lost.join(', ')}); ${FROM_ARCHIVE}`;
  }
  if (lost.length > 0) {
    const kept = `restored ${counted(restored, 'document')}, but not all of ${damaged.join(', ')}, which are skipped in searches`;
    return `${kept}: the journal is damaged too (${lost.join(', ')}); ${FROM_ARCHIVE}`;
  }
  return `replaced ${counted(damaged.length, 'damaged segment')}: ${counted(restored, 'document')} restored`;
}

/**
 * Rebuilds the journal from the archive. Returns false if it was interrupted; the old journal then stays in place.
 */
async function remakeJournal(data: DataDirectory, config: Config, signal: AbortSignal): Promise<boolean> {
  const progress = new WorkProgress();
  const show = ({ captures, pages }: RebuildReport) =>
    progress.show({ doing: `reading ${counted(captures, 'capture')}`, count: pages, share: null });
  const made = await journalFromArchive(data, {
    signal,
    onProgress: show,
    reading: readingPlanOf(config, readSettings(data.root)),
    limitMs: readLimitOf(config),
    log: stderrLog(config),
  });
  progress.clear();
  if (made.failed > 0) print(`${counted(made.failed, 'page')} skipped: parsing failed`);
  if (made.damaged > 0) {
    process.exitCode = 1;
    const places = counted(made.damaged, 'damaged stretch', 'damaged stretches');
    tell(`skipped ${places} of the archive; ${commandFor('doctor', config.data)} lists the files`);
  }
  return made.complete;
}
