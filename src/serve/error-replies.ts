/**
 * What is sent when a request fails: problem+json (RFC 9457) below /api/, a page everywhere else.
 * Faults of ours are logged with their message; the one who asked learns only that there was one.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Log, messageOf } from '../base/mod.ts';
import type { AllowedMethods } from './allowed-methods.ts';
import { type Detail, problemInWords, RequestProblem } from './errors.ts';
import { type Html, html } from './html.ts';
import { renderPage } from './layout.ts';
import { plain } from './shown-text.ts';
import type { Site } from './site.ts';
import { type View, viewOf } from './view.ts';
import { isMessage, type Words } from './words/words.ts';

export interface ErrorReplies {
  onError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply;
  onNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

const MAX_SHOWN_QUERY = 2000;

export function createErrorReplies(site: Site, log: Log, allowed: AllowedMethods): ErrorReplies {
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
  if (status >= 500) return problemInWords(status, 'internal', 'detail.internal');
  const key = status === 413 ? 'detail.tooLarge' : 'detail.unreadable';
  return new RequestProblem(status, 'bad-request', `${messageOf(error)}.`, { key, values: {} });
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

/** Who was at their rules goes on there. */
function wayOn(words: Words, code: string): Html {
  if (code === 'bad-rules' || code === 'too-many-rules')
    return html`<p><a href="/preferences#rules">${words.text('problem.rules')}</a></p>`;
  return html`<p><a href="/">${words.text('problem.start')}</a></p>`;
}

/** What came from outside keeps its own direction inside the sentence. */
function inWords(words: Words, { key, values }: Detail): Html {
  const isolated = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : html`<bdi>${plain(value)}</bdi>`,
  ]);
  return html`<p>${words.markup(key, Object.fromEntries(isolated))}</p>`;
}
