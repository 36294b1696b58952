/**
 * Serves the plain hosts. Pages have an ETag that never changes, and every fourth host has no robots.txt. A
 * page is rendered for every request, which is the hot path of benchmarks.
 */
import type { PlainRenderer } from './plain-page.ts';
import type { PlainWeb } from './plain-web.ts';
import { openRobots, type Site, type Visit, type WebResponse } from './site.ts';

const MODIFIED = new Date(Date.UTC(2024, 0, 1)).toUTCString();

export function plainSites(web: PlainWeb, renderer: PlainRenderer): Site[] {
  return web.hosts.map((host, number) => ({
    host,
    answer(visit: Visit): WebResponse | undefined {
      if (visit.path === '/robots.txt') return number % 4 === 3 ? undefined : openRobots();
      const page = web.find(number, visit.path);
      if (page < 0) return undefined;
      const etag = `"page-${page}"`;
      const headers = { 'content-type': 'text/html; charset=utf-8', etag, 'last-modified': MODIFIED };
      if (visit.header('if-none-match') === etag) return { status: 304, headers };
      return { status: 200, headers, body: renderer.render(page, visit.port) };
    },
  }));
}
