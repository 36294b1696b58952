/** Makes a dashboard for tests of the server, which records the changes that it is asked for. */
import { UsageError } from '../../../base/mod.ts';
import type { Dashboard, CrawledHost, HostSearch } from './dashboard.ts';

export interface TestDashboard extends Dashboard {
  changes: string[];
  searches: HostSearch[];
}

export function testHost(over: Partial<CrawledHost> = {}): CrawledHost {
  return {
    ...{ origin: 'https://a.example', pages: 12, known: 20, queued: 3, failed: 1, refused: 4 },
    ...{ delayMs: 1000, delayCause: 'setting', nextFetchAt: 0, wait: 'ready', fetched: 13, budget: 50_000 },
    ...{ traps: [], isBlocked: false, address: '192.0.2.1', links: 2, robotsBytes: null },
    ...over,
  };
}

export function testDashboard(hosts: readonly CrawledHost[] = []): TestDashboard {
  const changes: string[] = [];
  const searches: HostSearch[] = [];
  const note = (text: string) => {
    changes.push(text);
    return `Done: ${text}.`;
  };
  return {
    changes,
    searches,
    memoryLimitBytes: 1024 ** 3,
    facts: () => ({ frontier: null, index: null, queries: null, disk: null }),
    refreshFacts: async () => {},
    hosts: {
      async list(search) {
        searches.push(search);
        return { total: hosts.length, hosts: hosts.slice(search.offset, search.offset + search.limit) };
      },
      find: async (origin) => hosts.find((host) => host.origin === origin) ?? null,
      block: (origin, who) => note(`${who} blocks ${origin}`),
      unblock: (origin, who) => note(`${who} unblocks ${origin}`),
      setDelay: (origin, delay, who) => note(`${who} delays ${origin} ${delay}`),
      recrawl: (origin, who) => note(`${who} recrawls ${origin}`),
      remove: async (origin, purge, who) => note(`${who} removes ${origin}${purge ? ' with copies' : ''}`),
    },
    crawl: {
      isFollowed: true,
      seeds: () => [{ url: 'https://a.example/', collections: ['work'] }],
      addSeeds: (lines, who) => note(`${who} adds ${lines}`),
      removeSeed: (url, who) => note(`${who} removes ${url}`),
      rules: () => '[]',
      async testRules(json) {
        if (json === 'wrong') throw new UsageError('bad-rule', 'The rules are wrong.');
        const examples = [{ url: 'https://a.example/<b>', rule: 'rule 1' }];
        return { known: 7, changes: [{ before: 'index', after: 'ignore', count: 1, examples }] };
      },
      saveRules: (json, who) => note(`${who} saves ${json}`),
      settings: () => [
        {
          ...{
            key: 'crawl.delay',
            value: '1s',
            source: 'default',
            help: 'time between requests',
            type: 'time',
          },
          ...{ choices: [], isLive: true, isChanged: false },
        },
        {
          ...{ key: 'serve.port', value: '8080', source: '--port', help: 'port', type: 'whole number' },
          ...{ choices: [], isLive: false, isChanged: false },
        },
      ],
      changeSetting: (key, value, who) => note(`${who} sets ${key} ${value}`),
    },
  };
}
