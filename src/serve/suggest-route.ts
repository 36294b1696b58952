/** What the search box asks for while someone types. The title of a page on a site that they block is no suggestion. */
import type { FastifyInstance } from 'fastify';
import { type QueryParameters, readQuery } from './search-input.ts';
import type { Site } from './site.ts';
import { viewOf } from './view.ts';

const SHOWN = 8;

export function suggestRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Querystring: QueryParameters }>('/suggest', async (request, reply) => {
    reply.header('vary', 'cookie');
    const { judge } = viewOf(site, request);
    const prefix = readQuery(request.query);
    const suggestions = prefix === '' ? [] : ((await site.searcher.suggest?.(prefix, SHOWN)) ?? []);
    const allowed = suggestions.filter(({ url }) => !judge.blocks(URL.parse(url ?? '')?.hostname ?? ''));
    return { suggestions: allowed.slice(0, SHOWN).map(({ text, url }) => ({ text, url })) };
  });
}
