/**
 * For supervisors. Alive: the process answers. Ready: the searcher is open, so that a search gets a
 * true answer. An index without documents is ready too: that nothing is found is the truth about it.
 */
import type { FastifyInstance } from 'fastify';
import { indexStats, type Site } from './site.ts';

export function healthRoutes(server: FastifyInstance, site: Site): void {
  server.get('/healthz', () => ({ status: 'alive', version: site.version }));
  server.get('/readyz', (_request, reply) => {
    const stats = indexStats(site);
    if (!stats) return reply.code(503).send({ status: 'not ready', reason: 'the index is not open' });
    return reply.send({ status: 'ready', documents: stats.docCount });
  });
}
