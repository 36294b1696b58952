/** Computes from the ranking of a query how well the index answers it. */
import { featureNames, type Profile } from '../../scoring/mod.ts';
import type { QueryEvidence } from '../searcher.ts';
import type { GlobalStatistics, TermQuery } from '../terms/mod.ts';

/** The number of results whose features are examined: a page of results. */
const FIRST_RESULTS = 10;

/** `features` has the features of each document, best first. Returns null for profiles without these features. */
export function queryEvidenceOf(
  { typed }: Pick<TermQuery, 'typed'>,
  { docCount, frequencies, idfs, weight }: GlobalStatistics,
  { model }: Pick<Profile, 'model'>,
  features: readonly (readonly number[])[],
): QueryEvidence | null {
  const at = featureNames(model).indexOf('complete');
  if (at < 0) return null;
  const unknown = idfs.reduce((sum, idf, word) => (frequencies[word] === 0 ? sum + idf : sum), 0);
  const complete = Math.max(0, ...features.slice(0, FIRST_RESULTS).map((values) => values[at] ?? 0));
  // The feature `complete` is the share of the query that a document has, raised to the power of the number of words.
  const share = complete ** (1 / Math.max(1, idfs.length));
  const coverage = weight > 0 ? (share * weight) / (weight + unknown) : 0;
  const words = typed.map((own, word) => ({ typed: own, docCount: frequencies[word]! }));
  return { docCount, words, coverage };
}
