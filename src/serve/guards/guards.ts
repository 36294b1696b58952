/**
 * Installs the guards in front of every route of a server, in this order: connection limits, headers of every
 * reply, accepted host names, rate limit per client. Guards that apply only to some routes are created here
 * too, and are installed by the code that adds these routes.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, Log } from '../../base/mod.ts';
import type { Gauge } from '../http/mod.ts';
import type { ServeLimits } from '../server-context.ts';
import { AdmissionQueue } from './admission-queue.ts';
import { Connections, guardConnections } from './connections.ts';
import { clientOf, exemptLoopback, isLoopbackClient, RateLimit } from './rate-limit.ts';
import { Refusals } from './refusals.ts';
import { refuseForeignNames } from './site-address.ts';

interface GuardOptions {
  log: Log;
  clock: Clock;
  limits: ServeLimits;
  publicUrl: string;
  isLocal: boolean;
  headers: Readonly<Record<string, string>>;
}

export interface Guards {
  /** The admission queue for routes that search or cost as much as a search. */
  queue: AdmissionQueue;
  searches: RateLimit;
  wrongTokens: RateLimit;
  wrongKeys: RateLimit;
  /** Limits how often a client may try to sign in, with a right or a wrong password. */
  signIns: RateLimit;
  /** Limits the requests of site owners, because they may send requests to other hosts. */
  siteRequests: RateLimit;
  gauges(): Gauge[];
  /** Applies the guards to requests that match no route. The hooks of routes do not run for these requests. */
  takeUnrouted(request: FastifyRequest, reply: FastifyReply, proceed: (problem: Error | null) => void): void;
}

/**
 * The number of requests that a client may send per allowed search. A page of results loads about ten icons,
 * and typing a query requests suggestions.
 */
const REQUESTS_PER_SEARCH = 10;
const WRONG_PER_MINUTE = 10;
const SITE_REQUESTS_PER_MINUTE = 30;

/** The time that requests in flight have to finish after `close`. */
const CLOSE_GRACE_MS = 500;

export const NO_LIMITS: ServeLimits = {
  perMinute: 0,
  maxQueuedRequests: 256,
  apiKeys: [],
  origins: [],
  proxies: [],
};

/**
 * Closes all connections soon after `close` is called. Otherwise idle connections of browsers, and requests
 * whose bodies arrive slowly, would delay the end of the program.
 */
function closeWithinGrace(server: FastifyInstance): void {
  let timer: NodeJS.Timeout | undefined;
  server.addHook('preClose', async () => {
    timer = setTimeout(() => server.server.closeAllConnections(), CLOSE_GRACE_MS);
  });
  server.addHook('onClose', async () => clearTimeout(timer));
}

/** Installs the guards. Must be called before hooks and routes are added. */
export function addGuards(server: FastifyInstance, options: GuardOptions): Guards {
  const { log, clock, limits, publicUrl, isLocal, headers } = options;
  const refusals: Refusals[] = [];
  const refusalsFor = (reason: string) => {
    const kind = new Refusals(reason, log);
    refusals.push(kind);
    return kind;
  };
  const byRate = refusalsFor('rate-limit');
  const requests = exemptLoopback(new RateLimit(REQUESTS_PER_SEARCH * limits.perMinute, byRate, clock));
  const queue = new AdmissionQueue({ maxWaiting: limits.maxQueuedRequests }, refusalsFor('overload'));
  const connections = new Connections(refusalsFor('connection'));
  const guards: Guards = {
    queue,
    searches: new RateLimit(limits.perMinute, byRate, clock),
    wrongTokens: new RateLimit(WRONG_PER_MINUTE, refusalsFor('wrong-token'), clock),
    wrongKeys: new RateLimit(WRONG_PER_MINUTE, refusalsFor('wrong-key'), clock),
    signIns: new RateLimit(WRONG_PER_MINUTE, refusalsFor('sign-in'), clock),
    siteRequests: new RateLimit(SITE_REQUESTS_PER_MINUTE, refusalsFor('site-request'), clock),
    gauges: () => gaugesOf(refusals, queue, connections),
    takeUnrouted: (request, reply, proceed) =>
      connections.take(request, reply, () => {
        reply.headers(headers);
        proceed(requests(request, reply));
      }),
  };
  guardConnections(server, connections);
  closeWithinGrace(server);
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  refuseForeignNames(server, publicUrl, isLocal);
  if (limits.proxies.length === 0) warnOfUnnamedProxy(server, log);
  limitRate(server, requests);
  return guards;
}

/**
 * Warns if requests come through a local proxy that is not configured. All clients of such a proxy look like
 * programs on this machine, which are exempt from the rate limits.
 */
function warnOfUnnamedProxy(server: FastifyInstance, log: Log): void {
  let isWarned = false;
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers, ip } = request;
    const forwarding = headers['x-forwarded-for'] ?? headers['x-real-ip'] ?? headers.forwarded;
    if (!isWarned && forwarding !== undefined && isLoopbackClient(clientOf(ip))) {
      isWarned = true;
      const advice = 'name it in serve.proxies, or no client is limited';
      log.warn('request through an unlisted proxy', { proxy: ip, advice });
    }
    done();
  });
}

/**
 * Applies the rate limit of searches to the routes that are added to `server` after this call. The limit for all
 * requests applies to these routes, too.
 */
export function limitSearches(server: FastifyInstance, { searches }: Guards): void {
  limitRate(server, exemptLoopback(searches));
}

function limitRate(server: FastifyInstance, take: RateLimit['take']): void {
  server.addHook('onRequest', (request, reply, done) => done(take(request, reply) ?? undefined));
}

function gaugesOf(refusals: readonly Refusals[], queue: AdmissionQueue, connections: Connections): Gauge[] {
  const refused = refusals.map(({ reason, total }) => ({
    name: 'gyre_http_refused_total',
    help: 'Requests and connections refused, by reason.',
    value: total,
    labels: { reason },
  }));
  return [
    ...refused,
    { name: 'gyre_admission_running', help: 'Requests that have a slot.', value: queue.running },
    { name: 'gyre_admission_waiting', help: 'Requests that wait for a slot.', value: queue.waiting },
    {
      name: 'gyre_http_unread_bytes',
      help: 'Bytes of replies that clients have not read yet.',
      value: connections.unreadBytes,
    },
  ];
}
