/** Makes a server context with an empty index, for tests that render a piece of a page. */
import type { FastifyRequest } from 'fastify';
import { loadAssets } from './assets/assets.ts';
import { GYRE } from './brand.ts';
import { type View, viewOf } from './request-context.ts';
import type { ServerContext } from './server-context.ts';

export function testSite(over: Partial<ServerContext> = {}): ServerContext {
  return {
    searcher: {
      search: () => Promise.reject(new Error('nothing to search here')),
      stats: () => ({ docCount: 0, segmentCount: 0, sizeBytes: 0, generation: 0 }),
      close() {},
    },
    version: '0.0.0',
    contact: '',
    brand: GYRE,
    assets: loadAssets(GYRE),
    archive: null,
    standingOf: null,
    details: null,
    iconOf: async () => null,
    siteRules: [],
    showsPictures: false,
    familyFilter: 'moderate',
    elsewhere: [],
    secret: 'a secret for tests',
    pageCacheBytes: 0,
    publicUrl: '',
    clock: { now: () => Date.UTC(2026, 0, 2) },
    answerer: null,
    standing: null,
    status: () => null,
    ...over,
  };
}

/** Makes the view of a request without cookies and without `Accept-Language`. */
export function plainView(site: ServerContext): View {
  return viewOf(site, { headers: {} } as FastifyRequest);
}
