/** Helpers for tests that crawl the synthetic web: settings, and the contents of the archive afterwards. */
import { createReadStream, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WARCParser } from 'warcio';

/**
 * Writes a configuration in which all hosts of the synthetic web resolve to loopback and no other hosts are
 * in scope.
 */
export function writeConfig(directory: string, crawl: Record<string, unknown> = {}): string {
  const file = join(directory, 'gyre.config.json');
  const reachable = { resolve: { '*.test': '127.0.0.1' }, allowAddresses: ['127.0.0.0/8'] };
  const config = {
    contact: 'https://example.org/bot',
    crawl: { scope: 'host', domains: ['test'], ...reachable, ...crawl },
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** Returns the options `--data` and `--config` for the commands of a test whose crawl is below `directory`. */
export function crawlOptions(directory: string, crawl: Record<string, unknown> = {}): string[] {
  return ['--data', join(directory, 'data'), '--config', writeConfig(directory, crawl)];
}

/** Counts how often each URL is in the archive, with an independent WARC reader. */
export async function archivedCounts(data: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const file of globSync(join(data, 'archive', '*.warc.gz*'))) {
    for await (const record of new WARCParser(createReadStream(file))) {
      await record.skipFully();
      if (record.warcType !== 'response' && record.warcType !== 'revisit') continue;
      const url = record.warcTargetURI ?? '';
      counts.set(url, (counts.get(url) ?? 0) + 1);
    }
  }
  return counts;
}
