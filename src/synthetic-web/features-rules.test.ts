import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask } from './ask.ts';
import { type Features, WEB_FEATURE_NAMES } from './features.ts';
import { planWeb } from './plan.ts';
import { type SyntheticWeb, startWeb } from './server.ts';

const ALL = Object.fromEntries(WEB_FEATURE_NAMES.map((name) => [name, true])) as Features;

describe('features', () => {
  test('are off unless asked for', () => {
    const { truth, sites } = planWeb({ seed: 1, hosts: 1, pages: 1 });
    assert.ok(WEB_FEATURE_NAMES.every((name) => truth[name].length === 0));
    assert.equal(sites.size, 1);
  });

  test('give as much as asked for, on hosts of their own', () => {
    const plan = planWeb({ seed: 1, hosts: 5, pages: 5, features: ALL });
    for (const name of WEB_FEATURE_NAMES) assert.ok(plan.truth[name].length > 0, name);
    const { truth } = planWeb({
      seed: 1,
      hosts: 1,
      pages: 1,
      features: { exactDuplicates: 33, flaky: 4, topic: 7 },
    });
    assert.deepEqual([truth.exactDuplicates.length, truth.flaky.length, truth.topic.length], [33, 4, 14]);
  });

  test('have truth that survives JSON and repeats with the seed', () => {
    const options = { seed: 5, hosts: 1, pages: 1, features: ALL };
    const { truth } = planWeb(options);
    assert.deepEqual(JSON.parse(JSON.stringify(truth)), truth);
    assert.deepEqual(planWeb(options).truth, truth);
  });

  test('take any small amount', () => {
    for (const amount of [0, 1, 2, 3]) {
      const features = Object.fromEntries(WEB_FEATURE_NAMES.map((name) => [name, amount])) as Features;
      planWeb({ seed: 1, hosts: 1, pages: 1, features });
    }
  });
});

describe('robots', () => {
  let web: SyntheticWeb;
  const file = async (kind: string) =>
    (await ask(web.port, `robots-${kind}-0.test`, '/robots.txt')).body.toString();
  before(async () => {
    web = await startWeb({
      seed: 2,
      hosts: 1,
      pages: 1,
      features: { robots: 1 },
      tuning: { crawlDelayMs: 2000 },
    });
  });
  after(() => web.close());

  test('has a page behind every allowed and disallowed path, all linked from the home page', async () => {
    for (const { host, allowed, disallowed, either } of web.plan.truth.robots) {
      const paths = [...allowed, ...disallowed, ...either];
      const home = (await ask(web.port, host, '/')).body.toString();
      for (const path of paths) {
        assert.equal((await ask(web.port, host, path)).status, 200, host + path);
        assert.ok(path === '/' || home.includes(`href="${path.replaceAll('&', '&#38;')}"`), host + path);
      }
    }
  });

  test('knows the verdict of each path', () => {
    for (const { host, allowed, disallowed } of web.plan.truth.robots) {
      for (const path of allowed) assert.equal(web.plan.verdictOf(host, path), 'allowed');
      for (const path of disallowed) assert.equal(web.plan.verdictOf(host, path), 'disallowed');
    }
    assert.equal(web.plan.verdictOf('h0000.test', '/anything'), 'allowed');
  });

  test('writes its files in every form', async () => {
    assert.ok((await file('bom')).startsWith('\uFEFF'));
    assert.ok((await file('crlf')).includes('*\r\nDisallow'));
    assert.ok((await file('cr')).includes('*\rDisallow'));
    assert.equal(await file('empty'), '');
    assert.match(await file('html'), /^<!doctype html>/);
    assert.match(await file('crawl-delay'), /Crawl-delay: 2\n/);
    assert.match(await file('crawl-delay-fraction'), /Crawl-delay: 1$/);
    assert.match(await file('agent-group'), /User-agent: gyre\n/);
    const huge = await file('huge');
    assert.ok(huge.length > 600_000 && huge.indexOf('/late/') > 512_000);
  });

  test('answers with the status of its kind', async () => {
    const statuses = {
      'missing-404': 404,
      'gone-410': 410,
      'forbidden-403': 403,
      'error-500': 500,
      'unavailable-503': 503,
    };
    for (const [kind, status] of Object.entries(statuses)) {
      assert.equal((await ask(web.port, `robots-${kind}-0.test`, '/robots.txt')).status, status);
    }
    const cut = await ask(web.port, 'robots-unreachable-0.test', '/robots.txt');
    assert.deepEqual([cut.status, cut.end], [0, 'cut']);
  });

  test('redirects lead to the rules', async () => {
    for (const [kind, hops] of [
      ['redirect', 1],
      ['redirect-chain', 5],
      ['redirect-other-host', 1],
    ] as const) {
      let at = new URL(web.url(`robots-${kind}-0.test`, '/robots.txt'));
      for (let hop = 0; hop < hops; hop++) {
        const { headers } = await ask(web.port, at.hostname, at.pathname);
        at = new URL(headers.location!, at);
        assert.ok(web.plan.isRobotsFile(at.hostname, at.pathname), at.href);
      }
      assert.match((await ask(web.port, at.hostname, at.pathname)).body.toString(), /Disallow: \/private\//);
    }
  });
});

describe('directives', () => {
  let web: SyntheticWeb;
  before(async () => {
    const features: Features = { canonical: true, nofollow: true, noindex: true, xRobotsTag: true };
    web = await startWeb({ seed: 2, hosts: 1, pages: 1, features });
  });
  after(() => web.close());

  test('canonical names a page, mostly one that has the same text', async () => {
    for (const { variant, canonical, manner, uniqueWord } of web.plan.truth.canonical) {
      const reply = await ask(web.port, variant.host, variant.path);
      const page = reply.body.toString();
      assert.ok(page.includes(uniqueWord));
      const said =
        manner === 'header'
          ? /<([^>]+)>/.exec(String(reply.headers.link))
          : /rel="canonical" href="([^"]+)"/.exec(page);
      assert.equal(
        new URL(said![1]!, web.url(variant.host, variant.path)).href,
        web.url(canonical.host, canonical.path),
      );
      const main = await ask(web.port, canonical.host, canonical.path);
      assert.equal(main.status, manner === 'missing' ? 404 : 200);
      const shares = manner !== 'missing' && manner !== 'unrelated';
      assert.equal(main.body.includes(uniqueWord), shares);
    }
  });

  test('nofollow marks exactly the links that lead to unfollowed pages', async () => {
    for (const { page, manner, unfollowed, followed } of web.plan.truth.nofollow) {
      const source = (await ask(web.port, page.host, page.path)).body.toString();
      for (const path of unfollowed) {
        assert.ok(
          source.includes(manner === 'meta' ? `href="${path}"` : `href="${path}" rel="external ${manner}"`),
        );
      }
      for (const path of followed) assert.ok(source.includes(`href="${path}">`));
      assert.equal(source.includes('content="nofollow"'), manner === 'meta');
      for (const path of [...unfollowed, ...followed])
        assert.equal((await ask(web.port, page.host, path)).status, 200);
    }
  });

  test('noindex and X-Robots-Tag say what the truth says', async () => {
    for (const { host, path, directive, link } of web.plan.truth.noindex) {
      const source = (await ask(web.port, host, path)).body.toString();
      assert.ok(source.includes(`content="${directive}">\n</head>`));
      assert.equal((await ask(web.port, host, link)).status, 200);
    }
    for (const { host, path, directive, uniqueWord } of web.plan.truth.xRobotsTag) {
      const reply = await ask(web.port, host, path);
      assert.equal(reply.headers['x-robots-tag'], directive);
      assert.ok(reply.body.includes(uniqueWord));
    }
  });
});
