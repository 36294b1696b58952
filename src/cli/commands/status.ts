/** The command `gyre status`, which shows the state of a data directory. */
import { formatSize } from '../../base/mod.ts';
import {
  clockSetBackMs,
  describeProblem,
  describeUrlReason,
  describeWait,
  hasCrawlState,
  openCrawlState,
  type ReasonCount,
} from '../../crawl/mod.ts';
import { readManifest, summarizeIndex } from '../../index/mod.ts';
import { journalFiles } from '../../journal/mod.ts';
import type { IndexStats } from '../../query/mod.ts';
import { commandFor } from '../advice.ts';
import { type Command, type Invocation, table } from '../arguments.ts';
import { type DataDirectory, demoHint, readData, readSettings } from '../data-directory.ts';
import { aliasesLine, answersLine, printAliases, printTraps, reportFindings } from '../findings-report.ts';
import { isCrawling, isIndexing } from '../locks.ts';
import { counted, print, printJson } from '../output.ts';
import { clearScreen, FetchRate, watch } from '../progress/mod.ts';
import { readCrawlCommand } from '../sessions/control.ts';
import { describeProgress, type EmbeddingProgress, readProgress } from '../sessions/embedding-progress.ts';

const PROBLEMS = 10;

export const statusCommand: Command = {
  name: 'status',
  positionals: '',
  summary:
    'Shows the state of the data directory and of the crawl, also while it runs; with --cluster, that of a cluster',
  examples: ['gyre status --hosts', 'gyre status --watch', 'gyre status --cluster cluster.json'],
  settings: [],
  flags: [
    { name: 'hosts', kind: 'boolean', help: 'list the hosts with queued URLs, and why each of them waits' },
    {
      name: 'traps',
      kind: 'boolean',
      help: 'list mirrors and traps, each trap with the rule that would stop it',
    },
    {
      name: 'aliases',
      kind: 'boolean',
      help: 'list the URLs that are not documents of their own, with their documents and the reasons',
    },
    {
      name: 'cluster',
      kind: 'string',
      value: 'FILE',
      help: 'show the cluster of this file instead: nodes, crawl, queues, shards and what is wrong (docs/cluster.md)',
    },
    { name: 'watch', kind: 'boolean', help: 'show it again every 2 seconds, until Ctrl-C' },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  run: async (invocation) => {
    if (invocation.flags.watch !== true) return await status(invocation, null);
    const rate = new FetchRate();
    await watch(() => status(invocation, rate));
  },
};

async function status({ config, flags }: Invocation, rate: FetchRate | null): Promise<void> {
  if (typeof flags.cluster === 'string') {
    // The clients of the services are loaded only for a cluster.
    const show = (await import('../cluster-admin/mod.ts')).showClusterStatus;
    return await show(flags.cluster, flags.json === true, rate ? clearScreen : () => {});
  }
  const data = readData(config.data);
  const { seeds } = readSettings(data.root);
  const crawl = await crawlStatus(data);
  const index = summarizeIndex(data.index);
  const embedding = readProgress(data.meaning);
  const { problems, answers, ...counts } = crawl;
  const waiting = flags.hosts ? await waitingHosts(data) : undefined;
  const found = await reportFindings(data);
  const { doubles, mirrors } = found;
  const traps = flags.traps ? found.traps : undefined;
  const paused = readCrawlCommand(data.root) === 'pause';
  const running = isCrawling(data.root);
  if (flags.json) {
    return printJson({
      data: config.data,
      seeds,
      running,
      paused,
      crawl: counts,
      answers: answers.map(({ reason, count }) => ({ reason: describeUrlReason(reason), count })),
      problems,
      index,
      embedding: embedding ?? undefined,
      waiting,
      doubles,
      mirrors,
      traps,
    });
  }
  if (rate) clearScreen();
  print(`${config.data}: ${counted(seeds.length, 'seed')}`);
  if (seeds.length === 0 && counts.hosts === 0) print(nothingYet(config.data));
  const aliases = aliasesLine(doubles);
  const meaning = meaningLine(index, embedding, config.data);
  const plain = [
    ['crawl', crawlWord(running, paused, counts.ready, config.data)],
    ['hosts', `${counts.hosts}, ${counts.parked} of them parked`],
    [
      'URLs',
      `${counts.done} fetched${rate?.measure(counts.done) ?? ''}, ${counts.ready} queued, ${counts.refused} refused, ${counts.failed} failed`,
    ],
    ['fetched', answersLine(answers)],
    ...(aliases === null ? [] : [['aliases', aliases] as const]),
    [
      'index',
      `${counted(index.docCount, 'document')}, ${counted(index.segmentCount, 'segment')}, ${formatSize(index.sizeBytes)}${behind(data, config.data)}`,
    ],
    ...(meaning === null ? [] : [['meaning', meaning] as const]),
  ] as const;
  print(table(plain).trimEnd());
  if (counts.clockSetBackMs > 0) print(clockLine(counts.clockSetBackMs));
  for (const { origin, why } of waiting ?? []) print(`  ${origin}: ${why}`);
  if (waiting?.length === 0) print('  no URL is queued');
  if (flags.traps) printTraps(found);
  if (flags.aliases) await printAliases(data);
  if (problems.length > 0)
    print(table(problems.map(({ reason, count }) => [`${count} ×`, reason])).trimEnd());
}

/** Returns a line about search by meaning; null if the index has no vectors and none are being computed. */
function meaningLine(
  { embeddedDocs = 0 }: IndexStats,
  progress: EmbeddingProgress | null,
  path: string,
): string | null {
  if (embeddedDocs === 0 && !progress) return null;
  const found = `${counted(embeddedDocs, 'document')} can be found in other words`;
  return progress ? `${found}; ${describeProgress(progress, Date.now(), commandFor('embed', path))}` : found;
}

/** Returns advice for a data directory without a crawl. */
function nothingYet(data: string): string {
  const hint = demoHint(data);
  return hint === '' ? `  no crawl yet; run ${commandFor('up', data)}` : `  no crawl yet${hint}`;
}

function crawlWord(running: boolean, paused: boolean, queued: number, data: string): string {
  const resume = commandFor('resume', data);
  const again = commandFor('up', data);
  if (paused)
    return running ? `paused; ${resume} continues` : `paused and not running; run ${resume}, then ${again}`;
  if (running) return queued > 0 ? 'running' : 'idle until the next page is due';
  return queued > 0 ? `not running; ${again} continues` : 'not running; no URL is queued';
}

function clockLine(setBackMs: number): string {
  const hours = (setBackMs / 3_600_000).toFixed(1);
  return `  clock: the last commit is ${hours} hours in the future; check the clock of this machine`;
}

/**
 * Returns a note if there are pages that are not indexed yet. The note says that an indexer is running, or
 * names the command that indexes the pages.
 */
function behind(data: DataDirectory, path: string): string {
  if (!data.root.has('journal')) return '';
  if (journalFiles(data.journal, readManifest(data.index).journal).length === 0) return '';
  return isIndexing(data.root)
    ? '; more pages are being indexed'
    : `; ${commandFor('build', path)} indexes the rest`;
}

async function waitingHosts(data: DataDirectory) {
  if (!hasCrawlState(data.root)) return [];
  const state = openCrawlState(data.root, { readOnly: true });
  try {
    const hosts = await state.hostsWithWork();
    return hosts.map((host) => ({ origin: host.origin, why: describeWait(host, Date.now()) }));
  } finally {
    state.close();
  }
}

async function crawlStatus(data: DataDirectory) {
  if (!hasCrawlState(data.root)) {
    return {
      hosts: 0,
      parked: 0,
      ready: 0,
      done: 0,
      refused: 0,
      failed: 0,
      answers: [] as ReasonCount[],
      problems: [],
      clockSetBackMs: 0,
    };
  }
  const state = openCrawlState(data.root, { readOnly: true });
  try {
    const problems = await state.problems(PROBLEMS);
    return {
      ...(await state.counts()),
      answers: await state.answers(),
      problems: problems.map((problem) => ({ reason: describeProblem(problem), count: problem.count })),
      clockSetBackMs: clockSetBackMs(await state.committedAt(), Date.now()),
    };
  } finally {
    state.close();
  }
}
