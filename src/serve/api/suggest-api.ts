/**
 * Serves suggestions to programs: in the JSON format of Gyre, and in the OpenSearch format that browsers
 * request.
 */

import type { FastifyInstance } from 'fastify';
import { type QueryParameters, readTyped } from '../http/mod.ts';
import type { ServerContext } from '../server-context.ts';
import { SUGGEST_SCHEMA } from './api-schemas.ts';
import { suggestFor } from './suggest-route.ts';

const PRESET_LIMIT = 8;
const SUGGESTIONS_TYPE = 'application/x-suggestions+json; charset=utf-8';

type SuggestParameters = QueryParameters & { limit?: number };

export function suggestApiRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get<{ Querystring: SuggestParameters }>(
    '/api/v1/suggest',
    { schema: SUGGEST_SCHEMA },
    async (request, reply) => {
      const query = readTyped(request.query);
      const limit = Number(request.query.limit ?? PRESET_LIMIT);
      return { query, suggestions: await suggestFor(site, request, reply, query, limit) };
    },
  );
}

/**
 * Serves suggestions for the search box of the browser, without an API key: `["que", ["query", "question"]]`.
 */
export function openSearchSuggestRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get<{ Querystring: QueryParameters }>('/opensearch-suggest', async (request, reply) => {
    const query = readTyped(request.query);
    const suggestions = await suggestFor(site, request, reply, query, PRESET_LIMIT);
    return reply.type(SUGGESTIONS_TYPE).send(JSON.stringify([query, suggestions.map(({ text }) => text)]));
  });
}
