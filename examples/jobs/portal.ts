/** The job portal of this example: a site on this machine whose postings open, change and close all the time. */
import type { WebOptions } from '../../src/synthetic-web/mod.ts';

const SLOTS = 30;

/** Returns the options of the portal. A posting is open for six to eight intervals of visits. */
export function portalOptions(intervalMs: number): WebOptions {
  const tuning = { portalPeriodMs: 2 * intervalMs };
  return { seed: 1, hosts: 1, pages: 1, features: { jobPortal: SLOTS }, tuning };
}

/** Returns the configuration of a crawl that visits the pages of the portal once per interval. */
export function crawlConfig(intervalMs: number): object {
  const interval = `${intervalMs / 1000}s`;
  return {
    contact: 'https://example.org/bot',
    crawl: {
      ...{ scope: 'host', domains: ['test'], delay: '20ms' },
      ...{ resolve: { '*.test': '127.0.0.1' }, allowAddresses: ['127.0.0.0/8'] },
      revisitPolicies: [`pages between ${interval} and ${interval}`],
      revisitFirst: interval,
      // Pages that are gone are looked for again after this time.
      revisitMax: `${10 * (intervalMs / 1000)}s`,
      revisitMin: interval,
    },
  };
}
