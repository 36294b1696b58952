/**
 * For supervisors and load balancers. Alive: the process answers, so that it need not be started again. Ready: there is an
 * index and it is open, so that searchers may be sent here. An engine that has not indexed its first page yet is not
 * (docs/decisions/0218); an index that lost all its documents is: that nothing is found is the truth about it.
 */
import type { FastifyInstance } from 'fastify';
import { indexStats, type Site } from './site.ts';

export function healthRoutes(server: FastifyInstance, site: Site): void {
  server.get('/healthz', () => ({ status: 'alive', version: site.version }));
  server.get('/readyz', (_request, reply) => {
    const stats = indexStats(site);
    if (!stats) return reply.code(503).send({ status: 'not ready', reason: 'the index is not open' });
    if (stats.generation === 0)
      return reply.code(503).send({ status: 'not ready', reason: 'nothing is indexed yet' });
    return reply.send({ status: 'ready', documents: stats.docCount });
  });
}
