/** The JSON interface. Errors are problem+json; see error-replies.ts. */
import type { FastifyInstance } from 'fastify';
import type { SearchResponse, SearchResult } from '../query/mod.ts';
import { RequestProblem } from './errors.ts';
import { type QueryParameters, readQuery, readRange, readSpelling } from './search-input.ts';
import { indexStats, type Site } from './site.ts';

export function apiRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Querystring: QueryParameters }>('/api/v1/search', async (request) => {
    const query = readQuery(request.query);
    if (query === '') throw new RequestProblem(400, 'query-missing', 'The parameter q holds no query.');
    const how = { ...readRange(request.query), ...readSpelling(request.query) };
    return publicResponse(await site.searcher.search({ query, ...how }));
  });
  server.get('/api/v1/status', () => ({
    version: site.version,
    index: indexStats(site),
    crawl: site.status(),
  }));
}

/** Field by field: what a searcher carries besides these is its own and not promised to anyone. */
function publicResponse(response: SearchResponse): SearchResponse {
  const { query, total, tookMs, partial, notes, spelling, results } = response;
  const answer = { query, total, tookMs, partial, notes, results: results.map(publicResult) };
  return spelling
    ? { ...answer, spelling: { query: spelling.query, automatic: spelling.automatic } }
    : answer;
}

function publicResult(result: SearchResult): SearchResult {
  const { url, title, snippet, highlights, host, score, fetchedAt } = result;
  return { url, title, snippet, highlights, host, score, fetchedAt };
}
