/** `/api/v1/admin/crawl`: how the crawl stands, and what it should do. Who may ask: admin-access.ts. */
import type { FastifyInstance } from 'fastify';
import { adminOnly } from './admin-access.ts';
import { RequestProblem } from './errors.ts';
import type { CrawlControl, Site } from './site.ts';

const ACTIONS = ['start', 'pause', 'resume', 'stop'] as const;
export type CrawlAction = (typeof ACTIONS)[number];

const BODY = {
  type: 'object',
  required: ['action'],
  additionalProperties: false,
  properties: { action: { type: 'string', enum: ACTIONS } },
};

export function crawlRoutes(server: FastifyInstance, site: Site, control: CrawlControl, token: string): void {
  const onRequest = adminOnly(token);
  server.get('/api/v1/admin/crawl', { onRequest }, () => ({ crawl: site.status() }));
  server.post<{ Body: { action: CrawlAction } }>(
    '/api/v1/admin/crawl',
    { onRequest, schema: { body: BODY } },
    async ({ body: { action } }, reply) => {
      const objection = control.act(action);
      if (objection !== null) throw new RequestProblem(409, 'not-possible', objection);
      // Heard within a second, and obeyed when the requests under way are through.
      return reply.code(202).send({ action, crawl: site.status() });
    },
  );
}
