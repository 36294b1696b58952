/**
 * Serves suggestions for the search box on Gyre's pages. Titles of pages on sites that the searcher blocks
 * are left out.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Suggestion } from '../../query/mod.ts';
import { type QueryParameters, readTyped, varyBy } from '../http/mod.ts';
import { viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';

const SHOWN = 8;

export function suggestRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get<{ Querystring: QueryParameters }>('/suggest', async (request, reply) => {
    const suggestions = await suggestFor(site, request, reply, readTyped(request.query), SHOWN);
    return { suggestions: suggestions.map(({ text, url }) => ({ text, url })) };
  });
}

/**
 * Returns up to `limit` suggestions that the site rules of the operator and of the searcher allow. The searcher's
 * rules are in the cookie, so the `Vary` header names the cookie.
 */
export async function suggestFor(
  site: ServerContext,
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
