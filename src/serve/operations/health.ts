/**
 * Serves health checks for supervisors and load balancers. `/healthz` says that the process responds and need
 * not be restarted. `/readyz` says that there is an open index, so that requests may be routed to this server.
 * An engine that has not indexed its first page is not ready (docs/decisions/0036). If all documents of the
 * index were removed, the engine is still ready, because an empty list of results is then correct.
 */
import type { FastifyInstance } from 'fastify';
import { indexStats, type ServerContext } from '../server-context.ts';

export function healthRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get('/healthz', () => ({ status: 'alive', version: site.version }));
  server.get('/readyz', (_request, reply) => {
    const stats = indexStats(site);
    if (!stats) return reply.code(503).send({ status: 'not ready', reason: 'the index is not open' });
    if (stats.generation === 0)
      return reply.code(503).send({ status: 'not ready', reason: 'the index is empty' });
    return reply.send({ status: 'ready', documents: stats.docCount });
  });
}
