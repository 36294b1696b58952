/** The arrival time of a request. The time limit of its searches starts then and includes time in queues. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/mod.ts';
import type { Arrival } from '../../query/mod.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds since 1970. */
    arrivedAt: number;
  }
}

/** Must be called before any hook that makes requests wait. */
export function noteArrivals(server: FastifyInstance, clock: Clock): void {
  server.decorateRequest('arrivedAt', 0);
  server.addHook('onRequest', async (request) => {
    request.arrivedAt = clock.now();
  });
}

/** Pass the result to every search for this request. */
export function arrivalOf({ arrivedAt, raw }: FastifyRequest): Arrival {
  const isCancelled = () => raw.socket.destroyed === true;
  return arrivedAt > 0 ? { arrivedAt, isCancelled } : { isCancelled };
}
