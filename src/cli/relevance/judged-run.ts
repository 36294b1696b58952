/** Runs judged queries against the index of a data directory, for `gyre eval`, `gyre tune` and the relevance desk. */
import { readFileSync } from 'node:fs';
import { documentIdOf } from '../../archive/mod.ts';
import { type Directory, messageOf, systemClock, UsageError } from '../../base/mod.ts';
import { openLinks } from '../../graph/mod.ts';
import { type LocalSearcher, openSearcher } from '../../query/mod.ts';
import {
  type Measures,
  measureRun,
  type Profile,
  parseQrels,
  parseTopics,
  type Qrels,
  type Run,
  type RunEntry,
  type Topic,
} from '../../scoring/mod.ts';
import { commandFor } from '../advice.ts';
import type { Invocation, OwnFlag } from '../arguments.ts';
import { readData } from '../data-directory.ts';
import { stderrLog } from '../output.ts';
import { GraphLookup } from '../sessions/graph-lookup.ts';
import { embedQueryBy } from '../sessions/local-searching.ts';
import type { Config } from '../settings/mod.ts';
import { readJudgements } from './judgements.ts';

/** Flags of the commands that read judged queries. */
export const JUDGED_FLAGS: readonly OwnFlag[] = [
  {
    name: 'queries',
    kind: 'string',
    value: 'FILE',
    help: 'queries: ID<TAB>words a line, or TREC topics; by default those of the relevance desk',
  },
  {
    name: 'qrels',
    kind: 'string',
    value: 'FILE',
    help: 'judgements: QUERY 0 DOCUMENT GRADE a line; a document is an imported id or a URL',
  },
];

/** Maximum number of results per topic, as is usual for TREC runs. */
const RUN_DEPTH = 1000;

export interface Judged {
  /** The topics that have judgements; topics without judgements are left out. */
  topics: readonly Topic[];
  /** The judgements of these topics, in the same order. */
  qrels: Qrels;
}

/** Reads the judged queries that the flags name or, without flags, those of the relevance desk. */
export function readJudged({ config, flags }: Invocation, root: Directory): Judged {
  const [queries, judgements] = [flags.queries, flags.qrels] as (string | undefined)[];
  if (queries === undefined && judgements === undefined) {
    const judged = judgedIn(root);
    if (judged.topics.length > 0) return judged;
    throw new UsageError(
      'no-judgements',
      `missing judged queries: add --queries FILE --qrels FILE, or judge results at /admin/relevance (${commandFor('serve', config.data)})`,
    );
  }
  if (queries === undefined || judgements === undefined)
    throw new UsageError('no-judgements', 'missing queries or judgements: add --queries FILE --qrels FILE');
  const judged = joined(
    parseTopics(readText(queries), queries),
    parseQrels(readText(judgements), judgements),
  );
  if (judged.topics.length === 0)
    throw new UsageError(
      'no-judgements',
      `${judgements} has no judgement for any query of ${queries}: check that both use the same ids`,
    );
  return judged;
}

/** Returns the judged queries of the relevance desk. */
export function judgedIn(root: Directory): Judged {
  const { topics, qrels } = readJudgements(root);
  return joined(topics, qrels);
}

function joined(topics: readonly Topic[], qrels: Qrels): Judged {
  const judged = topics.filter(({ id }) => qrels.has(id));
  return { topics: judged, qrels: new Map(judged.map(({ id }) => [id, qrels.get(id)!])) };
}

/** Opens a searcher over the index of the data directory; the caller closes it. */
export function openForEvaluation(
  config: Config,
  profile: Profile,
): { searcher: LocalSearcher; links: GraphLookup; close(): void } {
  const log = stderrLog(config);
  const data = readData(config.data);
  const { index, graph } = data;
  if (!index.has('manifest.json'))
    throw new UsageError(
      'no-index',
      `${config.data} has no index: run ${commandFor('import', config.data)} FILE and ${commandFor('build', config.data)}`,
    );
  const links = new GraphLookup(() => openLinks(graph), log);
  const searcher = openSearcher(index, {
    log,
    clock: systemClock,
    links: () => links,
    profile,
    embedQuery: embedQueryBy(data, config, log),
  });
  const close = () => {
    searcher.close();
    links.close();
  };
  return { searcher, links, close };
}

/** The results of a profile for judged queries, and their measures in the order of the queries. */
export interface MeasuredProfile {
  profile: Profile;
  run: Run;
  queries: Measures[];
}

/**
 * Measures a profile. Calls `onQuery` after each query. The score of a result is RUN_DEPTH minus its rank. The scores of
 * the searcher are not used, because scores of the first stage and of the second stage are not comparable.
 */
export async function measureProfile(
  config: Config,
  profile: Profile,
  { topics, qrels }: Judged,
  onQuery: () => void = () => {},
): Promise<MeasuredProfile> {
  const { searcher, close } = openForEvaluation(config, profile);
  const run = new Map<string, RunEntry[]>();
  try {
    for (const { id, text } of topics) {
      const ranking = await searcher.ranking(text, RUN_DEPTH);
      run.set(
        id,
        ranking.map(({ url }, at) => ({ doc: judgedIdOf(url), score: RUN_DEPTH - at })),
      );
      onQuery();
    }
  } finally {
    close();
  }
  return { profile, run, queries: [...measureRun(qrels, run).values()] };
}

/** Returns the document id used in judgements: the id from the import, or the URL. */
export function judgedIdOf(url: string): string {
  return documentIdOf(url) ?? url;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError('unreadable', `cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}
