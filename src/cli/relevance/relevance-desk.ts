/**
 * The relevance desk of a data directory, for `serve/`. Judgements and profiles are small files, which it reads and writes
 * itself; searches and evaluations run in threads (evaluations.ts).
 */
import { type Directory, systemClock, UsageError } from '../../base/mod.ts';
import type { PopularQueries } from '../../query/mod.ts';
import { PROFILE_NAMES, type Profile } from '../../scoring/mod.ts';
import type { DeskProfile, DeskProfiles, RelevanceDesk } from '../../serve/mod.ts';
import { appendAudit } from '../access/mod.ts';
import {
  chooseProfile,
  describeStored,
  readHistory,
  type StoredProfile,
  stackOf,
  storedNames,
} from '../profiles/mod.ts';
import type { Config } from '../settings/mod.ts';
import { Evaluations } from './evaluations.ts';
import { judgedIdOf, judgedIn } from './judged-run.ts';
import {
  addQueries,
  exportJudgements,
  importJudgements,
  judge,
  normalizeQuery,
  readJudgements,
} from './judgements.ts';
import { baselineIn, publishProfile, rollBackProfile, servedNote } from './publish-profile.ts';
import type { ProfilePair } from './relevance-thread.ts';

const MAX_UNANSWERED = 50;
const MAX_HISTORY = 50;

/** `configOf` returns the present configuration. `popular` is null if queries are not counted. */
export function openRelevanceDesk(
  root: Directory,
  configOf: () => Config,
  popular: PopularQueries | null,
): { desk: RelevanceDesk; close(): Promise<void> } {
  const evaluations = new Evaluations(configOf);
  const audit = (who: string, action: string, target: string, details: object = {}) =>
    appendAudit(root, { who, action, target, ...details }, systemClock.now());
  const settingOf = () => configOf().serve.profile;
  const pairOf = (pair: readonly [string, string]): ProfilePair => [
    profileNamed(root, pair[0]),
    profileNamed(root, pair[1]),
  ];
  const desk: RelevanceDesk = {
    queries: () => describeQueries(root),
    addQueries(texts, who) {
      const added = addQueries(root, texts);
      audit(who, 'add-queries', `${added} queries`);
      return added;
    },
    withoutResults: () => popular?.mostFrequent(MAX_UNANSWERED).withoutResults ?? null,
    gradeOf: (query, url) => gradeOf(root, query, url),
    judge(query, url, grade, who) {
      judge(root, query, judgedIdOf(url), grade);
      audit(who, 'judge', `${normalizeQuery(query)}: ${judgedIdOf(url)}`, { grade });
    },
    exportFile: (kind) => exportJudgements(root)[kind],
    importFiles(files, who) {
      const counts = importJudgements(root, files);
      audit(who, 'import-judgements', `${counts.judgements} judgements`, { counts });
      return counts;
    },
    profiles: () => describeProfiles(root, settingOf()),
    compareResults: async (query, pair) => evaluations.search(pairOf(pair), normalizeQuery(query)),
    startEvaluation: (pair) => evaluations.start(pairOf(pair), judgedIn(root)),
    evaluationOf: (pair) => evaluations.describe(pairOf(pair), judgedIn(root)),
    publish(name, who) {
      const judged = judgedIn(root);
      const pair: ProfilePair = [baselineIn(root, settingOf()), profileNamed(root, name)];
      const measured = evaluations.measuredBy(pair, judged);
      if (!measured)
        throw new UsageError(
          'no-evaluation',
          `Compare ${name} with ${pair[0].name} over all judged queries first; judgements or profiles have changed since the last evaluation.`,
        );
      const { queries, compared } = measured;
      const baseline = { profile: pair[0], queries: queries[0] };
      const candidate = { profile: pair[1], queries: queries[1] };
      publishProfile(root, { baseline, candidate, judged, compared }, { who, now: systemClock.now() });
      return `${name} is published. ${servedNote(configOf())}`;
    },
    rollBack: (who) =>
      `${rollBackProfile(root, who, systemClock.now())} is in force again. ${servedNote(configOf())}`,
  };
  return { desk, close: () => evaluations.close() };
}

function describeQueries(root: Directory): ReturnType<RelevanceDesk['queries']> {
  const { topics, qrels } = readJudgements(root);
  return topics.map(({ id, text }) => {
    const grades = [...(qrels.get(id)?.values() ?? [])];
    return { text, judged: grades.length, relevant: grades.filter((grade) => grade > 0).length };
  });
}

function gradeOf(root: Directory, query: string, url: string): number | null {
  const { topics, qrels } = readJudgements(root);
  const text = query.trim().replace(/\s+/g, ' ');
  const topic = topics.find((known) => known.text === text);
  const grade = topic && qrels.get(topic.id)?.get(judgedIdOf(url));
  return grade === undefined ? null : Math.min(3, Math.max(0, grade));
}

/** Returns a profile by name. Paths of files are no names: people in the browser may not read files. */
function profileNamed(root: Directory, name: string): Profile {
  if (![...PROFILE_NAMES, ...storedNames(root)].some((known) => known === name))
    throw new UsageError('no-profile', `There is no profile "${name}".`);
  return chooseProfile(root, name);
}

function describeProfiles(root: Directory, setting: string): DeskProfiles {
  const history = readHistory(root);
  const stack = stackOf(history);
  return {
    inForce: setting === '' ? baselineIn(root, '').name : setting,
    isPinned: setting !== '',
    previous: stack.at(-2) ?? null,
    profiles: [...new Set([...PROFILE_NAMES, ...storedNames(root)])].map((name) =>
      describeProfile(root, name),
    ),
    history: history.toReversed().slice(0, MAX_HISTORY),
  };
}

function describeProfile(root: Directory, name: string): DeskProfile {
  const described = storedNames(root).includes(name) ? describeStored(root, name) : null;
  if (described && 'problem' in described)
    return { name, about: '', evaluation: null, problem: described.problem };
  const profile = described?.stored.profile ?? profileNamed(root, name);
  return { name, about: profile.about, evaluation: shownEvaluation(described?.stored) };
}

function shownEvaluation(stored: StoredProfile | undefined): DeskProfile['evaluation'] {
  if (!stored?.evaluation) return null;
  const { at, who, queries, measures, baseline } = stored.evaluation;
  return { at, who, queries, nDCG: measures['nDCG@10'], baseline: baseline.name };
}
