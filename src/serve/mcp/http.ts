/**
 * The protocol over streamable HTTP: a message a POST to /mcp, answered as JSON. The server never speaks first, so it
 * offers no stream (GET is 405), and as it keeps nothing there are no sessions to end.
 *
 * A browser tells which page is asking: pages of origins that are not allowed are refused, or any web site could reach
 * a server on the same machine through the browser of its visitor.
 */
import Fastify, { type FastifyInstance } from 'fastify';
import { requireKey } from '../api-keys.ts';
import { RequestProblem } from '../errors.ts';
import { guardLoad, LoadGate } from '../load-gate.ts';
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

export interface McpHttpOptions {
  origins: readonly string[];
  apiKeys: readonly string[];
  queue: number;
}

const PATH = '/mcp';
const MAX_RUNNING = 16;
const MAX_BODY_BYTES = 64 * 1024;

export function createMcpHttp(mcp: McpServer, options: McpHttpOptions): FastifyInstance {
  const server = Fastify({ bodyLimit: MAX_BODY_BYTES });
  server.setErrorHandler((error: Error & { statusCode?: number; status?: number }, _request, reply) => {
    const status = error.status ?? error.statusCode ?? 500;
    const message = status < 500 || status === 503 ? error.message : 'Something failed here.';
    const code = status < 500 ? ErrorCode.request : ErrorCode.internal;
    return reply.code(status).send(failure(null, code, message));
  });
  server.addHook('onRequest', async ({ headers }) => checkOrigin(headers.origin, options.origins));
  requireKey(server, options.apiKeys);
  guardLoad(server, new LoadGate({ maxRunning: MAX_RUNNING, maxWaiting: options.queue }));
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

/** Earlier revisions have only one for what was a message at all. */
function statusOf({ version, method }: McpRequest, { error }: JsonRpcReply): number {
  if (!error || (version === '' && method !== 'server/discover')) return 200;
  return error.code === ErrorCode.method ? 404 : 400;
}
