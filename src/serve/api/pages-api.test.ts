import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog, systemClock } from '../../base/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import type { NoCopy, PageArchive } from '../cached/page-archive.ts';
import type { PageContents } from '../cached/page-contents.ts';
import { createServer } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';
import type { PageStanding } from './pages-api.ts';

const URL_OF_PAGE = canonicalize('https://example.org/jug')!;
const CONTENTS: PageContents = {
  kind: 'contents',
  url: URL_OF_PAGE,
  ...{ title: 'Jug', description: '', language: 'en', contentType: 'text/html', text: 'A jug.' },
  modifiedAt: Date.UTC(2026, 0, 1),
  links: [{ url: canonicalize('https://example.org/cup')!, text: 'cup', nofollow: false }],
  records: [{ type: 'Product', source: 'json-ld', facts: { name: ['Jug'] }, problems: ['price: missing'] }],
  fetchedAt: Date.UTC(2026, 0, 2),
  capture: { at: '20260102000000', digest: 'ABC' },
};

function serverWith(
  context: TestContext,
  standing: PageStanding,
  contents: PageContents | NoCopy = CONTENTS,
  apiKeys: string[] = [],
) {
  const archive = { contents: async () => contents } as unknown as PageArchive;
  const common = { version: '', contact: '', clock: systemClock, log: silentLog };
  const server = createServer({
    ...{ ...common, searcher: testSite().searcher, archive, standingOf: async () => standing },
    limits: { apiKeys },
  });
  context.after(() => server.close());
  return (query: string) => server.inject(`/api/v1/pages?${query}`);
}

test('a page has its text, dates, records with their origin, and the record of the archive', async (context) => {
  const get = serverWith(context, { kind: 'page', url: URL_OF_PAGE });
  const response = await get('url=http://example.org:80/jug');
  assert.equal(response.statusCode, 200);
  assert.deepEqual(response.json(), {
    ...{ url: URL_OF_PAGE, title: 'Jug', description: '', language: 'en', contentType: 'text/html' },
    ...{ text: 'A jug.', modifiedAt: '2026-01-01T00:00:00.000Z', fetchedAt: '2026-01-02T00:00:00.000Z' },
    records: CONTENTS.records,
    record: { url: URL_OF_PAGE, at: '20260102000000', digest: 'ABC' },
  });
  assert.deepEqual((await get('url=https://example.org/jug&links=true')).json().links, CONTENTS.links);
});

test('a URL without a page is a problem that says why', async (context) => {
  const cases: [PageStanding, number, string][] = [
    [{ kind: 'unknown' }, 404, 'page-unknown'],
    [{ kind: 'waiting' }, 404, 'page-waiting'],
    [{ kind: 'gone' }, 410, 'page-gone'],
    [{ kind: 'removed' }, 410, 'page-removed'],
    [{ kind: 'blocked', why: 'robots' }, 403, 'page-blocked'],
  ];
  for (const [standing, status, code] of cases) {
    const response = await serverWith(context, standing)('url=https://example.org/jug');
    assert.deepEqual([response.statusCode, response.json().code], [status, code]);
    assert.match(String(response.headers['content-type']), /^application\/problem\+json/);
    if (standing.kind === 'blocked') assert.match(response.json().detail, /the reason is: robots\./);
  }
  const page: PageStanding = { kind: 'page', url: URL_OF_PAGE };
  const withheld = await serverWith(context, page, { kind: 'refused' })('url=https://example.org/jug');
  assert.deepEqual([withheld.statusCode, withheld.json().code], [403, 'page-withheld']);
  const late = await serverWith(context, page, { kind: 'late' })('url=https://example.org/jug');
  assert.equal(late.statusCode, 503);
  assert.match(String(late.headers['retry-after']), /^\d+$/);
});

test('a wrong URL, a wrong parameter and a missing key are refused', async (context) => {
  const get = serverWith(context, { kind: 'unknown' });
  for (const query of ['', 'url=', 'url=mailto:x', 'url=https://a.org/&links=maybe'])
    assert.equal((await get(query)).statusCode, 400, query);
  const guarded = serverWith(context, { kind: 'unknown' }, CONTENTS, ['sesame']);
  assert.equal((await guarded('url=https://example.org/jug')).statusCode, 401);
});
