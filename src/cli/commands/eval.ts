/** The command `gyre eval`, which measures the quality of search results. */
import { writeFileSync } from 'node:fs';
import { directoryAt, Random, UsageError } from '../../base/mod.ts';
import { openAnchors } from '../../graph/mod.ts';
import {
  chooseKnownItems,
  findHomePages,
  type HomePages,
  type KnownItem,
  meanReciprocalRank,
} from '../../query/mod.ts';
import {
  compareValues,
  formatRun,
  METRICS,
  type Measures,
  meanOf,
  measureRun,
  type Profile,
  type Run,
} from '../../scoring/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { readData } from '../data-directory.ts';
import { print, printJson } from '../output.ts';
import { chooseProfile, PROFILE_FLAG } from '../profile-choice.ts';
import { JUDGED_FLAGS, openForEvaluation, readJudged, runTopics } from '../sessions/judged-run.ts';

export const evalCommand: Command = {
  name: 'eval',
  positionals: '',
  summary: 'Measures the ranking with judged queries or known items, and compares profiles',
  examples: ['gyre eval --known-item 300'],
  settings: [],
  flags: [
    ...JUDGED_FLAGS,
    { ...PROFILE_FLAG, kind: 'list', help: `${PROFILE_FLAG.help}; a second one is compared with the first` },
    {
      name: 'run',
      kind: 'string',
      value: 'FILE',
      help: 'write the results of the first profile as a TREC run, 1000 documents per query',
    },
    {
      name: 'known-item',
      kind: 'string',
      value: 'N',
      help: 'use N queries made from titles, links and site names of the index instead of judged queries',
    },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  run: evaluate,
};

const KNOWN_DEPTH = 100;
const KNOWN_SEED = 42;
/** Maximum number of page titles among which the known items of an evaluation are chosen. */
const MAX_TITLES = 20_000;

async function evaluate(invocation: Invocation): Promise<void> {
  const { config, flags, lists } = invocation;
  const { root } = readData(config.data);
  const named = lists.profile ?? [undefined];
  const profiles = named.map((name) => chooseProfile(root, name));
  if (flags['known-item'] !== undefined) {
    await evaluateKnownItems(invocation, profiles);
    return;
  }
  const { topics, qrels } = readJudged(invocation);
  const judged = new Map(topics.map(({ id }) => [id, qrels.get(id)!]));
  const results: { profile: string; run: Run; queries: Measures[] }[] = [];
  for (const profile of profiles) {
    const { searcher, close } = openForEvaluation(invocation, profile);
    const run = await runTopics(searcher, topics);
    close();
    results.push({ profile: profile.name, run, queries: [...measureRun(judged, run).values()] });
  }
  if (flags.run !== undefined)
    writeFileSync(String(flags.run), formatRun(results[0]!.run, results[0]!.profile));
  const means = results.map(({ profile, queries }) => ({ profile, ...meanOf(queries) }));
  const compared = results.slice(1).map((other) => ({
    profile: other.profile,
    with: results[0]!.profile,
    ...comparisons(results[0]!.queries, other.queries),
  }));
  if (flags.json) return printJson({ queries: topics.length, profiles: means, compared });
  print(`${topics.length} judged queries`);
  printTable(means.map((mean) => [mean.profile, ...METRICS.map((metric) => mean[metric].toFixed(4))]));
  for (const comparison of compared) {
    print(`\n${comparison.profile} less ${comparison.with}, and p by a paired randomisation test`);
    printTable([
      ['difference', ...METRICS.map((metric) => signed(comparison[metric].difference))],
      ['p', ...METRICS.map((metric) => comparison[metric].p.toFixed(4))],
    ]);
  }
}

function comparisons(first: readonly Measures[], second: readonly Measures[]) {
  const entries = METRICS.map((metric) => {
    const values = (measures: readonly Measures[]) => measures.map((one) => one[metric]);
    return [metric, compareValues(values(first), values(second))] as const;
  });
  return Object.fromEntries(entries) as Record<(typeof METRICS)[number], ReturnType<typeof compareValues>>;
}

function printTable(rows: readonly (readonly string[])[]): void {
  const lines = [['', ...METRICS], ...rows];
  const width = Math.max(...lines.map(([first]) => first!.length));
  for (const [first, ...cells] of lines)
    print(`${first!.padEnd(width)}  ${cells.map((cell) => cell.padStart(10)).join('  ')}`);
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(4)}`;
}

interface KnownItemResult {
  profile: string;
  queries: number;
  mrr: number;
  titles: { queries: number; mrr: number };
  anchors: { queries: number; mrr: number };
  homePages: HomePages;
}

/**
 * Known-item evaluation: queries are titles or anchor texts, and the measure is the rank of the page they
 * belong to.
 */
async function evaluateKnownItems(invocation: Invocation, profiles: readonly Profile[]): Promise<void> {
  const count = Number(invocation.flags['known-item']);
  if (!Number.isInteger(count) || count < 1)
    throw new UsageError('bad-option', '--known-item takes a whole number from 1 up');
  const results: KnownItemResult[] = [];
  for (const profile of profiles) {
    const { searcher, close } = openForEvaluation(invocation, profile);
    const titles = searcher.titles(MAX_TITLES);
    const items = chooseKnownItems(allKnownItems(invocation, titles), count, new Random(KNOWN_SEED));
    const homePages = await findHomePages(
      searcher,
      titles.map(({ url }) => url),
    );
    const places: number[] = [];
    for (const { query, url } of items) {
      const ranking = await searcher.ranking(query, KNOWN_DEPTH);
      places.push(ranking.findIndex((found) => found.url === url) + 1);
    }
    close();
    const part = (from: KnownItem['from']) => places.filter((_, at) => items[at]!.from === from);
    results.push({
      profile: profile.name,
      queries: items.length,
      mrr: meanReciprocalRank(places),
      titles: { queries: part('title').length, mrr: meanReciprocalRank(part('title')) },
      anchors: { queries: part('anchor').length, mrr: meanReciprocalRank(part('anchor')) },
      homePages,
    });
  }
  if (invocation.flags.json) printJson(results);
  else printKnownItems(results);
}

function printKnownItems(results: readonly KnownItemResult[]): void {
  for (const { profile, queries, mrr, titles, anchors, homePages } of results) {
    print(
      `${profile}: MRR ${mrr.toFixed(4)} on ${queries} queries (${titles.queries} titles ${titles.mrr.toFixed(4)}, ${anchors.queries} links ${anchors.mrr.toFixed(4)})`,
    );
    const { hosts, missed } = homePages;
    print(
      `  home page in the first three for the name of its site: ${hosts - missed.length} of ${hosts}${missed.length > 0 ? `, not for ${missed.join(', ')}` : ''}`,
    );
  }
}

/** Yields pairs of a query and its page. An anchor text is used only if the index has the linked document. */
function* allKnownItems(
  { config }: Invocation,
  titles: readonly { url: string; title: string }[],
): Generator<KnownItem> {
  for (const { url, title } of titles) yield { query: title, url, from: 'title' };
  const urls = new Map(titles.map(({ url }) => [fingerprint(url as CanonicalUrl), url]));
  const anchors = openAnchors(directoryAt(readData(config.data).graph.path));
  if (!anchors) return;
  for (const { fingerprint: key, texts } of anchors.entries()) {
    const url = urls.get(key);
    if (url !== undefined && texts[0]) yield { query: texts[0].text, url, from: 'anchor' };
  }
  anchors.close();
}
