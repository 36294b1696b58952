/** The command `gyre eval`, which measures the quality of search results. */
import { writeFileSync } from 'node:fs';
import { type Directory, directoryAt, Random, systemClock, UsageError } from '../../base/mod.ts';
import { openAnchors } from '../../graph/mod.ts';
import {
  chooseKnownItems,
  findHomePages,
  type HomePages,
  type KnownItem,
  meanReciprocalRank,
} from '../../query/mod.ts';
import { formatRun, METRICS, meanOf, type Profile } from '../../scoring/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { cliUser } from '../access/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { openData, readData } from '../data-directory.ts';
import { print, printJson } from '../output.ts';
import { chooseProfile, PROFILE_FLAG, profileInForce, readHistory, stackOf } from '../profiles/mod.ts';
import {
  baselineIn,
  compareMeasures,
  JUDGED_FLAGS,
  type MeasuredProfile,
  measureProfile,
  openForEvaluation,
  publishProfile,
  readJudged,
  rollBackProfile,
  servedNote,
} from '../relevance/mod.ts';

export const evalCommand: Command = {
  name: 'eval',
  positionals: '',
  summary:
    'Measures the ranking with judged queries or known items, compares profiles, and publishes a profile',
  examples: ['gyre eval --known-item 300', 'gyre eval --profile mine.json --publish'],
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
    {
      name: 'publish',
      kind: 'boolean',
      help: 'search with the profile from now on, unless it is worse than the one in force',
    },
    {
      name: 'roll-back',
      kind: 'boolean',
      help: 'search again with the profile before the one published last',
    },
    {
      name: 'history',
      kind: 'boolean',
      help: 'list when which profile came into force, and who published it',
    },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  run: evaluate,
};

type Metric = (typeof METRICS)[number];

const KNOWN_DEPTH = 100;
const KNOWN_SEED = 42;
/** Maximum number of page titles among which the known items of an evaluation are chosen. */
const MAX_TITLES = 20_000;

async function evaluate(invocation: Invocation): Promise<void> {
  const { config, flags, lists } = invocation;
  const { root } = readData(config.data);
  if (flags.history && flags.json) {
    const history = readHistory(root);
    printJson({ inForce: stackOf(history).at(-1), history });
    return;
  }
  if (flags.history) {
    printHistory(root);
    return;
  }
  if (flags['roll-back']) {
    const name = rollBackProfile(openData(config.data).root, cliUser(), systemClock.now());
    print(`${name} is in force again. ${servedNote(config)}`);
    return;
  }
  const profiles = chosenProfiles(invocation, root);
  if (flags['known-item'] !== undefined) {
    await evaluateKnownItems(invocation, profiles);
    return;
  }
  const judged = readJudged(invocation, root);
  const results: MeasuredProfile[] = [];
  for (const profile of profiles) results.push(await measureProfile(config, profile, judged));
  const [first, ...others] = results as [MeasuredProfile, ...MeasuredProfile[]];
  if (flags.run !== undefined) writeFileSync(String(flags.run), formatRun(first.run, first.profile.name));
  const means = results.map(({ profile, queries }) => ({ profile: profile.name, ...meanOf(queries) }));
  const compared = others.map((other) => ({
    profile: other.profile.name,
    with: first.profile.name,
    ...compareMeasures(first.queries, other.queries),
  }));
  if (flags.json) printJson({ queries: judged.topics.length, profiles: means, compared });
  else printMeans(judged.topics.length, means, compared);
  if (!flags.publish) return;
  const who = { who: cliUser(), now: systemClock.now(), source: lists.profile![0] };
  const evaluated = { baseline: first, candidate: others[0]!, judged, compared: compared[0]! };
  publishProfile(openData(config.data).root, evaluated, who);
  if (!flags.json) print(`\npublished: ${others[0]!.profile.name}. ${servedNote(config)}`);
}

/** Returns the profiles to measure. With --publish these are the one in force and the one to publish. */
function chosenProfiles({ config, flags, lists }: Invocation, root: Directory): Profile[] {
  const setting = config.serve.profile;
  const named = lists.profile;
  if (flags.publish) {
    if (named?.length !== 1 || flags['known-item'] !== undefined)
      throw new UsageError(
        'bad-option',
        '--publish needs one --profile NAME|FILE and judged queries; it is compared with the profile in force',
      );
    return [baselineIn(root, setting), chooseProfile(root, named[0]!)];
  }
  return named?.map((name) => chooseProfile(root, name)) ?? [profileInForce(root, setting)];
}

function printHistory(root: Directory): void {
  const history = readHistory(root);
  if (history.length === 0) print('no profile was published');
  for (const { at, who, action, profile } of history)
    print(`${at.slice(0, 16).replace('T', ' ')}  ${action.padEnd(9)}  ${profile}  ${who}`);
  print(`in force: ${stackOf(history).at(-1)}`);
}

function printMeans(
  count: number,
  means: readonly (Record<Metric, number> & { profile: string })[],
  compared: readonly (ReturnType<typeof compareMeasures> & { profile: string; with: string })[],
): void {
  print(`${count} judged queries`);
  printTable(means.map((mean) => [mean.profile, ...METRICS.map((metric) => mean[metric].toFixed(4))]));
  for (const comparison of compared) {
    print(`\n${comparison.profile} less ${comparison.with}, and p by a paired randomisation test`);
    printTable([
      ['difference', ...METRICS.map((metric) => signed(comparison[metric].difference))],
      ['p', ...METRICS.map((metric) => comparison[metric].p.toFixed(4))],
    ]);
  }
}

function printTable(rows: readonly (readonly string[])[]): void {
  const lines = [['', ...METRICS], ...rows];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  for (const [first, ...cells] of lines) {
    const padded = cells.map((cell, at) => cell.padStart(widths[at + 1]!));
    print(`${first!.padEnd(widths[0]!)}  ${padded.join('  ')}`);
  }
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
    const { searcher, close } = openForEvaluation(invocation.config, profile);
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
