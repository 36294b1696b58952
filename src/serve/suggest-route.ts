/** What the search box asks for while someone types. */
import type { FastifyInstance } from 'fastify';
import { type QueryParameters, readQuery } from './search-input.ts';
import type { Site } from './site.ts';

const SHOWN = 8;

export function suggestRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Querystring: QueryParameters }>('/suggest', async (request) => {
    const prefix = readQuery(request.query);
    const suggestions = prefix === '' ? [] : ((await site.searcher.suggest?.(prefix, SHOWN)) ?? []);
    return { suggestions: suggestions.slice(0, SHOWN).map(({ text, url }) => ({ text, url })) };
  });
}
