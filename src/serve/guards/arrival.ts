/**
 * Records the arrival time of each request. The time limit of its searches starts at that time and includes
 * time in queues.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/mod.ts';
import type { Arrival } from '../../query/mod.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The arrival time in milliseconds since 1970. */
    arrivedAt: number;
  }
}

/** Records the arrival time of each request. Must be called before any hook that makes requests wait. */
export function noteArrivals(server: FastifyInstance, clock: Clock): void {
  server.decorateRequest('arrivedAt', 0);
  server.addHook('onRequest', async (request) => {
    request.arrivedAt = clock.now();
  });
}

/** Returns the arrival time and the cancellation of a request. Every search for the request needs them. */
export function arrivalOf({ arrivedAt, raw }: FastifyRequest): Arrival {
  const isCancelled = () => raw.socket.destroyed === true;
  return arrivedAt > 0 ? { arrivedAt, isCancelled } : { isCancelled };
}
