/**
 * Serves files to programs: `/api/v1/admin/record` (one record of the archive), `/api/v1/admin/wacz` (the pages of a list
 * of results), `/api/v1/admin/politeness` (the politeness ledger), and `/cdx`, with which replay tools find captures.
 */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { CDX_MATCHES, type CdxEntry, type CdxMatch, type CdxQuery, encodeCdx } from '../../archive/mod.ts';
import { POLITENESS_SCHEMA, RECORD_SCHEMA, WACZ_SCHEMA } from '../api/mod.ts';
import { RequestProblem } from '../errors.ts';
import { type AdminAccess, adminOnly, type Guards, guardLoad, limitSearches } from '../guards/mod.ts';
import type { ServerContext } from '../server-context.ts';
import { type DirectoryTools, orProblem } from './admin-routes.ts';

export function archiveRoutes(
  server: FastifyInstance,
  site: ServerContext,
  tools: DirectoryTools,
  access: AdminAccess,
): void {
  const onRequest = adminOnly(access);
  const security = access.token === '' ? [] : [{ token: [] }];
  server.get<{ Querystring: { url: string; at?: string } }>(
    '/api/v1/admin/record',
    { onRequest, schema: { ...RECORD_SCHEMA, security } },
    async ({ query: { url, at = '' } }, reply) => {
      const record = await orProblem(tools.record(url, at));
      if (!record) throw new RequestProblem(404, 'no-record', 'The archive has no such record.');
      return sendFile(reply, record.name, record.bytes);
    },
  );
  server.get<{ Querystring: { format: 'csv' | 'json' } }>(
    '/api/v1/admin/politeness',
    { onRequest, schema: { ...POLITENESS_SCHEMA, security } },
    async ({ query: { format } }, reply) => {
      reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
      return reply.send(Buffer.from(await orProblem(tools.politenessFile(format))));
    },
  );
  server.get<{ Querystring: { q: string; limit: number } }>(
    '/api/v1/admin/wacz',
    { onRequest, schema: { ...WACZ_SCHEMA, security } },
    async ({ query: { q, limit } }, reply) => {
      const { results } = await site.searcher.search({ query: q, offset: 0, limit, asTyped: true });
      return sendFile(reply, 'results.wacz', await orProblem(tools.wacz(results)));
    },
  );
}

/** Sends a file that browsers save instead of showing it. The header has only safe characters of its name. */
export function sendFile(reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply {
  return reply
    .type('application/octet-stream')
    .header('content-disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"`)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

const MAX_CAPTURES = 10_000;
const DEFAULT_CAPTURES = 1_000;

/**
 * Adds `/cdx` if the archive is in files of this machine. Without `isPublic`, only clients with admin access may use
 * it, because it lists every URL that was ever fetched.
 */
export function cdxRoutes(
  server: FastifyInstance,
  { archive }: ServerContext,
  access: AdminAccess,
  isPublic: boolean,
  guards: Guards,
): void {
  if (!archive?.captures) return;
  const find = archive.captures.bind(archive);
  const routes: FastifyPluginAsync = async (scope) => {
    limitSearches(scope, guards);
    guardLoad(scope, guards.queue);
    scope.get('/cdx', isPublic ? {} : { onRequest: adminOnly(access) }, async (request, reply) => {
      const query = readQuery(request);
      const found = await find(query);
      if (found.kind !== 'captures')
        throw new RequestProblem(503, 'overloaded', 'The archive is busy; try again in a moment.');
      const isJson = (request.query as Record<string, unknown>).output === 'json';
      const render = isJson ? (entry: CdxEntry) => JSON.stringify(jsonOf(entry)) : encodeCdx;
      reply.type(isJson ? 'application/x-ndjson; charset=utf-8' : 'text/x-cdxj; charset=utf-8');
      return reply.send(found.captures.map((entry) => `${render(entry)}\n`).join(''));
    });
  };
  void server.register(routes);
}

function readQuery({ query }: FastifyRequest): CdxQuery {
  const given = query as Record<string, string | string[] | undefined>;
  const { matchType = 'exact', filter = [] } = given;
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : '');
  // A star at the end of the URL, or before its host, is the short form of a match type.
  const raw = text('url');
  const short = raw.startsWith('*.') ? 'domain' : raw.endsWith('*') ? 'prefix' : String(matchType);
  const url = raw.replace(/^\*\.|\*$/g, '');
  const match = CDX_MATCHES.find((each) => each === short);
  if (url === '' || !match)
    throw new RequestProblem(400, 'bad-cdx', `Expected url=… and matchType=${CDX_MATCHES.join('|')}.`);
  const times = ['from', 'to', 'closest'].map(text);
  if (times.some((time) => !/^\d{0,14}$/.test(time)))
    throw new RequestProblem(400, 'bad-cdx', 'Expected times of up to 14 digits, such as 20260102.');
  const limit = text('limit') === '' ? DEFAULT_CAPTURES : Number(text('limit'));
  if (!Number.isInteger(limit) || limit < 1)
    throw new RequestProblem(400, 'bad-cdx', 'Expected limit to be a number above 0.');
  const [from, to, closest] = times as [string, string, string];
  const isLimited = { limit: Math.min(limit, MAX_CAPTURES), filters: [filter].flat() };
  return {
    url: /^https?:/i.test(url) ? url : `http://${url}`,
    matchType: match as CdxMatch,
    from,
    to,
    closest,
    ...isLimited,
  };
}

/** Returns a capture with the field names of other CDX servers. */
function jsonOf({ url, timestamp, mime, status, digest, length, offset, filename }: CdxEntry): object {
  const [urlkey] = encodeCdx({ url, timestamp, mime, status, digest, length, offset, filename }).split(
    ' ',
    1,
  );
  const place = { digest, length: String(length), offset: String(offset), filename };
  return { urlkey, timestamp, url, mime, status: status === 0 ? '-' : String(status), ...place };
}
