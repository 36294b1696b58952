/**
 * Adds the routes whose requests search or take as much time as a search: pages, copies of pages, feeds, the
 * JSON API. Each route has these guards in this order: the rate limit of the client; for the JSON API the CORS
 * rule and a key (if configured); and the admission queue.
 */

import { type FastifyCorsOptions, fastifyCors } from '@fastify/cors';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Log } from '../base/mod.ts';
import { answerApiRoutes, answerPageRoutes } from './answers/mod.ts';
import {
  apiRoutes,
  openApiRoutes,
  openSearchSuggestRoutes,
  pagesApiRoutes,
  suggestApiRoutes,
  suggestRoutes,
} from './api/mod.ts';
import { cachedRoutes } from './cached/mod.ts';
import { type ChangeFeed, changesRoutes } from './changes/mod.ts';
import { type Guards, guardLoad, limitSearches, requireKey } from './guards/mod.ts';
import { explainRoutes, feedRoutes, imageApiRoutes, searchRoutes } from './results/mod.ts';
import type { ServeLimits, ServerContext } from './server-context.ts';

const PREFLIGHT_SECONDS = 600;

export function addSearchRoutes(
  server: FastifyInstance,
  site: ServerContext,
  limits: ServeLimits,
  guards: Guards,
  { feed, log }: { feed: ChangeFeed | undefined; log: Log },
): void {
  const pages: FastifyPluginAsync = async (server) => {
    guardLoad(server, guards.queue);
    searchRoutes(server, site);
    suggestRoutes(server, site);
    explainRoutes(server, site);
    cachedRoutes(server, site);
    feedRoutes(server, site);
    openSearchSuggestRoutes(server, site);
    if (site.answerer) answerPageRoutes(server, site, site.answerer);
  };
  const api: FastifyPluginAsync = async (server) => {
    // The CORS rule must come before the key check, because a preflight request has no key.
    await allowOrigins(server, limits.origins);
    requireKey(server, limits.apiKeys, guards.wrongKeys);
    void server.register(queued);
    if (feed) void server.register(async (scope) => changesRoutes(scope, feed, log));
  };
  const queued: FastifyPluginAsync = async (server) => {
    guardLoad(server, guards.queue);
    apiRoutes(server, site);
    suggestApiRoutes(server, site);
    pagesApiRoutes(server, site);
    imageApiRoutes(server, site);
    if (site.answerer) answerApiRoutes(server, site, site.answerer);
  };
  const guarded: FastifyPluginAsync = async (server) => {
    limitSearches(server, guards);
    void server.register(pages);
    void server.register(api);
    openApiRoutes(server);
  };
  void server.register(guarded);
}

async function allowOrigins(server: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const rule: FastifyCorsOptions = {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD'],
    allowedHeaders: ['authorization', 'x-api-key'],
    exposedHeaders: ['retry-after'],
    maxAge: PREFLIGHT_SECONDS,
  };
  // The plugin would handle preflight requests for every path, so the rule is limited to /api/ here.
  await server.register(
    fastifyCors,
    () =>
      async ({ url }: FastifyRequest) =>
        url.startsWith('/api/') ? rule : { origin: false },
  );
}
