/** Tools for tests of the admin pages and routes. They record their calls. */
import type { AdminTools, DirectoryTools, RemovalRequest } from './admin-routes.ts';

export function recordingTools(): AdminTools &
  DirectoryTools & { asked: string[]; changes: RemovalRequest[] } {
  const asked: string[] = [];
  const changes: RemovalRequest[] = [];
  return {
    asked,
    changes,
    inspect: async ({ url }) => ({ url, cause: { code: 'found' }, visits: [] }),
    report: async ({ url, query }) => ({
      url,
      isFound: true,
      verdict: 'is in the index: searches find it',
      sections: [
        { title: 'URL', rows: [{ name: 'rule', text: 'index (default)' }] },
        {
          title: 'Visits',
          rows: [{ name: '2026-01-02 03:04:05', text: 'HTTP 200, page', record: '20260102030405' }],
        },
        {
          title: 'Document',
          rows: [{ name: 'alias', text: 'https://a.test/b (redirect)', inspects: 'https://a.test/b' }],
        },
        ...(query === null ? [] : [{ title: `Query: ${query}`, rows: [], text: '  result 3 of 9' }]),
      ],
    }),
    fetchNow: async (url, who) => {
      asked.push(`fetch ${url} ${who}`);
      return `${url} is queued.`;
    },
    takeUrls: async (urls, who) => {
      asked.push(`take ${urls.join(' ')} ${who}`);
      return urls.map((url) => ({ url, status: 'accepted' }));
    },
    record: async (url, at) => {
      asked.push(`record ${url} ${at}`);
      return { name: '00000001-0.warc.gz', bytes: Buffer.from('WARC') };
    },
    wacz: async (pages) => {
      asked.push(`wacz ${pages.length}`);
      return Buffer.from('PK');
    },
    politeness: async () => [
      {
        day: '2026-01-02',
        rows: [
          {
            host: 'https://a.test',
            requests: 12,
            bytes: 34_567,
            delays: { configured: [11, 11_000, 1_000], 'retry-after': [1, 60_000, 60_000] },
          },
        ],
      },
    ],
    politenessFile: async (format) => `day,host\n${format}\n`,
    removals: async () => ({ settled: true, removed: [] }),
    listRemovals: async () => ({
      isSettled: true,
      removed: [{ target: 'https://a.test/private/*', removedAt: Date.UTC(2026, 0, 2), purge: 'done' }],
    }),
    previewRemoval: async (targets) => ({
      rules: [...targets, 'https://a.test/copy'],
      documents: 3,
      urls: 7,
      examples: ['https://a.test/private/1'],
    }),
    change: async (request) => {
      changes.push(request);
      return { at: '2026-01-02T03:04:05.000Z', rules: [], nearDuplicates: [], notes: [] };
    },
  };
}
