/**
 * Sends error replies: problem+json (RFC 9457) below /api/, an HTML page for all other paths. A request that
 * is refused with 429 or 503 outside /api/ gets one line of text, because rendering a page would add to the
 * load. Internal errors are logged with their message; the client receives only the status and a general
 * sentence.
 */

import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GyreError, type Log, messageOf } from '../base/mod.ts';
import { type Detail, problemInWords, RequestProblem } from './errors.ts';
import type { AllowedMethods } from './guards/mod.ts';
import { type Html, html } from './html.ts';
import { renderPage } from './layout.ts';
import { isMessage, type Words, wordsFor } from './messages/mod.ts';
import { type View, viewOf } from './request-context.ts';
import type { ServerContext } from './server-context.ts';
import { plain } from './shown-text.ts';

interface ErrorReplies {
  onError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply;
  onNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

const MAX_SHOWN_QUERY = 2000;
const OVERLOADED = 'overloaded';
/** The codes of errors that are temporary: a later request may succeed. */
const BUSY = new Set([OVERLOADED, 'query-late', 'index-unreachable']);
const RETRY_SECONDS = 1;

export function createErrorReplies(site: ServerContext, log: Log, allowed: AllowedMethods): ErrorReplies {
  return {
    onError(error, request, reply) {
      const problem = problemOf(error);
      // A refusal because of overload is expected and is not logged as an error.
      if (problem.status >= 500 && problem !== error && problem.code !== OVERLOADED) {
        const stack = error instanceof Error ? error.stack : undefined;
        const { id, routeOptions } = request;
        log.error('request failed', { request: id, route: routeOptions.url, error: messageOf(error), stack });
      }
      return sendProblem(site, problem, request, reply);
    },
    onNotFound(request, reply) {
      const methods = allowed(request.url.split('?', 1)[0]!).join(', ');
      if (methods === '')
        return sendProblem(site, problemInWords(404, 'not-found', 'detail.notFound'), request, reply);
      reply.header('allow', methods);
      if (request.method === 'OPTIONS') return reply.code(204).send();
      const problem = problemInWords(405, 'bad-method', 'detail.method', { method: request.method, methods });
      return sendProblem(site, problem, request, reply);
    },
  };
}

/**
 * Replies to requests that the HTTP parser of Node.js rejects. They reach no route, so the reply is written
 * to the socket.
 */
export function onBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const status = brokenStatus(error.code);
  const body = `${status} ${STATUS_CODES[status]}\n`;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain\r\nConnection: close`;
  // Without `destroy`, the half-closed connection would stay open for as long as the client sends.
  socket.end(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`, () => socket.destroy());
}

function brokenStatus(code: string | undefined): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

function problemOf(error: unknown): RequestProblem {
  if (error instanceof RequestProblem) return error;
  if (error instanceof GyreError && BUSY.has(error.code))
    return problemInWords(503, OVERLOADED, 'detail.overloaded');
  const status = statusOf(error);
  if (status >= 500) return problemInWords(status, 'internal', 'detail.internal');
  const key = status === 413 ? 'detail.tooLarge' : 'detail.unreadable';
  return new RequestProblem(status, 'bad-request', `${messageOf(error)}.`, { key, values: {} });
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 600 ? status : 500;
}

function sendProblem(
  site: ServerContext,
  problem: RequestProblem,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  reply.code(problem.status);
  if (problem.code === OVERLOADED) reply.header('retry-after', RETRY_SECONDS);
  if (request.url.startsWith('/api/')) {
    const { status, code, message: detail } = problem;
    const body = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, code };
    return reply.type('application/problem+json; charset=utf-8').send(JSON.stringify(body));
  }
  if (problem.status === 429 || problem.status === 503) return sendLine(problem, request, reply);
  return reply
    .type('text/html; charset=utf-8')
    .send(renderProblem(viewOf(site, request), problem, typedQuery(request)));
}

function sendLine({ message, detail }: RequestProblem, request: FastifyRequest, reply: FastifyReply) {
  const words = wordsFor(request.headers['accept-language'] ?? '');
  const line = detail ? words.text(detail.key, detail.values) : message;
  return reply.type('text/plain; charset=utf-8').header('content-language', words.tag).send(`${line}\n`);
}

/** Returns the query to keep in the search box; empty if it is longer than MAX_SHOWN_QUERY. */
function typedQuery({ query }: FastifyRequest): string {
  const typed = (query as { q?: unknown } | undefined)?.q;
  return typeof typed === 'string' && typed.length <= MAX_SHOWN_QUERY ? typed : '';
}

function renderProblem(view: View, problem: RequestProblem, query: string): string {
  const { words } = view;
  const key = `problem.${problem.code}`;
  const heading = words.text(isMessage(key) ? key : 'problem.other');
  const main = html`<section class="notice">
<p class="code">${problem.status}</p>
<h1>${heading}</h1>
${problem.detail ? inWords(words, problem.detail) : html`<p lang="en" dir="auto">${problem.message}</p>`}
${wayOn(words, problem.code)}
</section>`;
  return renderPage(view, { title: heading, query, main });
}

/**
 * Returns the link of the error page: to the form for site rules if the problem is about these rules, otherwise
 * to the start page.
 */
function wayOn(words: Words, code: string): Html {
  if (code === 'bad-rules' || code === 'too-many-rules')
    return html`<p><a href="/preferences#rules">${words.text('problem.rules')}</a></p>`;
  return html`<p><a href="/">${words.text('problem.start')}</a></p>`;
}

/**
 * Renders the message of a problem. Text from the request is isolated with `<bdi>`, so that its direction
 * does not affect the sentence around it.
 */
function inWords(words: Words, { key, values }: Detail): Html {
  const isolated = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : html`<bdi>${plain(value)}</bdi>`,
  ]);
  return html`<p>${words.markup(key, Object.fromEntries(isolated))}</p>`;
}
