/**
 * Serves MCP over streamable HTTP: each message is a POST to /mcp, and the reply is JSON. The server never
 * sends a message first, so it offers no stream (GET is 405). It keeps no state, so there are no sessions to
 * end.
 *
 * It has the same guards as the search page (guards.ts). In addition, requests from web pages are refused
 * unless their origin is allowed. Otherwise any web site could reach a server on the machine of its visitor
 * through the browser.
 */
import Fastify, { type FastifyInstance } from 'fastify';
import type { Clock, Log } from '../../base/mod.ts';
import { onBrokenRequest } from '../error-replies.ts';
import { RequestProblem } from '../errors.ts';
import { addGuards, connectionOptions, guardLoad, limitSearches, requireKey } from '../guards/mod.ts';
import type { ServeLimits } from '../server-context.ts';
import {
  answerRequest,
  ErrorCode,
  failure,
  type JsonRpcReply,
  type McpRequest,
  type McpServer,
  readMessage,
} from './protocol.ts';
import { headerFault } from './request-headers.ts';

interface McpHttpOptions {
  limits: ServeLimits;
  publicUrl: string;
  /** True if only this machine may reach the server; see site-address.ts. */
  isLocal: boolean;
  log: Log;
  clock: Clock;
}

const PATH = '/mcp';
const MAX_BODY_BYTES = 64 * 1024;
const HEADERS = { 'x-content-type-options': 'nosniff' };

export function createMcpHttp(mcp: McpServer, options: McpHttpOptions): FastifyInstance {
  const { limits } = options;
  const server: FastifyInstance = Fastify({
    ...connectionOptions(),
    bodyLimit: MAX_BODY_BYTES,
    clientErrorHandler: onBrokenRequest,
    ...(limits.proxies.length > 0 && { trustProxy: [...limits.proxies] }),
  });
  server.setErrorHandler((error: Error & { statusCode?: number; status?: number }, _request, reply) => {
    const status = error.status ?? error.statusCode ?? 500;
    const message = status < 500 || status === 503 ? error.message : 'Something failed here.';
    const code = status < 500 ? ErrorCode.request : ErrorCode.internal;
    return reply.code(status).send(failure(null, code, message));
  });
  const guards = addGuards(server, { ...options, headers: HEADERS });
  limitSearches(server, guards);
  server.addHook('onRequest', async ({ headers }) => checkOrigin(headers.origin, limits.origins));
  requireKey(server, limits.apiKeys, guards.wrongKeys);
  guardLoad(server, guards.queue);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  server.post<{ Body: string }>(PATH, async (request, reply) => {
    const message = readMessage(request.body);
    if (!message) return reply.code(202).send();
    if (!('method' in message)) return reply.code(400).send(message);
    const fault = headerFault(request.headers, message);
    if (fault) return reply.code(400).send(fault);
    const answer = await answerRequest(mcp, message);
    return reply.code(statusOf(message, answer)).send(answer);
  });
  server.route({
    method: ['GET', 'DELETE'],
    url: PATH,
    handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
  });
  return server;
}

function checkOrigin(origin: string | undefined, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return;
  throw new RequestProblem(
    403,
    'origin-refused',
    `Pages of ${origin} may not ask; serve.origins names who may.`,
  );
}

/**
 * Returns the HTTP status of a reply. Earlier protocol revisions use status 200 for the reply to every valid
 * message.
 */
function statusOf({ version, method }: McpRequest, { error }: JsonRpcReply): number {
  if (!error || (version === '' && method !== 'server/discover')) return 200;
  return error.code === ErrorCode.method ? 404 : 400;
}
