/**
 * A small crawl on a disk that fails. The crawl is stopped halfway and started again, so that finished and
 * unfinished files of archive, journal, known URLs, sketches, ledger and log are opened again.
 *
 * After each fault the crawl is restarted on what is left. A page is acknowledged when `crawl.db` says that its
 * result is committed. SQLite writes `crawl.db` itself and syncs every commit, so the model takes it as it is.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDirectory, silentLog } from '../../src/base/mod.ts';
import { openCrawlState } from '../../src/crawl/mod.ts';
import { journalFiles, readJournal } from '../../src/journal/mod.ts';
import type { SyntheticWeb } from '../../src/synthetic-web/server.ts';
import { archivedCounts } from '../helpers/synthetic-crawl.ts';
import { startTestCrawler } from '../helpers/test-crawler.ts';
import type { Workload } from './fault-campaign.ts';
import { foundCounts, indexOf } from './index-faults.ts';

/** Commits and WARC files are small, so that a small crawl has many of them. */
const CHANGES = {
  commitMs: 5,
  concurrency: 2,
  warcBytes: 8_000,
  warcCompression: 'gzip',
  log: silentLog,
} as const;

export function crawlWorkload(web: SyntheticWeb): Workload {
  const pages = [...web.plan.plainPages(web.port)];
  return {
    name: 'crawl',
    prepare: () => {},
    run: async (path) => {
      await crawl(web, path, pages.length >> 1);
      await crawl(web, path);
    },
    broken: async (path) => {
      const done = acknowledged(path);
      const from = web.log.length;
      await crawl(web, path);
      const requested = web.log.entries(from).map(({ host, path }) => `${host}:${web.port}${path}`);
      const again = requested.filter((place) => done.has(`http://${place}`));
      const broken = again.map((place) => `acknowledged, but fetched again: ${place}`);
      const archived = await archivedCounts(path);
      const recorded = recordedCounts(path);
      for (const { url } of pages) {
        const [captures, records] = [archived.get(url) ?? 0, recorded.get(url) ?? 0];
        if (captures !== 1) broken.push(`${captures} captures of ${url}`);
        if (records !== 1) broken.push(`${records} journal records of ${url}`);
      }
      const words = pages.map(({ uniqueWord }) => uniqueWord);
      const found = await foundCounts((await indexOf(path)).path, words);
      for (const word of words) {
        if (found.get(word) !== 1) broken.push(`${word} is found ${found.get(word)} times`);
      }
      return broken;
    },
  };
}

/** Crawls to the end, or until `most` pages have been requested. */
async function crawl(web: SyntheticWeb, path: string, most = Number.POSITIVE_INFINITY): Promise<void> {
  const directory = openDirectory(path);
  const state = openCrawlState(directory);
  try {
    const crawler = await startTestCrawler(web, directory, state, CHANGES);
    const until = web.log.length + most;
    const watch = setInterval(() => web.log.length >= until && crawler.stop(), 1);
    try {
      await crawler.run();
    } finally {
      clearInterval(watch);
    }
  } finally {
    state.close();
  }
}

/** Returns the URLs whose results are committed. Reads a copy, because opening a database may change its files. */
function acknowledged(path: string): Set<string> {
  const copy = `${path}-acknowledged`;
  for (const name of ['crawl.db', 'crawl.db-wal']) {
    try {
      cpSync(join(path, name), `${copy}${name.slice('crawl.db'.length)}`);
    } catch {
      // The file does not exist yet, or is deleted.
    }
  }
  const database = new DatabaseSync(copy);
  try {
    const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'url'").get();
    const rows = hasTable ? database.prepare("SELECT url FROM url WHERE state = 'done'").all() : [];
    return new Set(rows.map(({ url }) => url as string));
  } finally {
    database.close();
  }
}

function recordedCounts(path: string): Map<string, number> {
  const journal = openDirectory(join(path, 'journal'));
  const counts = new Map<string, number>();
  for (const file of journalFiles(journal)) {
    for (const { kind, url } of readJournal(journal, file)) {
      if (kind === 'page') counts.set(url, (counts.get(url) ?? 0) + 1);
    }
  }
  return counts;
}
