/**
 * Rate limits: the number of requests that one client may send per minute. A client is an IPv4 address, or
 * the first 64 bits of an IPv6 address, because one household has all addresses in such a network.
 *
 * All clients share one window: after a minute every count starts again at zero. The counts are therefore one
 * map that is replaced, and every refused client receives the same Retry-After time. A client can send up to
 * twice the limit within a short time around the end of a window, which does no harm.
 *
 * Limits with `exemptLoopback` do not apply to clients on this machine. These are programs of the operator
 * or, if a local proxy is not listed in `serve.proxies`, all clients of that proxy. The limits for wrong
 * tokens and keys apply to all clients.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/mod.ts';
import { problemInWords, type RequestProblem } from '../errors.ts';
import type { Refusals } from './refusals.ts';

const WINDOW_MS = 60_000;
/**
 * The maximum number of clients that are counted in one minute. If there are more, the oldest counts are
 * dropped.
 */
const MAX_CLIENTS = 20_000;
const LOOPBACK_V6 = '::1';
const LOOPBACK_V4 = /^127\./;

export class RateLimit {
  /** The limit per minute; 0 for no limit. */
  readonly perMinute: number;
  readonly #refusals: Refusals;
  readonly #clock: Clock;
  #counts = new Map<string, number>();
  #windowStart = Number.NEGATIVE_INFINITY;

  constructor(perMinute: number, refusals: Refusals, clock: Clock) {
    this.perMinute = perMinute;
    this.#refusals = refusals;
    this.#clock = clock;
  }

  /** Counts the request if it is within the limit; otherwise returns the problem to reply with. */
  take(request: FastifyRequest, reply: FastifyReply): RequestProblem | null {
    const problem = this.check(request, reply);
    if (!problem) this.count(request);
    return problem;
  }

  count({ ip }: FastifyRequest): void {
    if (this.perMinute === 0) return;
    const counts = this.#currentCounts();
    const client = clientOf(ip);
    const count = counts.get(client) ?? 0;
    if (count === 0 && counts.size >= MAX_CLIENTS) counts.delete(counts.keys().next().value!);
    counts.set(client, count + 1);
  }

  /** Returns the problem to reply with if the client has reached the limit. Does not count the request. */
  check({ ip }: FastifyRequest, reply: FastifyReply): RequestProblem | null {
    if (this.perMinute === 0) return null;
    const client = clientOf(ip);
    if ((this.#currentCounts().get(client) ?? 0) < this.perMinute) return null;
    this.#refusals.count(client);
    const seconds = Math.ceil((this.#windowStart + WINDOW_MS - this.#clock.now()) / 1000);
    reply.header('retry-after', seconds);
    const values = { limit: this.perMinute, count: seconds };
    return problemInWords(429, 'too-many-requests', 'detail.tooManyRequests', values);
  }

  #currentCounts(): Map<string, number> {
    const now = this.#clock.now();
    if (now >= this.#windowStart + WINDOW_MS || now < this.#windowStart) {
      this.#windowStart = now;
      this.#counts = new Map();
    }
    return this.#counts;
  }
}

/**
 * Returns the method `take` of a limit, except that requests from this machine are neither counted nor refused.
 */
export function exemptLoopback(limit: RateLimit): RateLimit['take'] {
  return (request, reply) => (isLoopbackClient(clientOf(request.ip)) ? null : limit.take(request, reply));
}

export function isLoopbackClient(client: string): boolean {
  return client === LOOPBACK_V6 || LOOPBACK_V4.test(client);
}

/**
 * Returns the client of an IP address. Maps `192.0.2.1` to itself, every address in `2001:db8:0:1::/64` to
 * `2001:db8:0:1::`, and `::ffff:127.0.0.1` to `127.0.0.1`.
 */
export function clientOf(ip: string): string {
  if (!ip.includes(':')) return ip;
  if (ip === LOOPBACK_V6) return ip;
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i.exec(ip);
  if (mapped) return mapped[1] ?? dotted(mapped[2]!, mapped[3]!);
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail?.split(':') ?? [])];
  const network = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, '').toLowerCase());
  return `${network.join(':')}::`;
}

/** Writes the two last groups of an IPv4-mapped address as an IPv4 address: `c000`, `201` as `192.0.2.1`. */
function dotted(high: string, low: string): string {
  const value = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}
