/**
 * Ranks a query or, if that is what the searcher meant, its correction; assistance/spelling/choose-spelling.ts
 * decides.
 */
import { type Correction, chooseSpelling, type RankedQuery, type SpellingChoice } from '../assistance/mod.ts';
import { LateError } from '../deadline.ts';
import type { SearchRequest } from '../searcher.ts';
import type { TermQuery } from '../terms/mod.ts';
import { haveSameResults, type RankedResults } from './list-results.ts';

/** Corrects the misspelled words of a query; returns null if there are none. */
export type CorrectQuery = (query: string) => Correction | null;

export interface RankedAnswer extends RankedQuery {
  query: TermQuery;
  /** Null if the query has no word and no condition, and therefore no results. */
  results: RankedResults | null;
}

/**
 * Returns the ranked answer to a request. A later page has results of the corrected query if the first page was
 * corrected automatically. To find out, the first page is ranked again.
 */
export async function rankMeant(
  request: SearchRequest,
  rank: (request: SearchRequest) => Promise<RankedAnswer>,
  correct: CorrectQuery | null,
): Promise<SpellingChoice<RankedAnswer>> {
  const isFirst = request.offset === 0 && request.cursor === undefined;
  if (request.asTyped || !correct || (!isFirst && !correct(request.query)))
    return { ranked: await rank(request), spelling: null };
  const { cursor: _, ...rest } = request;
  const choice = await chooseSpelling(request.query, {
    rank: (query) => rank({ ...rest, offset: 0, query }),
    correct,
    haveSameResults: haveSameAnswers,
    isLate: (error) => error instanceof LateError,
  });
  if (isFirst) return choice;
  const spelling = choice.spelling?.automatic ? choice.spelling : null;
  return { ranked: await rank({ ...request, query: spelling?.query ?? request.query }), spelling };
}

function haveSameAnswers(one: RankedAnswer, other: RankedAnswer): boolean {
  if (!one.results || !other.results) return one.results === other.results;
  return haveSameResults(one.results, other.results);
}
