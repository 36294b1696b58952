/** The command `gyre tune`, which fits a ranking profile to judged queries. */
import { writeFileSync } from 'node:fs';
import { systemClock, UsageError } from '../../base/mod.ts';
import { featureNames, type Profile, type TuningQuery, tune } from '../../scoring/mod.ts';
import { cliUser } from '../access/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { openData, readData } from '../data-directory.ts';
import { print, printJson } from '../output.ts';
import { chooseProfile, freeName, PROFILE_FLAG } from '../profiles/mod.ts';
import {
  baselineIn,
  compareMeasures,
  JUDGED_FLAGS,
  type Judged,
  judgedIdOf,
  measureProfile,
  openForEvaluation,
  publishProfile,
  readJudged,
  servedNote,
} from '../relevance/mod.ts';
import type { Config } from '../settings/mod.ts';

export const tuneCommand: Command = {
  name: 'tune',
  positionals: '',
  summary: 'Fits the weights of the ranking to judged queries, and measures the gain on held-out queries',
  examples: [
    'gyre tune --queries queries.tsv --qrels qrels.txt --out tuned.json',
    'gyre tune --queries queries.tsv --qrels qrels.txt --publish',
  ],
  settings: [],
  flags: [
    ...JUDGED_FLAGS,
    { ...PROFILE_FLAG, help: `start from this ${PROFILE_FLAG.help}` },
    { name: 'out', kind: 'string', value: 'FILE', help: 'write the fitted profile to this file' },
    {
      name: 'publish',
      kind: 'boolean',
      help: 'search with the fitted profile from now on, unless it is worse than the one in force',
    },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  run: runTune,
};

const FOLDS = 5;
/**
 * Number of candidates per query. Candidates at lower ranks hardly change the measures, but cost as much to score.
 */
const CANDIDATES = 400;

async function runTune(invocation: Invocation): Promise<void> {
  const { config, flags } = invocation;
  const { root } = readData(config.data);
  const named = flags.profile as string | undefined;
  const start = named === undefined ? baselineIn(root, config.serve.profile) : chooseProfile(root, named);
  if (start.model !== 'linear')
    throw new UsageError(
      'bad-profile',
      `${start.name} is a published design: only linear profiles can be tuned`,
    );
  const names = featureNames('linear');
  const judged = readJudged(invocation, root);
  const tuning = tune(
    await tuningQueries(config, start, judged),
    names.map((name) => start.weights[name] ?? 0),
    { fixed: names.indexOf('text'), close: start.close, folds: FOLDS },
  );
  const weights = Object.fromEntries(
    names.map((name, at) => [name, Number(tuning.weights[at]!.toPrecision(3))]),
  );
  const fitted: Profile = {
    ...start,
    name: freeName(root, 'tuned'),
    about: `Fitted by gyre tune from ${start.name}`,
    weights,
  };
  const { difference, p } = tuning.held;
  if (flags.out !== undefined) writeFileSync(String(flags.out), `${JSON.stringify(fitted, null, 2)}\n`);
  if (flags.json) printJson({ ...tuning, weights });
  else {
    print(
      `mean of nDCG@10 and MAP: ${tuning.before.toFixed(4)} before, ${tuning.after.toFixed(4)} fitted to all queries`,
    );
    print(
      `on queries it was not fitted to: ${difference < 0 ? '' : '+'}${difference.toFixed(4)}, p ${p.toFixed(4)}`,
    );
    for (const [name, weight] of Object.entries(weights)) print(`  ${name.padEnd(10)} ${weight}`);
  }
  if (!flags.publish) return;
  if (tuning.isWorse)
    throw new UsageError(
      'worse-profile',
      'not published: the fitted profile is significantly worse on held-out queries; judge more queries',
    );
  const candidate = await measureProfile(config, fitted, judged);
  const baseline = await measureProfile(config, baselineIn(root, config.serve.profile), judged);
  const who = { who: cliUser(), now: systemClock.now() };
  const compared = compareMeasures(baseline.queries, candidate.queries);
  publishProfile(openData(config.data).root, { candidate, baseline, judged, compared }, who);
  if (!flags.json) print(`published: ${fitted.name}. ${servedNote(config)}`);
}

async function tuningQueries(
  config: Config,
  profile: Profile,
  { topics, qrels }: Judged,
): Promise<TuningQuery[]> {
  const { searcher, close } = openForEvaluation(config, profile);
  const queries: TuningQuery[] = [];
  for (const { id, text } of topics) {
    const ranking = await searcher.ranking(text, CANDIDATES);
    const candidates = ranking.map(({ url, features }) => ({ doc: judgedIdOf(url), features }));
    queries.push({ judged: qrels.get(id)!, candidates });
  }
  close();
  return queries;
}
