/**
 * Chooses between the results of a query as typed and those of its correction. Both queries are only ranked for this;
 * snippets and other details are read afterwards, for the chosen results.
 *
 * If a query has no results, or was almost certainly misspelled (judge-correction.ts), the results of the corrected
 * query are chosen, and `spelling.automatic` is true. For other queries the results of the typed query are chosen,
 * and a correction is offered if it has better results.
 */
import type { QueryEvidence } from '../../searcher.ts';
import type { Correction } from './correct-query.ts';
import { isBetter, isMuchBetter, mayBeMisspelled } from './judge-correction.ts';

/** The results of a query in their final order. */
export interface RankedQuery {
  total: number;
  /** True if results are missing, because of the time limit for example. Such a query is not corrected. */
  partial: boolean;
  evidence: QueryEvidence | null;
}

interface SpellingSteps<Ranked> {
  /** Ranks the results of a query. */
  rank(query: string): Promise<Ranked>;
  /** Returns the corrected query; null if there is nothing to correct. */
  correct(query: string): Correction | null;
  /** Returns true if two queries have the same results on their first pages. */
  haveSameResults(one: Ranked, other: Ranked): boolean;
  /** Returns true for the error of a search for which there is no time. */
  isLate(error: unknown): boolean;
}

export interface SpellingChoice<Ranked> {
  ranked: Ranked;
  /** The correction; null if the query is meant as typed. */
  spelling: { query: string; automatic: boolean } | null;
}

export async function chooseSpelling<Ranked extends RankedQuery>(
  query: string,
  steps: SpellingSteps<Ranked>,
): Promise<SpellingChoice<Ranked>> {
  const typed = await steps.rank(query);
  const asTyped = { ranked: typed, spelling: null };
  if (typed.partial || (typed.evidence && !mayBeMisspelled(typed.evidence))) return asTyped;
  const correction = steps.correct(query);
  const corrected = correction && (await rankInTime(correction.query, steps));
  if (!corrected || corrected.total === 0 || steps.haveSameResults(typed, corrected)) return asTyped;
  const spelling = { query: correction.query, automatic: true };
  if (isMeant(correction, typed, corrected)) return { ranked: corrected, spelling };
  const isOffered = !typed.evidence || !corrected.evidence || isBetter(typed.evidence, corrected.evidence);
  return isOffered ? { ranked: typed, spelling: { ...spelling, automatic: false } } : asTyped;
}

/** Ranks the corrected query. Returns null if there is no time for it. */
async function rankInTime<Ranked>(query: string, steps: SpellingSteps<Ranked>): Promise<Ranked | null> {
  try {
    return await steps.rank(query);
  } catch (error) {
    if (steps.isLate(error)) return null;
    throw error;
  }
}

function isMeant(correction: Correction, typed: RankedQuery, corrected: RankedQuery): boolean {
  if (typed.total === 0) return true;
  const isKnown = typed.evidence !== null && corrected.evidence !== null;
  return isKnown && isMuchBetter(correction, typed.evidence!, corrected.evidence!);
}
