/**
 * All that costs a search, or as much: pages, copies of pages, feeds, the JSON interface. Before each stand, in this order, the limit of its client
 * and the gate that keeps the server from taking on more than it can do; before the JSON interface also a key and the
 * rule of origins, where the operator wants them.
 */
import { type FastifyCorsOptions, fastifyCors } from '@fastify/cors';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { answerApiRoutes, answerPageRoutes } from './answer-routes.ts';
import { apiRoutes } from './api.ts';
import { requireKey } from './api-keys.ts';
import { cachedRoutes } from './cached/cached-page.ts';
import { limitClients } from './client-limits.ts';
import { guardLoad, LoadGate } from './load-gate.ts';
import { openApiRoutes } from './openapi.ts';
import { feedRoutes } from './result-feeds.ts';
import { searchRoutes } from './search-page.ts';
import type { ServeLimits, Site } from './site.ts';
import { openSearchSuggestRoutes, suggestApiRoutes } from './suggest-api.ts';
import { suggestRoutes } from './suggest-route.ts';
import { whyRoutes } from './why-page.ts';

export const NO_LIMITS: ServeLimits = { perMinute: 0, queue: 256, apiKeys: [], origins: [], proxies: [] };

/** Enough to keep a few searching threads busy; what waits beyond it is counted by the gate. */
const MAX_RUNNING = 16;
const PREFLIGHT_SECONDS = 600;

export function addSearchRoutes(server: FastifyInstance, site: Site, limits: ServeLimits): void {
  const gate = new LoadGate({ maxRunning: MAX_RUNNING, maxWaiting: limits.queue });
  const pages: FastifyPluginAsync = async (server) => {
    guardLoad(server, gate);
    searchRoutes(server, site);
    suggestRoutes(server, site);
    whyRoutes(server, site);
    cachedRoutes(server, site);
    feedRoutes(server, site);
    openSearchSuggestRoutes(server, site);
    if (site.answerer) answerPageRoutes(server, site, site.answerer);
  };
  const api: FastifyPluginAsync = async (server) => {
    // First of all: a question about origins comes without a key.
    await allowOrigins(server, limits.origins);
    requireKey(server, limits.apiKeys);
    guardLoad(server, gate);
    apiRoutes(server, site);
    suggestApiRoutes(server, site);
    if (site.answerer) answerApiRoutes(server, site, site.answerer);
  };
  const guarded: FastifyPluginAsync = async (server) => {
    limitClients(server, limits.perMinute);
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
  // The plugin hears the question of every address, also of those that the rule is not for.
  await server.register(
    fastifyCors,
    () =>
      async ({ url }: FastifyRequest) =>
        url.startsWith('/api/') ? rule : { origin: false },
  );
}
