/**
 * What is sent when a request fails: problem+json (RFC 9457) below /api/, a page everywhere else.
 * Faults of ours are logged with their message; the one who asked learns only that there was one.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Log, messageOf } from '../base/mod.ts';
import { RequestProblem } from './errors.ts';
import { html } from './html.ts';
import { renderPage } from './layout.ts';
import type { Site } from './site.ts';
import { type View, viewOf } from './view.ts';
import type { MessageKey } from './words/words.ts';

export interface ErrorReplies {
  onError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply;
  onNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** Codes of problems that have a heading of their own, `problem.CODE` among the messages. */
const HEADINGS = new Set([
  'query-too-long',
  'bad-parameter',
  'bad-request',
  'not-found',
  'bad-rules',
  'too-many-rules',
  'foreign-form',
  'bad-url',
]);

const MAX_SHOWN_QUERY = 2000;

export function createErrorReplies(site: Site, log: Log): ErrorReplies {
  return {
    onError(error, request, reply) {
      const problem = problemOf(error);
      // What we refuse ourselves, as too much, is no fault.
      if (problem.status >= 500 && problem !== error) {
        const stack = error instanceof Error ? error.stack : undefined;
        log.error('request failed', { route: request.routeOptions.url, error: messageOf(error), stack });
      }
      return sendProblem(site, problem, request, reply);
    },
    onNotFound(request, reply) {
      const problem = new RequestProblem(404, 'not-found', 'There is no page at this address.');
      return sendProblem(site, problem, request, reply);
    },
  };
}

/** For requests that are too broken to be routed: Node's parser refused them. Answers on the bare socket. */
export function onBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const status = brokenStatus(error.code);
  const body = `${status} ${STATUS_CODES[status]}\n`;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain\r\nConnection: close`;
  socket.end(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

function brokenStatus(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

function problemOf(error: unknown): RequestProblem {
  if (error instanceof RequestProblem) return error;
  const status = statusOf(error);
  if (status < 500) return new RequestProblem(status, 'bad-request', `${messageOf(error)}.`);
  return new RequestProblem(
    status,
    'internal',
    'Something failed here. It has been noted; please try again.',
  );
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 600 ? status : 500;
}

function sendProblem(site: Site, problem: RequestProblem, request: FastifyRequest, reply: FastifyReply) {
  reply.code(problem.status);
  if (request.url.startsWith('/api/')) {
    const { status, code, message: detail } = problem;
    const body = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, code };
    return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(body));
  }
  return reply
    .type('text/html; charset=utf-8')
    .send(renderProblem(viewOf(site, request), problem, typedQuery(request)));
}

/** What the box goes on holding; what is too long to be a query is not worth it. */
function typedQuery({ query }: FastifyRequest): string {
  const typed = (query as { q?: unknown } | undefined)?.q;
  return typeof typed === 'string' && typed.length <= MAX_SHOWN_QUERY ? typed : '';
}

function renderProblem(view: View, problem: RequestProblem, query: string): string {
  const { words } = view;
  const code = HEADINGS.has(problem.code) ? problem.code : 'other';
  const heading = words.text(`problem.${code}` as MessageKey);
  const main = html`<section class="notice">
<p class="code">${problem.status}</p>
<h1>${heading}</h1>
<p lang="en" dir="auto">${problem.message}</p>
<p><a href="/">${words.text('problem.start')}</a></p>
</section>`;
  return renderPage(view, { title: heading, query, main });
}
