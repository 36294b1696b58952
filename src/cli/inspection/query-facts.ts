/** Explains the place of a URL in the results of a query, and compares it with a result above it. */
import type { Searcher, SearchResult } from '../../query/mod.ts';
import type { ScoreBreakdown } from '../../scoring/mod.ts';
import type { CanonicalUrl, SiteRule } from '../../url/mod.ts';
import type { NoScore, QueryFacts } from './inspection.ts';

/** Number of results among which the URL is searched. */
const LISTED = 100;
/** Maximum number of results of one host, the same as on a results page. */
const PER_HOST = 2;

interface Asked {
  below: number | null;
  isIndexed: boolean;
  siteRules: readonly SiteRule[];
}

/**
 * `below` is the place of the result with which the URL is compared. By default this is the result directly
 * above the URL, or the last result if the URL is not in the list.
 */
export async function readQueryFacts(
  searcher: Searcher,
  url: CanonicalUrl,
  query: string,
  { below, isIndexed, siteRules }: Asked,
): Promise<QueryFacts> {
  const listing = { offset: 0, limit: LISTED, perHost: PER_HOST, collapse: true, asTyped: true };
  const { results, total } = await searcher.search({ query, siteRules, ...listing });
  const place = placeOf(results, (result) => result.url === url);
  const own = (await searcher.explain?.(query, url)) ?? null;
  const above = await explainAt(searcher, query, results, below ?? (place ?? results.length + 1) - 1);
  return {
    query,
    total,
    place,
    listed: results.length,
    similarTo: placeOf(results, ({ similar = [], translations = [] }) =>
      [...similar, ...translations.map((translation) => translation.url)].includes(url),
    ),
    own,
    noScore: own ? null : await whyNoScore(searcher, query, url, isIndexed, above),
    above,
  };
}

function placeOf(results: readonly SearchResult[], isIt: (result: SearchResult) => boolean): number | null {
  const at = results.findIndex(isIt);
  return at < 0 ? null : at + 1;
}

async function explainAt(
  searcher: Searcher,
  query: string,
  results: readonly SearchResult[],
  place: number,
): Promise<QueryFacts['above']> {
  const url = results[place - 1]?.url;
  const breakdown = url === undefined ? null : await searcher.explain?.(query, url as CanonicalUrl);
  return breakdown ? { place, url: url!, breakdown } : null;
}

async function whyNoScore(
  searcher: Searcher,
  query: string,
  url: CanonicalUrl,
  isIndexed: boolean,
  above: QueryFacts['above'],
): Promise<NoScore> {
  if (!isIndexed) return { code: 'not-in-index' };
  const match = await explainWithin(searcher, query, url);
  if (match && !match.byMeaning) return { code: 'not-a-candidate' };
  const words = above?.breakdown.terms.map(({ term }) => term) ?? [];
  const had = words.length === 0 ? null : await explainWithin(searcher, words.join(' OR '), url);
  const has = new Set(had?.terms.map(({ term }) => term));
  return { code: 'no-match', missing: words.filter((word) => !has.has(word)) };
}

/**
 * Explains the score for the query, limited to pages at the URL and below it. With so few competing pages, the
 * document is likely to be among the candidates.
 */
async function explainWithin(
  searcher: Searcher,
  query: string,
  url: CanonicalUrl,
): Promise<ScoreBreakdown | null> {
  return (await searcher.explain?.(`site:${url} (${query})`, url)) ?? null;
}
