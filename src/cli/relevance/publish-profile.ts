/** The gate: compares a profile with the one in force over judged queries, and publishes it unless it is worse. */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Directory, GyreError, sha1Base32, UsageError } from '../../base/mod.ts';
import {
  compareValues,
  DEFAULT_PROFILE,
  formatQrels,
  formatTopics,
  METRICS,
  type Measures,
  meanOf,
  type Profile,
  type ProfileComparison,
  profileDigest,
} from '../../scoring/mod.ts';
import { appendAudit } from '../access/mod.ts';
import {
  type EvaluationRecord,
  FORMER_FILE,
  failsGate,
  LEAST_QUERIES,
  profileInForce,
  readHistory,
  rollBack,
  stackOf,
  storePublished,
  verifiedProfile,
} from '../profiles/mod.ts';
import type { Config } from '../settings/mod.ts';
import type { Judged, MeasuredProfile } from './judged-run.ts';

/** The measures of two profiles, over the same queries in the same order. */
interface GateInput {
  candidate: Pick<MeasuredProfile, 'profile' | 'queries'>;
  baseline: Pick<MeasuredProfile, 'profile' | 'queries'>;
  judged: Judged;
  /** The differences of the candidate to the baseline; see `compareMeasures`. */
  compared: Comparisons;
}

export type Comparisons = Record<keyof Measures, ProfileComparison>;

/** Compares the measures of the same queries. This takes 10,000 trials for each measure. */
export function compareMeasures(first: readonly Measures[], second: readonly Measures[]): Comparisons {
  const entries = METRICS.map((metric) => {
    const values = (measures: readonly Measures[]) => measures.map((one) => one[metric]);
    return [metric, compareValues(values(first), values(second))] as const;
  });
  return Object.fromEntries(entries) as Comparisons;
}

/** Returns a digest of the texts of queries and of their judgements. */
export function judgedDigest({ topics, qrels }: Judged): string {
  return sha1Base32(Buffer.from(formatTopics(topics) + formatQrels(qrels)));
}

/** Returns the profile that a new one is compared with: the one in force, or the default if searches refuse that one. */
export function baselineIn(root: Directory, setting: string): Profile {
  try {
    return profileInForce(root, setting);
  } catch (error) {
    if (!(error instanceof GyreError)) throw error;
    return DEFAULT_PROFILE;
  }
}

/**
 * Publishes a profile. Throws if it is worse than the baseline. `source` is the file that the profile was read from; the
 * file of earlier versions is removed, because the published profile replaces it.
 */
export function publishProfile(
  root: Directory,
  evaluated: GateInput,
  { who, now, source }: { who: string; now: number; source?: string | undefined },
): EvaluationRecord {
  const record = recordOf(evaluated, who, now);
  const { name } = evaluated.candidate.profile;
  if (failsGate(record.comparison, record.queries)) throw worse(name, record);
  storePublished(root, evaluated.candidate.profile, record);
  const former = join(root.path, FORMER_FILE);
  if (source !== undefined && resolve(source) === resolve(former)) rmSync(former);
  appendAudit(root, { who, action: 'publish-profile', target: name, digest: record.digest }, now);
  return record;
}

/** Takes the last publication back, and returns the name of the profile that is in force then. */
export function rollBackProfile(root: Directory, who: string, now: number): string {
  const before = stackOf(readHistory(root)).at(-2);
  if (before !== undefined) verifiedProfile(root, before);
  const name = rollBack(root, who, now);
  appendAudit(root, { who, action: 'roll-back-profile', target: name }, now);
  return name;
}

/** Returns a sentence about when searches use a change of the profile in force. */
export function servedNote({ serve }: Config): string {
  return serve.profile === ''
    ? 'A running engine uses it within a second.'
    : `Searches still use ${serve.profile}, which the setting serve.profile names.`;
}

function recordOf(
  { candidate, baseline, judged, compared }: GateInput,
  who: string,
  now: number,
): EvaluationRecord {
  const { qrels } = judged;
  return {
    digest: profileDigest(candidate.profile),
    at: new Date(now).toISOString(),
    who,
    queries: candidate.queries.length,
    judgements: [...qrels.values()].reduce((sum, { size }) => sum + size, 0),
    judged: judgedDigest(judged),
    measures: meanOf(candidate.queries),
    baseline: {
      name: baseline.profile.name,
      digest: profileDigest(baseline.profile),
      measures: meanOf(baseline.queries),
    },
    comparison: compared['nDCG@10'],
  };
}

function worse(name: string, { measures, baseline, comparison, queries }: EvaluationRecord): UsageError {
  const [own, other] = [measures, baseline.measures].map((mean) => mean['nDCG@10'].toFixed(4));
  const p = `p ${comparison.p.toFixed(4)} over ${queries} ${queries === 1 ? 'query' : 'queries'}`;
  const few =
    queries < LEAST_QUERIES ? ` With fewer than ${LEAST_QUERIES} judged queries, every loss counts.` : '';
  return new UsageError(
    'worse-profile',
    `not published: ${name} is worse than ${baseline.name}, nDCG@10 ${own} instead of ${other} (${p}).${few} Change the profile, or judge more queries.`,
  );
}
