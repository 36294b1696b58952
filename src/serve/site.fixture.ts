/** A site over nothing, for tests that render a piece of a page. */
import { loadAssets } from './assets.ts';
import type { Site } from './site.ts';

export function testSite(over: Partial<Site> = {}): Site {
  return {
    searcher: {
      search: () => Promise.reject(new Error('nothing to search here')),
      stats: () => ({ docCount: 0, segmentCount: 0, sizeBytes: 0, generation: 0 }),
      close() {},
    },
    version: '0.0.0',
    contact: '',
    assets: loadAssets(),
    archive: null,
    details: null,
    iconOf: () => null,
    siteRules: [],
    secret: 'a secret for tests',
    pageCacheBytes: 0,
    publicUrl: '',
    clock: { now: () => Date.UTC(2026, 0, 2) },
    answerer: null,
    status: () => null,
    ...over,
  };
}
