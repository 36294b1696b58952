/** The JSON API: search and status. Errors are problem+json; see error-replies.ts. */

import type { FastifyInstance } from 'fastify';
import { FAMILY_LEVELS, type IndexStats, type SearchResponse, type SearchResult } from '../../query/mod.ts';
import { arrivalOf } from '../guards/mod.ts';
import {
  LISTING,
  type QueryParameters,
  readChoice,
  readCursorParameter,
  readLanguage,
  readRange,
  readSpelling,
  requireQuery,
  varyBy,
  withFilters,
} from '../http/mod.ts';
import { languageFor, noteText } from '../messages/mod.ts';
import { indexStats, type ServerContext, shownStatus } from '../server-context.ts';
import { SEARCH_SCHEMA, STATUS_SCHEMA } from './api-schemas.ts';

export function apiRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get<{ Querystring: QueryParameters }>(
    '/api/v1/search',
    { schema: SEARCH_SCHEMA },
    async (request, reply) => {
      varyBy(reply, 'accept-language');
      const typed = requireQuery(request.query);
      const filter = readLanguage(request.query);
      const query = withFilters(filter === '' ? '' : `lang:${filter}`, typed);
      const place = { ...readRange(request.query), ...readCursorParameter(request.query) };
      const rules = site.siteRules.length > 0 && { siteRules: site.siteRules };
      const language = languageFor(request.headers['accept-language'] ?? '');
      const preferred = language !== '' && { preferredLanguage: language };
      const family = readChoice(request.query, 'family', FAMILY_LEVELS);
      const level = family !== '' && { family };
      const passage = { passage: true } as const;
      const how = {
        ...place,
        ...passage,
        ...level,
        ...readSpelling(request.query),
        ...LISTING,
        ...rules,
        ...preferred,
      };
      return publicResponse(await site.searcher.search({ query, ...how, ...arrivalOf(request) }));
    },
  );
  server.get('/api/v1/status', { schema: STATUS_SCHEMA }, () => ({
    version: site.version,
    index: publicStats(indexStats(site)),
    crawl: shownStatus(site),
  }));
}

function publicStats(stats: IndexStats | null): IndexStats | null {
  if (!stats) return null;
  const { docCount, segmentCount, sizeBytes, generation } = stats;
  return { docCount, segmentCount, sizeBytes, generation };
}

/**
 * Returns the fields of a search response that are part of the API. The other fields of the searcher's
 * response are internal.
 */
function publicResponse(response: SearchResponse): Omit<SearchResponse, 'notes'> & { notes: string[] } {
  const { query, total, tookMs, partial, notes, spelling, results, familyHidden, facets, cursor } = response;
  const { passage } = response;
  return {
    query,
    total,
    tookMs,
    partial,
    notes: notes.map(noteText),
    ...(spelling && { spelling: { query: spelling.query, automatic: spelling.automatic } }),
    results: results.map(publicResult),
    ...(passage && { passage }),
    ...(familyHidden !== undefined && { familyHidden }),
    ...(facets && { facets }),
    ...(cursor !== undefined && { cursor }),
  };
}

function publicResult(result: SearchResult): SearchResult {
  const { url, title, snippet, highlights, host, score, fetchedAt } = result;
  const { date, language, format, noCopy, moreFromSite, similar, translations } = result;
  return {
    ...{ url, title, snippet, highlights, host, score, fetchedAt },
    ...(date !== undefined && { date }),
    ...(language !== undefined && { language }),
    ...(format !== undefined && { format }),
    ...(noCopy && { noCopy }),
    ...(moreFromSite && { moreFromSite }),
    ...(similar && { similar }),
    ...(translations && { translations }),
  };
}
