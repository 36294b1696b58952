/**
 * Creates the HTTP server: its routes, the headers of every reply, and a `close` that does not wait long for
 * clients.
 *
 * Pages load nothing from other sites and run no inline script. The content security policy enforces this, so
 * a page that broke the rule would visibly fail.
 */

import { randomBytes } from 'node:crypto';
import { fastifyCookie } from '@fastify/cookie';
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import { type Clock, systemCode, UsageError } from '../base/mod.ts';
import { addAdminPages } from './admin/mod.ts';
import { describeRoutes, parameterProblem } from './api/mod.ts';
import { assetRoutes, loadAssets } from './assets/mod.ts';
import { GYRE } from './brand.ts';
import { createErrorReplies, onBrokenRequest } from './error-replies.ts';
import {
  type AdminAccess,
  addGuards,
  connectionOptions,
  followRoutes,
  type Guards,
  NO_LIMITS,
  noteArrivals,
} from './guards/mod.ts';
import { acceptOnlyForms, contentPolicy, nameRequests, RequestMetrics, requestIds } from './http/mod.ts';
import { iconRoutes } from './icons/mod.ts';
import {
  adminRoutes,
  archiveRoutes,
  cdxRoutes,
  clusterRoutes,
  crawlRoutes,
  healthRoutes,
  metricsRoutes,
  urlsRoute,
} from './operations/mod.ts';
import { discoveryRoutes, helpRoutes, startRoutes } from './pages/mod.ts';
import { preferencesRoutes, ruleRoutes } from './preferences/mod.ts';
import { addSearchRoutes } from './search-routes.ts';
import type { ServeOptions, ServerContext } from './server-context.ts';
import { botRoutes, indexNowRoutes, type SiteTools, siteRoutes } from './sites/mod.ts';
import { savedSearchRoutes, standingFeedRoutes } from './standing/mod.ts';

const HEADERS: Record<string, string> = {
  'content-security-policy': contentPolicy(),
  'x-content-type-options': 'nosniff',
  /**
   * Requests to other sites get no referrer. Requests from forms of this site must show their origin
   * (form-body.ts).
   */
  'referrer-policy': 'same-origin',
  /** Keeps browsers from looking up the hosts of all results before the searcher chooses one. */
  'x-dns-prefetch-control': 'off',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  /**
   * Makes browsers check for changes, because replies change with the index. Routes with other caching rules
   * override this header.
   */
  'cache-control': 'private, no-cache',
};

export function createServer(options: ServeOptions): FastifyInstance {
  const { searcher, version, contact, log, clock, brand = GYRE } = options;
  const limits = { ...NO_LIMITS, ...options.limits };
  const site: ServerContext = {
    searcher,
    version,
    contact,
    brand,
    assets: loadAssets(brand),
    archive: options.archive ?? null,
    standingOf: options.standingOf ?? null,
    details: options.details ?? null,
    iconOf: options.iconOf ?? (async () => null),
    siteRules: options.siteRules ?? [],
    showsPictures: options.showsPictures ?? false,
    familyFilter: options.familyFilter ?? 'moderate',
    elsewhere: options.elsewhere ?? [],
    secret: options.secret ?? randomBytes(32).toString('base64url'),
    publicUrl: options.publicUrl ?? '',
    pageCacheBytes: options.pageCacheBytes ?? 0,
    clock,
    answerer: options.answerer ?? null,
    standing: options.standing ?? null,
    status: options.status ?? (() => null),
  };
  const replies = createErrorReplies(site, log, (path) => allowed(path));
  const server: FastifyInstance = Fastify({
    ...connectionOptions(),
    clientErrorHandler: onBrokenRequest,
    schemaErrorFormatter: parameterProblem,
    ...(limits.proxies.length > 0 && { trustProxy: [...limits.proxies] }),
    genReqId: requestIds(limits.proxies.length > 0),
    frameworkErrors: (error, request, reply) =>
      guards.takeUnrouted(
        request,
        reply,
        (problem) => void replies.onError(problem ?? error, request, reply),
      ),
  });
  const allowed = followRoutes(server);
  server.setErrorHandler(replies.onError);
  server.setNotFoundHandler(replies.onNotFound);
  noteArrivals(server, clock);
  nameRequests(server, log);
  const { publicUrl } = site;
  const isLocal = options.isLocal ?? false;
  const guards = addGuards(server, { log, clock, limits, publicUrl, isLocal, headers: HEADERS });
  // The plugin's hook is off, because preferences.ts parses the cookie where it is needed.
  void server.register(fastifyCookie, { hook: false });
  const { admin, sites, adminToken: token = '' } = options;
  describeRoutes(server, version, { key: limits.apiKeys.length > 0, token: token !== '' });
  const requests = new RequestMetrics();
  addRoutes(server, site, { clock, guards, requests, sites });
  const allowsHttp = options.allowsAdminHttp ?? false;
  const isPublic = publicUrl !== '' || limits.proxies.length > 0;
  const accounts = admin?.accounts ?? null;
  const access = { publicUrl, allowsHttp, token, accounts, isPublic, wrong: guards.wrongTokens };
  addAdminRoutes(server, site, { options, access, guards });
  if (admin) {
    const { control, tools, directoryTools, clusterTools } = options;
    const work = { control, tools, directoryTools, clusterTools, sites };
    addAdminPages(server, site, { ...admin, ...work, publicUrl, allowsHttp, guards, requests });
  }
  addSearchRoutes(server, site, limits, guards, { feed: options.feed, log });
  return server;
}

/** Starts to listen and returns the address, such as `http://127.0.0.1:8080`. Port 0 selects any free port. */
export async function listen(
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (cause) {
    throw listenError(host, port, cause);
  }
}

interface RouteOptions {
  clock: Clock;
  guards: Guards;
  requests: RequestMetrics;
  sites: SiteTools | undefined;
}

function addRoutes(
  server: FastifyInstance,
  site: ServerContext,
  { clock, guards, requests, sites }: RouteOptions,
): void {
  metricsRoutes(server, site, clock, guards, requests);
  startRoutes(server, site);
  iconRoutes(server, site);
  const forms: FastifyPluginAsync = async (scope) => {
    acceptOnlyForms(scope);
    preferencesRoutes(scope, site);
    ruleRoutes(scope, site);
    if (sites) siteRoutes(scope, site, sites, guards.siteRequests);
    if (site.standing?.isOpen) savedSearchRoutes(scope, site, site.standing, guards.siteRequests);
  };
  void server.register(forms);
  botRoutes(server, site, sites, guards.siteRequests);
  if (sites?.hasOwners) indexNowRoutes(server, sites, guards.siteRequests);
  if (site.standing) standingFeedRoutes(server, site, site.standing);
  helpRoutes(server, site);
  healthRoutes(server, site);
  discoveryRoutes(server, site);
  assetRoutes(server, site.assets);
}

/** Adds the admin routes of the API as a plugin, so that they load after the plugin that describes routes. */
function addAdminRoutes(
  server: FastifyInstance,
  site: ServerContext,
  { options, access, guards }: { options: ServeOptions; access: AdminAccess; guards: Guards },
): void {
  const { control, tools, directoryTools, clusterTools, hasPublicCdx = false } = options;
  const routes: FastifyPluginAsync = async (scope) => {
    if (control) crawlRoutes(scope, site, control, access);
    if (tools) adminRoutes(scope, tools, directoryTools, access);
    if (directoryTools) archiveRoutes(scope, site, directoryTools, access);
    if (directoryTools) urlsRoute(scope, directoryTools, access);
    cdxRoutes(scope, site, access, hasPublicCdx, guards);
    if (clusterTools) clusterRoutes(scope, clusterTools, access);
  };
  void server.register(routes);
}

function listenError(host: string, port: number, cause: unknown): unknown {
  switch (systemCode(cause)) {
    case 'EADDRINUSE':
      return usage('port-in-use', `port ${port} is in use: stop the other program or choose one with --port`);
    case 'EACCES':
      return usage('port-forbidden', `port ${port} needs more rights: choose one above 1023 with --port`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return usage('host-unknown', `${host} is not an address of this machine: choose one with --host`);
    default:
      return cause;
  }

  function usage(code: string, message: string): UsageError {
    return new UsageError(code, message, { cause });
  }
}
