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
import { answerMessage, type McpServer, PROTOCOL_VERSIONS } from './protocol.ts';

export interface McpHttpOptions {
  origins: readonly string[];
  apiKeys: readonly string[];
  queue: number;
}

const PATH = '/mcp';
const MAX_RUNNING = 16;
const MAX_BODY_BYTES = 64 * 1024;
/** What clients of the first revision with this transport send, or do not send at all. */
const VERSIONS = new Set<string>([...PROTOCOL_VERSIONS, '2025-03-26']);

export function createMcpHttp(mcp: McpServer, options: McpHttpOptions): FastifyInstance {
  const server = Fastify({ bodyLimit: MAX_BODY_BYTES });
  server.setErrorHandler((error: Error & { statusCode?: number; status?: number }, _request, reply) => {
    const status = error.status ?? error.statusCode ?? 500;
    const message = status < 500 || status === 503 ? error.message : 'Something failed here.';
    return reply.code(status).send({ jsonrpc: '2.0', id: null, error: { code: -32000, message } });
  });
  server.addHook('onRequest', async ({ headers }) => {
    checkOrigin(headers.origin, options.origins);
    checkVersion(headers['mcp-protocol-version']);
  });
  requireKey(server, options.apiKeys);
  guardLoad(server, new LoadGate({ maxRunning: MAX_RUNNING, maxWaiting: options.queue }));
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  server.post<{ Body: string }>(PATH, async (request, reply) => {
    const answer = await answerMessage(mcp, request.body);
    if (!answer) return reply.code(202).send();
    return reply.code(answer.id === null ? 400 : 200).send(answer);
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

function checkVersion(version: string | string[] | undefined): void {
  if (version === undefined || VERSIONS.has(String(version))) return;
  throw new RequestProblem(
    400,
    'bad-version',
    `expected MCP-Protocol-Version ${PROTOCOL_VERSIONS.join(' or ')}`,
  );
}
