/**
 * The record of the evaluation by which a ranking profile has passed the gate. It is stored in the file of the profile.
 *
 * The gate: a profile passes unless its mean nDCG@10 over the judged queries is worse than that of the baseline, which is
 * the profile in force. A loss counts as worse if it is significant. With few queries no loss can be significant, so
 * with fewer than LEAST_QUERIES every loss counts.
 */
import { METRICS, type Measures, type ProfileComparison, SIGNIFICANT } from '../../scoring/mod.ts';

export interface EvaluationRecord {
  /** The digest of the profile that was evaluated; see `profileDigest`. */
  digest: string;
  /** The time in ISO 8601. */
  at: string;
  who: string;
  queries: number;
  judgements: number;
  /** The digest of the judged queries. */
  judged: string;
  measures: Measures;
  baseline: { name: string; digest: string; measures: Measures };
  /** The difference of the mean nDCG@10 to that of the baseline, and its p. */
  comparison: ProfileComparison;
}

export const LEAST_QUERIES = 10;
/** Means that differ by less are equal: adding the same numbers in another order may change a sum by this amount. */
const ROUNDING = 1e-9;

/** Returns true if a profile that differs from the baseline in this way does not pass the gate. */
export function failsGate({ difference, p }: ProfileComparison, queries: number): boolean {
  return difference < -ROUNDING && (p < SIGNIFICANT || queries < LEAST_QUERIES);
}

/** Returns the record in the JSON of a profile; null if there is none or it lacks a part. */
export function recordIn(value: unknown): EvaluationRecord | null {
  const record = (value ?? {}) as Partial<EvaluationRecord>;
  const { digest, at, who, queries, judgements, judged, measures, baseline, comparison } = record;
  const isWhole =
    [digest, at, who, judged, baseline?.name, baseline?.digest].every((text) => typeof text === 'string') &&
    [queries, judgements, comparison?.difference, comparison?.p].every(Number.isFinite) &&
    [measures, baseline?.measures].every((all) => METRICS.every((metric) => Number.isFinite(all?.[metric])));
  return isWhole ? (record as EvaluationRecord) : null;
}
