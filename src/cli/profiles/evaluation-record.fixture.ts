/** The record of an evaluation in which a profile was as good as the default, for tests. */
import { DEFAULT_PROFILE, METRICS, type Measures, type Profile, profileDigest } from '../../scoring/mod.ts';
import type { EvaluationRecord } from './evaluation-record.ts';

export function recordOf(profile: Profile, difference = 0, p = 1): EvaluationRecord {
  const measures = Object.fromEntries(METRICS.map((metric) => [metric, 0.5])) as Measures;
  return {
    digest: profileDigest(profile),
    at: '2026-01-02T03:04:05.000Z',
    who: 'cli:ann',
    queries: 20,
    judgements: 200,
    judged: 'sha1:A',
    measures,
    baseline: { name: 'default', digest: profileDigest(DEFAULT_PROFILE), measures },
    comparison: { difference, p },
  };
}
