/**
 * The server: routes, headers that hold for every answer, and a close that does not wait for ever.
 *
 * Pages load nothing from elsewhere and run no inline script: the content security policy says so, and
 * a page of ours that broke it would break visibly.
 */
import { randomBytes } from 'node:crypto';
import { fastifyCookie } from '@fastify/cookie';
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import { type Clock, systemCode, UsageError } from '../base/mod.ts';
import { followRoutes } from './allowed-methods.ts';
import { assetRoutes, loadAssets } from './assets.ts';
import { botRoutes } from './bot-page.ts';
import { crawlRoutes } from './crawl-routes.ts';
import { discoveryRoutes } from './discovery.ts';
import { createErrorReplies, onBrokenRequest } from './error-replies.ts';
import { acceptForms } from './form-body.ts';
import { healthRoutes } from './health.ts';
import { metricsRoutes } from './metrics-route.ts';
import { describeRoutes } from './openapi.ts';
import { parameterProblem } from './parameter-problem.ts';
import { preferencesRoutes } from './preferences-page.ts';
import { ruleRoutes } from './rule-routes.ts';
import { addSearchRoutes, NO_LIMITS } from './search-routes.ts';
import type { ServeOptions, Site } from './site.ts';
import { refuseForeignNames } from './site-address.ts';
import { iconRoutes } from './site-icon.ts';
import { startRoutes } from './start-page.ts';

/** Room for a query far over the limit, every character escaped, to be refused with a proper answer. */
const MAX_HEADER_BYTES = 256 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const CLOSE_GRACE_MS = 500;

const HEADERS: Record<string, string> = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  /** Nothing for others; our own forms need to show where they come from (form-body.ts). */
  'referrer-policy': 'same-origin',
  /** Or the browser would look up the hosts of all results before one is chosen. */
  'x-dns-prefetch-control': 'off',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  /** Answers change with the index; a route that knows better says so itself. */
  'cache-control': 'private, no-cache',
};

export function createServer(options: ServeOptions): FastifyInstance {
  const { searcher, version, contact, log, clock } = options;
  const limits = { ...NO_LIMITS, ...options.limits };
  const site: Site = {
    searcher,
    version,
    contact,
    assets: loadAssets(),
    archive: options.archive ?? null,
    details: options.details ?? null,
    iconOf: options.iconOf ?? (() => null),
    siteRules: options.siteRules ?? [],
    secret: options.secret ?? randomBytes(32).toString('base64url'),
    publicUrl: options.publicUrl ?? '',
    pageCacheBytes: options.pageCacheBytes ?? 0,
    clock,
    answerer: options.answerer ?? null,
    status: options.status ?? (() => null),
  };
  const replies = createErrorReplies(site, log, (path) => allowed(path));
  const server: FastifyInstance = Fastify({
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    requestTimeout: REQUEST_TIMEOUT_MS,
    clientErrorHandler: onBrokenRequest,
    schemaErrorFormatter: parameterProblem,
    ...(limits.proxies.length > 0 && { trustProxy: [...limits.proxies] }),
    frameworkErrors: (error, request, reply) => void replies.onError(error, request, reply.headers(HEADERS)),
  });
  const allowed = followRoutes(server);
  server.setErrorHandler(replies.onError);
  server.setNotFoundHandler(replies.onNotFound);
  server.addHook('onRequest', async (_request, reply) => void reply.headers(HEADERS));
  refuseForeignNames(server, site.publicUrl, options.isLocal ?? false);
  closeWithinGrace(server);
  acceptForms(server);
  // Without its hook: a cookie is read where one is wanted, in preferences.ts.
  void server.register(fastifyCookie, { hook: false });
  const { control, adminToken = '' } = options;
  describeRoutes(server, version, { key: limits.apiKeys.length > 0, token: adminToken !== '' });
  addRoutes(server, site, clock);
  // As a plugin, which is loaded after what describes its routes.
  const admin: FastifyPluginAsync = async (scope) => {
    if (control) crawlRoutes(scope, site, control, adminToken);
  };
  void server.register(admin);
  addSearchRoutes(server, site, limits);
  return server;
}

/** Starts to listen and returns the address, such as `http://127.0.0.1:8080`. Port 0 takes any free one. */
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

function addRoutes(server: FastifyInstance, site: Site, clock: Clock): void {
  metricsRoutes(server, site, clock);
  startRoutes(server, site);
  iconRoutes(server, site);
  preferencesRoutes(server, site);
  ruleRoutes(server, site);
  botRoutes(server, site);
  healthRoutes(server, site);
  discoveryRoutes(server, site);
  assetRoutes(server, site.assets);
}

/** A browser keeps silent connections open that count as neither idle nor busy; they would hold up `close`. */
function closeWithinGrace(server: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined;
  server.addHook('preClose', async () => {
    timer = setTimeout(() => server.server.closeAllConnections(), CLOSE_GRACE_MS);
  });
  server.addHook('onClose', async () => clearTimeout(timer));
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
