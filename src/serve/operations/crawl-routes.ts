/**
 * Serves `/api/v1/admin/crawl`: the state of the crawl, and commands such as pause. admin-access.ts decides
 * which clients may use it.
 */
import type { FastifyInstance } from 'fastify';
import { CRAWL_ACTION_SCHEMA, type CRAWL_ACTIONS, CRAWL_SCHEMA } from '../api/mod.ts';
import { RequestProblem } from '../errors.ts';
import { type AdminAccess, adminOnly } from '../guards/mod.ts';
import { type CrawlControl, type ServerContext, shownStatus } from '../server-context.ts';

export type CrawlAction = (typeof CRAWL_ACTIONS)[number];

export function crawlRoutes(
  server: FastifyInstance,
  site: ServerContext,
  control: CrawlControl,
  access: AdminAccess,
): void {
  const onRequest = adminOnly(access);
  const security = access.token === '' ? [] : [{ token: [] }];
  const schema = { ...CRAWL_SCHEMA, security };
  server.get('/api/v1/admin/crawl', { onRequest, schema }, () => ({ crawl: shownStatus(site) }));
  server.post<{ Body: { action: CrawlAction } }>(
    '/api/v1/admin/crawl',
    { onRequest, schema: { ...CRAWL_ACTION_SCHEMA, security } },
    async ({ body: { action } }, reply) => {
      const objection = control.act(action);
      if (objection !== null) throw new RequestProblem(409, 'not-possible', objection);
      return reply.code(202).send({ action, crawl: shownStatus(site) });
    },
  );
}
