/**
 * Serves the sample web over HTTP, on the loopback address only.
 *
 * Documents are third-party text with raw HTML in it. The Content-Security-Policy allows only inline styles
 * and the icon of the host, so no third-party script runs and no image is fetched from other hosts.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BoundedCache, type Log, messageOf, sha1Base32, systemCode, UsageError } from '../base/mod.ts';
import { buildHosts } from './package-hosts.ts';
import { scanPackages } from './package-scan.ts';
import { DIRECTORY_HOST } from './pages.ts';
import { type SampleResponse, SampleSite } from './site.ts';

export interface SampleWebOptions {
  /** Folders of packages (`node_modules`) or single packages. Packages nested in them are found too. */
  roots: readonly string[];
  /** The port; by default any free port. */
  port?: number;
  log: Log;
}

export interface SampleWeb {
  readonly port: number;
  /** The URL of the directory of packages, from which every page can be reached. */
  readonly seeds: string[];
  readonly hostCount: number;
  readonly pageCount: number;
  close(): Promise<void>;
}

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'";
const CACHED_PAGES = 64;

export async function startSampleWeb(options: SampleWebOptions): Promise<SampleWeb> {
  const startedAt = performance.now();
  const table = buildHosts(scanPackages(options.roots, options.log), options.log);
  const server = createServer();
  const port = await listen(server, options.port ?? 0);
  const address = (host: string, path: string) => `http://${host}:${port}${path}`;
  const site = new SampleSite(table, address);
  const answer = remembering((host, path) => site.answer(host, path));
  server.on('request', (request, response) => void respond(request, response, answer, options.log));
  const web = { port, hostCount: table.byHost.size, pageCount: site.pageCount };
  options.log.info('sample web ready', { ...web, ms: Math.round(performance.now() - startedAt) });
  return { ...web, seeds: [address(DIRECTORY_HOST, '/')], close: () => close(server) };
}

type Answering = (host: string, path: string) => Promise<SampleResponse>;

/**
 * Caches the pages that were requested last. Installed packages do not change while the sample web is
 * running.
 */
function remembering(answer: Answering): Answering {
  const cache = BoundedCache.ofEntries<string, SampleResponse>(CACHED_PAGES);
  return async (host, path) => {
    const key = host + path;
    const known = cache.get(key) ?? (await answer(host, path));
    cache.set(key, known);
    return known;
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answering: Answering,
  log: Log,
): Promise<void> {
  try {
    const host = (request.headers.host ?? '').toLowerCase().replace(/\.?(?::\d*)?$/, '');
    const path = (request.url ?? '/').split('?', 1)[0]!;
    if (request.method === 'GET' || request.method === 'HEAD')
      send(request, response, await answering(host, path));
    else response.writeHead(405, { allow: 'GET, HEAD' }).end();
  } catch (error) {
    log.error('sample page failed', { url: request.url, reason: messageOf(error) });
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}

function send(request: IncomingMessage, response: ServerResponse, answer: SampleResponse): void {
  response.setHeader('content-security-policy', POLICY);
  response.setHeader('x-content-type-options', 'nosniff');
  if (answer.kind === 'moved') {
    response.writeHead(301, { location: answer.location, 'content-length': 0 }).end();
    return;
  }
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  if (answer.kind === 'absent') {
    response.writeHead(404, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length });
  } else {
    const etag = `"${sha1Base32(body)}"`;
    response.setHeader('etag', etag);
    response.setHeader('last-modified', new Date(answer.modifiedAt).toUTCString());
    if (isUnchanged(request, etag, answer.modifiedAt)) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(200, { 'content-type': answer.contentType, 'content-length': body.length });
  }
  response.end(request.method === 'HEAD' ? undefined : body);
}

/**
 * Returns true if the response is 304, by RFC 9110 § 13.2.2: If-None-Match takes precedence if it is given.
 * Dates have a resolution of one second.
 */
function isUnchanged(request: IncomingMessage, etag: string, modifiedAt: number): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) return tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  const since = Date.parse(request.headers['if-modified-since'] ?? '');
  return Math.floor(modifiedAt / 1000) * 1000 <= since;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const why = systemCode(cause) || messageOf(cause);
      const message = `the sample web cannot listen on 127.0.0.1:${port} (${why}): choose another port`;
      reject(new UsageError('port-unusable', message, { cause }));
    });
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
