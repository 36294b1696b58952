/** What the search box asks for while someone types. The title of a page on a site that they block is no suggestion. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Suggestion } from '../query/mod.ts';
import { type QueryParameters, readTyped } from './search-input.ts';
import type { Site } from './site.ts';
import { varyBy } from './vary.ts';
import { viewOf } from './view.ts';

const SHOWN = 8;

export function suggestRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Querystring: QueryParameters }>('/suggest', async (request, reply) => {
    const suggestions = await suggestFor(site, request, reply, readTyped(request.query), SHOWN);
    return { suggestions: suggestions.map(({ text, url }) => ({ text, url })) };
  });
}

/** As many as wanted, by the rules of the operator and of whoever asks: the cookie makes the answer theirs. */
export async function suggestFor(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  typed: string,
  limit: number,
): Promise<Suggestion[]> {
  varyBy(reply, 'cookie');
  if (typed === '' || !site.searcher.suggest) return [];
  const { judge } = viewOf(site, request);
  const isBlocking = judge.sites('block').length > 0;
  const suggestions = await site.searcher.suggest(typed, isBlocking ? 2 * limit : limit);
  return suggestions.filter(({ url }) => !judge.blocks(URL.parse(url ?? '')?.hostname ?? '')).slice(0, limit);
}
