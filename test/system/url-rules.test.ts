/** Tests the URL rules of the operator. Requests are checked with the log of the synthetic web. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { robotsViolations } from '../../src/synthetic-web/checkers.ts';
import { startWeb } from '../../src/synthetic-web/server.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';

const OWN_HOST = 'robots-disallow-all-0.test';

test('URL rules apply to links and redirects, and robots.txt of listed hosts can be overridden', async (context) => {
  const web = await startWeb({ seed: 3, hosts: 6, pages: 120, features: { robots: true, redirects: true } });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const config = writeConfig(directory, {
    delay: '0s',
    robotsOverrides: [OWN_HOST],
    rules: [
      { verb: 'ignore', host: 'redirected-0.test', name: 'no other host' },
      { verb: 'ignore', extension: 'html' },
      { verb: 'follow', pattern: '^http://[^/]+/[a-z]+/\\d+/$' },
    ],
  });
  const options = ['--data', join(directory, 'data'), '--config', config];
  const crawl = await gyre(['crawl', ...options, '--max-pages', '1000', '--log-level', 'info', ...web.seeds]);
  assert.equal(crawl.code, 0, crawl.stderr);
  const asked = [...web.log].map(({ host, path }) => ({ host, path }));

  assert.ok(
    asked.some(({ path }) => path === '/old/301'),
    'redirects were met',
  );
  assert.deepEqual(
    asked.filter(({ host }) => host === 'redirected-0.test'),
    [],
  );
  assert.deepEqual(
    asked.filter(({ path }) => path.endsWith('.html')),
    [],
  );

  const own = asked.filter(({ host }) => host === OWN_HOST).map(({ path }) => path);
  assert.deepEqual(own.toSorted(), ['/', '/a', '/favicon.ico']);
  assert.match(crawl.stderr, /robots\.txt overridden/);
  const violations = robotsViolations(web.log, web.plan).filter(({ host }) => host !== OWN_HOST);
  assert.deepEqual(violations, []);

  assert.equal((await gyre(['build', ...options])).code, 0);
  const searcher = openSearcher(openDirectory(join(directory, 'data', 'index')), {
    log: silentLog,
    clock: systemClock,
  });
  context.after(() => searcher.close());
  let followed = 0;
  for (const page of web.plan.plainPages(web.port)) {
    if (!asked.some(({ host, path }) => host === page.host && path === page.path)) continue;
    const { total } = await searcher.search({ query: page.uniqueWord, offset: 0, limit: 1 });
    const onlyFollowed = /^\/[a-z]+\/\d+\/$/.test(page.path);
    followed += onlyFollowed ? 1 : 0;
    assert.equal(total, onlyFollowed ? 0 : 1, page.url);
  }
  assert.ok(followed > 10);
});

test('rules that change between two crawls apply to the URLs that are already queued', async (context) => {
  const web = await startWeb({ seed: 5, hosts: 2, pages: 60 });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const crawl = async (maxPages: number, rules: object[]) => {
    const config = writeConfig(directory, { delay: '0s', icons: 'off', rules });
    const options = ['--data', join(directory, 'data'), '--config', config];
    const { code, stderr } = await gyre(['crawl', ...options, '--max-pages', String(maxPages), ...web.seeds]);
    assert.equal(code, 0, stderr);
    return new Set([...web.log].map(({ host, path }) => `${host}${path}`));
  };
  const isNumbered = /\/\d+\/$/;
  const first = await crawl(12, []);
  assert.ok([...first].some((url) => isNumbered.test(url)));
  const all = await crawl(1000, [{ verb: 'ignore', pattern: '/\\d+/$' }]);
  const later = [...all].filter((url) => !first.has(url));
  assert.ok(later.length > 0, 'the second crawl fetches other pages');
  assert.deepEqual(
    later.filter((url) => isNumbered.test(url)),
    [],
  );
});
