/** `POST /api/v1/admin/urls`: takes a batch of URLs from another program into the crawl. */
import type { FastifyInstance } from 'fastify';
import { URLS_SCHEMA } from '../api/mod.ts';
import { type AdminAccess, adminOnly, requesterOf } from '../guards/mod.ts';
import { type DirectoryTools, orProblem, type TakenUrl } from './admin-routes.ts';

const MAX_BODY_BYTES = 1024 * 1024;

export function urlsRoute(
  server: FastifyInstance,
  tools: Pick<DirectoryTools, 'takeUrls'>,
  access: AdminAccess,
): void {
  const security = access.token === '' ? [] : [{ token: [] }];
  server.addContentTypeParser('text/uri-list', { parseAs: 'string' }, (_request, body, done) =>
    done(null, linesOf(String(body))),
  );
  server.post<{ Body: string[] }>(
    '/api/v1/admin/urls',
    {
      onRequest: adminOnly(access, { lists: true }),
      schema: { ...URLS_SCHEMA, security },
      bodyLimit: MAX_BODY_BYTES,
    },
    async (request, reply) => {
      const urls = await orProblem(tools.takeUrls(request.body, requesterOf(request)));
      const count = (wanted: TakenUrl['status']) => urls.filter(({ status }) => status === wanted).length;
      const counts = { accepted: count('accepted'), known: count('known'), refused: count('refused') };
      return reply.code(202).send({ ...counts, urls });
    },
  );
}

/** Returns the lines of a list of URLs (RFC 2483), without comments and empty lines. */
function linesOf(body: string): string[] {
  return body
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
