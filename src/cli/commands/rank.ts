/** The command `gyre rank`, which computes the ranks of pages from their links. */
import { availableParallelism } from 'node:os';
import { type Log, UsageError } from '../../base/mod.ts';
import {
  openHosts,
  RANK_VARIANTS,
  type RankedName,
  type RankedUrl,
  type RankProgress,
  type RankReport,
  type RankVariant,
  topByVariant,
  topPages,
} from '../../graph/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { type DataDirectory, openExistingData } from '../data-directory.ts';
import { isIndexing, lockIndex } from '../locks.ts';
import { counted, print, printJson, stderrLog } from '../output.ts';
import { WorkProgress } from '../progress/mod.ts';
import { rankOnce } from '../sessions/index-session.ts';

export const rankCommand: Command = {
  name: 'rank',
  positionals: '',
  summary: 'Computes PageRank over the crawled links and applies it to the index',
  examples: ['gyre rank', 'gyre rank --hosts --top 20'],
  settings: [],
  flags: [
    { name: 'top', kind: 'string', value: 'N', help: 'number of highest ranked pages to print (10)' },
    { name: 'hosts', kind: 'boolean', help: 'print the highest ranked hosts instead, with their signals' },
    {
      name: 'variant',
      kind: 'string',
      help: `print the best pages by another measure: ${RANK_VARIANTS.join(', ')}`,
    },
    {
      name: 'seeds',
      kind: 'string',
      help: 'pages or hosts, separated by commas, towards which ranks are biased',
    },
    { name: 'trusted', kind: 'string', help: 'hosts, separated by commas, from which trust spreads' },
    { name: 'afresh', kind: 'boolean', help: 'read the whole journal again, not only its new files' },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  leastMemory: '384Mi',
  run: rank,
};

const DEFAULT_TOP = 10;

async function rank({ config, flags }: Invocation): Promise<void> {
  const top = topOf(flags.top);
  const variant = variantOf(flags.variant);
  const data = openExistingData(config.data);
  if (isLook(flags) && isIndexing(data.root)) return showLast(data, flags, top, variant);
  const lock = lockIndex(data.root);
  try {
    const log = stderrLog(config);
    const report = rankNow(data, flags, top, log);
    const { nodeCount, linkCount, iterations, topPages } = report;
    const headline = `ranked ${counted(nodeCount, 'page')} by ${counted(linkCount, 'link')} in ${counted(iterations, 'iteration')}`;
    const [what, rows] = listing(data, flags, top, variant) ?? ['topPages', topPages.map(rowOfPage)];
    show(flags, report, headline, what, rows);
  } finally {
    lock.release();
  }
}

/** Returns true if the flags of `gyre rank` only ask to show existing ranks, not to compute new ones. */
function isLook(flags: Invocation['flags']): boolean {
  const asks = flags.top !== undefined || flags.hosts || flags.variant !== undefined;
  return Boolean(asks) && !flags.afresh && flags.seeds === undefined && flags.trusted === undefined;
}

/**
 * Shows the ranks of the last rank run. Reading needs no lock, so this works while another process writes the index.
 */
function showLast(
  data: DataDirectory,
  flags: Invocation['flags'],
  top: number,
  variant: RankVariant | null,
): void {
  const [what, rows] = listing(data, flags, top, variant) ?? [
    'topPages',
    topPages(data.graph, top).map(rowOfPage),
  ];
  show(flags, {}, 'another process is using the index; showing the ranks of its last run', what, rows);
}

/**
 * Returns the table of hosts, or of a rank variant, if the flags ask for it; null if they ask for the pages with the
 * highest rank.
 */
function listing(
  data: DataDirectory,
  flags: Invocation['flags'],
  top: number,
  variant: RankVariant | null,
): [what: string, rows: Row[]] | null {
  if (flags.hosts) return ['hosts', hostRows(data, top)];
  return variant ? [variant, topByVariant(data.graph, variant, top).map(rowOf)] : null;
}

function rankNow(data: DataDirectory, flags: Invocation['flags'], top: number, log: Log): RankReport {
  const [seeds, trusted] = [listOf('seeds', flags), listOf('trusted', flags)];
  const threads = availableParallelism();
  const progress = new WorkProgress();
  const onProgress = ({ step, share, iterations }: RankProgress) =>
    progress.show({
      doing: step,
      share,
      ...(iterations !== undefined && { facts: counted(iterations, 'iteration') }),
    });
  const options = { top, seeds, trusted, afresh: flags.afresh === true, threads, onProgress };
  try {
    return rankOnce(data, log, options);
  } finally {
    progress.clear();
  }
}

interface Row {
  text: string;
  fields: object;
}

function rowOf({ name, rank: value }: RankedName): Row {
  return { text: `${value.toExponential(3)}  ${name}`, fields: { url: name, rank: value } };
}

function rowOfPage({ url, rank: value }: RankedUrl): Row {
  return rowOf({ name: url, rank: value });
}

function hostRows(data: DataDirectory, top: number): Row[] {
  const hosts = [...(openHosts(data.graph)?.entries() ?? [])]
    .sort(([, a], [, b]) => b.rank - a.rank)
    .slice(0, top);
  return hosts.map(([host, signals]) => {
    const { rank: value, inHosts, inDomains, trust, farm } = signals;
    const votes = `linked from ${inHosts} hosts of ${inDomains} domains`;
    const text = `${value.toExponential(3)}  ${host}: ${votes}, trust ${trust.toFixed(2)}, farm ${farm.toFixed(2)}`;
    return { text, fields: { host, ...signals } };
  });
}

function show(
  flags: Invocation['flags'],
  report: Partial<RankReport>,
  headline: string,
  what: string,
  rows: readonly Row[],
): void {
  if (flags.json) {
    printJson({ ...report, [what]: rows.map(({ fields }) => fields) });
    return;
  }
  print(headline);
  for (const { text } of rows) print(text);
}

function topOf(flag: string | boolean | undefined): number {
  const top = flag === undefined ? DEFAULT_TOP : Number(flag);
  if (flag !== '' && Number.isInteger(top) && top >= 0) return top;
  throw new UsageError('bad-option', '--top takes a whole number such as 50');
}

function variantOf(flag: string | boolean | undefined): RankVariant | null {
  if (flag === undefined) return null;
  const variant = RANK_VARIANTS.find((each) => each === flag);
  if (variant) return variant;
  throw new UsageError('bad-option', `--variant takes one of ${RANK_VARIANTS.join(', ')}`);
}

function listOf(name: 'seeds' | 'trusted', flags: Invocation['flags']): string[] {
  const flag = flags[name];
  if (typeof flag !== 'string') return [];
  const parts = flag.split(',').map((part) => part.trim());
  const names = parts.filter((part) => part !== '');
  if (names.length > 0) return names;
  throw new UsageError('bad-option', `--${name} takes one or more names, such as example.org`);
}
