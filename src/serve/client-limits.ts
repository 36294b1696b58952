/**
 * How much one client may ask, by address; of IPv6 by its first 64 bits, as a household has all of the rest. Clients on
 * this machine are not counted: behind a proxy that is not named in the configuration all the world would be one.
 */
import { fastifyRateLimit } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { problemInWords } from './errors.ts';

const HOUSEHOLD_BITS = 64;
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
const REMEMBERED_CLIENTS = 20_000;

/** Must be registered before the routes that it is for: it listens for them. */
export function limitClients(server: FastifyInstance, perMinute: number): void {
  if (perMinute === 0) return;
  void server.register(fastifyRateLimit, {
    max: perMinute,
    timeWindow: 60_000,
    cache: REMEMBERED_CLIENTS,
    ipv6Subnet: HOUSEHOLD_BITS,
    allowList: (request) => LOOPBACK.test(request.ip),
    errorResponseBuilder: (_request, { max, ttl }) =>
      problemInWords(429, 'too-many-requests', 'detail.tooManyRequests', {
        limit: max,
        count: Math.ceil(ttl / 1000),
      }),
  });
}
