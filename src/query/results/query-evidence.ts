/**
 * Computes figures that show how well the index answers a query, from the features of the first results. Spelling
 * correction uses them.
 */
import { featureNames, type Profile } from '../../scoring/mod.ts';
import type { QueryEvidence } from '../searcher.ts';
import type { GlobalStatistics, TermQuery } from '../terms/mod.ts';

/** The number of results whose features are used: one page of results. */
const FIRST_RESULTS = 10;

/**
 * Returns the figures for a query. `documents` are its results, best first. Returns null for ranking profiles
 * that lack the necessary features.
 */
export function queryEvidenceOf(
  { typed }: Pick<TermQuery, 'typed'>,
  { docCount, frequencies, idfs, weight }: GlobalStatistics,
  { model }: Pick<Profile, 'model'>,
  documents: readonly { features: readonly number[] }[],
): QueryEvidence | null {
  const names = featureNames(model);
  const [complete, heading] = [names.indexOf('complete'), names.indexOf('heading')];
  if (complete < 0 || heading < 0) return null;
  const first = documents.slice(0, FIRST_RESULTS);
  const greatest = (feature: number) => Math.max(0, ...first.map(({ features }) => features[feature] ?? 0));
  const unknown = idfs.reduce((sum, idf, word) => (frequencies[word] === 0 ? sum + idf : sum), 0);
  // The feature `complete` is the share of the query that a document has, raised to the power of the number of words.
  const share = greatest(complete) ** (1 / Math.max(1, idfs.length));
  const coverage = weight > 0 ? (share * weight) / (weight + unknown) : 0;
  const words = typed.map((own, word) => ({ typed: own, docCount: frequencies[word]! }));
  return { docCount, words, coverage, inHeadings: greatest(heading) };
}
