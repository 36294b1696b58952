/** Sample data of the pages for site owners, for tests of the pages. */
import type { SiteTools } from './site-tools.ts';

export function sampleSiteTools(): SiteTools {
  return {
    facts: {
      userAgent: 'Gyre/0.1.0 (+mailto:me@example.org)',
      delayMs: 1000,
      delayFactor: 10,
      credentialHosts: 1,
      overriddenHosts: 0,
    },
    hasOwners: true,
    lookUp: async (host) => ({
      host,
      isKnown: host !== 'unknown.example',
      isRemoved: false,
      robots: 'allow for the start page (line 3: Disallow: /private/)',
      isOverridden: false,
      sendsCredentials: false,
      delay: '5 s (crawl delay); now: its delay of 5000 ms ends in 3 s',
      documents: 12,
      lastDay: '2026-01-02',
    }),
    findProof: async (host) => (host === 'mine.example' ? 'meta' : null),
    removeHost: async () => {},
    requestOptOut: async () => {},
    listOptOuts: async () => [{ host: 'theirs.example', reason: 'It is private.', at: Date.UTC(2026, 0, 2) }],
    decideOptOut: async () => {},
    submit: async (urls) =>
      urls.map((url) => ({ url, isAccepted: true, note: 'accepted as number 1 of the requested URLs' })),
    coverage: async () => ({
      documents: 12,
      queued: 3,
      fetched: 17,
      errors: [{ time: '2026-01-02T03:04:05.678Z', url: 'https://mine.example/a', reason: 'HTTP 503' }],
    }),
    removePages: async () => {},
    hasKeyFile: async () => true,
  };
}
