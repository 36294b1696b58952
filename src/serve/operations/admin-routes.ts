/**
 * Serves `/api/v1/admin/inspect`, the whole life of a URL, and `/api/v1/admin/removals`, the list of removed
 * pages and changes of this list. admin-access.ts decides which clients may use them.
 */
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import { INSPECT_SCHEMA, REMOVAL_CHANGE_SCHEMA, REMOVALS_SCHEMA } from '../api/mod.ts';
import { RequestProblem } from '../errors.ts';
import { type AdminAccess, adminOnly, requesterOf } from '../guards/mod.ts';

export interface InspectRequest {
  url: string;
  /** The query to explain; null for none. */
  query: string | null;
  /** The place of the result with which the URL is compared; null for the result directly above the URL. */
  below: number | null;
}

export interface RemovalRequest {
  action: 'remove' | 'allow';
  targets: string[];
  /** True to delete every byte of the pages, too. */
  purge: boolean;
  /** The name of the client that made the request, for the audit log. */
  who: string;
}

/** The work behind the admin routes. Methods reject with a UsageError if the request makes no sense. */
export interface AdminTools {
  inspect(request: InspectRequest): Promise<object>;
  removals(): Promise<object>;
  /** Changes the list of removals. It is carried out after the response. */
  change(request: RemovalRequest): Promise<object>;
}

interface InspectQuery {
  url: string;
  query?: string;
  below?: number;
}

type RemovalBody = Pick<RemovalRequest, 'action' | 'targets'> & { purge?: boolean };

export function adminRoutes(server: FastifyInstance, tools: AdminTools, access: AdminAccess): void {
  const onRequest = adminOnly(access);
  const security = access.token === '' ? [] : [{ token: [] }];
  const options = <T extends object>(schema: T) => ({ onRequest, schema: { ...schema, security } });
  server.get<{ Querystring: InspectQuery }>(
    '/api/v1/admin/inspect',
    options(INSPECT_SCHEMA),
    ({ query: { url, query = null, below = null } }) => orProblem(tools.inspect({ url, query, below })),
  );
  server.get('/api/v1/admin/removals', options(REMOVALS_SCHEMA), () => orProblem(tools.removals()));
  server.post<{ Body: RemovalBody }>(
    '/api/v1/admin/removals',
    options(REMOVAL_CHANGE_SCHEMA),
    async (request, reply) => {
      const { action, targets, purge = false } = request.body;
      return reply
        .code(202)
        .send(await orProblem(tools.change({ action, targets, purge, who: requesterOf(request) })));
    },
  );
}

/** Turns a UsageError, which says what the client can do, into a response with status 400; 503 if a service is away. */
export async function orProblem<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const status = error.code === 'service-unreachable' ? 503 : 400;
    throw new RequestProblem(status, error.code, error.message);
  }
}
