/** `/api/v1/admin/crawl`: how the crawl stands, and what it should do. Who may ask: admin-access.ts. */
import type { FastifyInstance } from 'fastify';
import { adminOnly } from './admin-access.ts';
import { CRAWL_ACTION_SCHEMA, type CRAWL_ACTIONS, CRAWL_SCHEMA } from './api-schemas.ts';
import { RequestProblem } from './errors.ts';
import type { CrawlControl, Site } from './site.ts';

export type CrawlAction = (typeof CRAWL_ACTIONS)[number];

export function crawlRoutes(server: FastifyInstance, site: Site, control: CrawlControl, token: string): void {
  const onRequest = adminOnly(token);
  const security = token === '' ? [] : [{ token: [] }];
  const schema = { ...CRAWL_SCHEMA, security };
  server.get('/api/v1/admin/crawl', { onRequest, schema }, () => ({ crawl: site.status() }));
  server.post<{ Body: { action: CrawlAction } }>(
    '/api/v1/admin/crawl',
    { onRequest, schema: { ...CRAWL_ACTION_SCHEMA, security } },
    async ({ body: { action } }, reply) => {
      const objection = control.act(action);
      if (objection !== null) throw new RequestProblem(409, 'not-possible', objection);
      return reply.code(202).send({ action, crawl: site.status() });
    },
  );
}
