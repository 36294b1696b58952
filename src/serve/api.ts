/** The JSON interface. Errors are problem+json; see error-replies.ts. */
import type { FastifyInstance } from 'fastify';
import type { IndexStats, SearchResponse, SearchResult } from '../query/mod.ts';
import { SEARCH_SCHEMA, STATUS_SCHEMA } from './api-schemas.ts';
import {
  LISTING,
  type QueryParameters,
  readCursor,
  readRange,
  readSpelling,
  requireQuery,
} from './search-input.ts';
import { indexStats, type Site } from './site.ts';

export function apiRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Querystring: QueryParameters }>(
    '/api/v1/search',
    { schema: SEARCH_SCHEMA },
    async (request) => {
      const query = requireQuery(request.query);
      const place = { ...readRange(request.query), ...readCursor(request.query) };
      const rules = site.siteRules.length > 0 && { siteRules: site.siteRules };
      const how = { ...place, ...readSpelling(request.query), ...LISTING, ...rules };
      return publicResponse(await site.searcher.search({ query, ...how }));
    },
  );
  server.get('/api/v1/status', { schema: STATUS_SCHEMA }, () => ({
    version: site.version,
    index: publicStats(indexStats(site)),
    crawl: site.status(),
  }));
}

function publicStats(stats: IndexStats | null): IndexStats | null {
  if (!stats) return null;
  const { docCount, segmentCount, sizeBytes, generation } = stats;
  return { docCount, segmentCount, sizeBytes, generation };
}

/** Field by field: what a searcher carries besides these is its own and not promised to anyone. */
function publicResponse(response: SearchResponse): SearchResponse {
  const { query, total, tookMs, partial, notes, spelling, results, cursor } = response;
  return {
    query,
    total,
    tookMs,
    partial,
    notes,
    ...(spelling && { spelling: { query: spelling.query, automatic: spelling.automatic } }),
    results: results.map(publicResult),
    ...(cursor !== undefined && { cursor }),
  };
}

function publicResult(result: SearchResult): SearchResult {
  const { url, title, snippet, highlights, host, score, fetchedAt } = result;
  const { date, language, noCopy, moreFromSite, similar } = result;
  return {
    ...{ url, title, snippet, highlights, host, score, fetchedAt },
    ...(date !== undefined && { date }),
    ...(language !== undefined && { language }),
    ...(noCopy && { noCopy }),
    ...(moreFromSite && { moreFromSite }),
    ...(similar && { similar }),
  };
}
