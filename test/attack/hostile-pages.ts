/** Pages and host names that several hostile hosts use. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { HostScale } from './attack.ts';

const FILLER =
  'A paragraph of ordinary words, as there are on every page of every site, so that a reader sees nothing odd. ';

/** Returns an HTML page that is harmless except for its links. */
export function htmlPage(title: string, links: readonly string[]): string {
  const anchors = links.map((link) => `<li><a href="${link}">${title} ${link.slice(-40)}</a></li>`);
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${title}. ${FILLER.repeat(5)}</p><ul>${anchors.join('\n')}</ul></html>`;
}

/**
 * Serves a home page with links to `/page/0EXTENSION`, `/page/1EXTENSION` and so on. All these pages have the
 * same body.
 */
export function listedBody(
  { pages }: HostScale,
  body: Buffer,
  headers: Record<string, string>,
  extension = '',
): RequestListener {
  const links = Array.from({ length: pages }, (_, number) => `/page/${number}${extension}`);
  const home = htmlPage('Listing', links);
  return (request, response) => {
    if (request.url === '/') sendHtml(response, home);
    else if (request.url?.startsWith('/page/'))
      response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
    else sendMissing(response);
  };
}

export function sendHtml(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
}

export function sendMissing(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
}

/** Returns true for `robots.txt` and icons. An endless site does not return a page for them. */
export function isSideFile({ url = '' }: IncomingMessage): boolean {
  return url === '/robots.txt' || url === '/favicon.ico';
}
