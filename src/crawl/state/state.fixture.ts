/** Makes commits for the tests of the crawl state. */

import { WARC_START } from '../../archive/mod.ts';
import { JOURNAL_START } from '../../journal/mod.ts';
import type { CrawlBatch } from './crawl-state.ts';

export function emptyCommit(): CrawlBatch {
  const nothing = { results: [], discovered: [], hosts: [], contents: new Map(), maxUrlsPerHost: 1000 };
  return { ...nothing, warc: WARC_START, journal: JOURNAL_START, seenBytes: 0, sketches: 0 };
}
