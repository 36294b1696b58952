import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ask } from './ask.ts';
import { TOPIC_TERMS } from './features/topics.ts';
import { type SyntheticWeb, startWeb } from './server.ts';

let web: SyntheticWeb;
before(async () => {
  web = await startWeb({
    seed: 4,
    hosts: 2,
    pages: 4,
    features: {
      redirects: true,
      redirectLoops: true,
      calendarTrap: true,
      pathTrap: true,
      parameterTrap: true,
      sessionIds: true,
      sessionTrap: true,
      sitemaps: true,
      feeds: true,
      deepLinks: 12,
      topic: 30,
      scatteredTopic: 30,
    },
  });
});
after(() => web.close());

describe('redirects', () => {
  test('arrive at their page after the number of hops that the truth has', async () => {
    const statuses = new Set<number>();
    for (const { from, to, status, hops, form, uniqueWord } of web.plan.truth.redirects) {
      let at = new URL(web.url(from.host, from.path));
      for (let hop = 0; hop < hops; hop++) {
        const reply = await ask(web.port, at.hostname, at.pathname);
        if (hop === 0) assert.equal(reply.status, status);
        assert.equal(reply.headers.location!.startsWith('/'), form === 'relative');
        at = new URL(reply.headers.location!, at);
      }
      assert.equal(at.href, web.url(to.host, to.path));
      assert.equal(to.host !== from.host, form === 'other-host');
      assert.ok((await ask(web.port, at.hostname, at.pathname)).body.includes(uniqueWord));
      statuses.add(status);
    }
    assert.deepEqual([...statuses], [301, 302, 303, 307, 308]);
  });

  test('in a loop come back after its length, or never', async () => {
    for (const { host, path, length } of web.plan.truth.redirectLoops) {
      const seen = new Set<string>();
      let at = path;
      while (!seen.has(at) && seen.size < 20) {
        seen.add(at);
        at = (await ask(web.port, host, at)).headers.location!;
      }
      assert.equal(seen.size, length === 0 ? 20 : length);
    }
  });
});

describe('traps', () => {
  const walk = async (host: string, from: string, prefix: string) => {
    const seen = new Set([from]);
    for (const path of seen) {
      if (seen.size > 60) break;
      for (const link of await linksOf(host, path)) if (link.startsWith(prefix)) seen.add(link);
    }
    return seen;
  };

  test('have no end, and honest pages beside it', async () => {
    const { calendarTrap, pathTrap, parameterTrap } = web.plan.truth;
    for (const { host, prefix, honest } of [...calendarTrap, ...pathTrap, ...parameterTrap]) {
      const home = await linksOf(host, '/');
      assert.ok(honest.every(({ path }) => home.includes(path) && !path.startsWith(prefix)));
      const start = home.find((path) => path.startsWith(prefix))!;
      assert.ok((await walk(host, start, prefix)).size > 60);
      for (const { path, uniqueWord } of honest) assert.ok((await textOf(host, path)).includes(uniqueWord));
    }
  });

  test('show the same text everywhere only if the truth says so', async () => {
    const { calendarTrap, pathTrap, parameterTrap } = web.plan.truth;
    for (const { host, prefix, sameText } of [...calendarTrap, ...pathTrap, ...parameterTrap]) {
      const paths = [...(await walk(host, (await linksOf(host, '/')).at(-1)!, prefix))].slice(0, 3);
      const titles = new Set(
        await Promise.all(paths.map(async (path) => /<h1>.*/.exec(await textOf(host, path))![0])),
      );
      assert.equal(titles.size === 1, sameText);
    }
  });

  test('with session ids give new URLs to the same pages at every visit', async () => {
    for (const { host, parameter, pages } of [...web.plan.truth.sessionIds, ...web.plan.truth.sessionTrap]) {
      const [first, second] = [await linksOf(host, '/'), await linksOf(host, '/')];
      assert.equal(first.length, pages.length);
      assert.equal(first.filter((link) => second.includes(link)).length, 0);
      for (const [number, { path, uniqueWord }] of pages.entries()) {
        assert.ok(first[number]!.startsWith(`${path}${parameter.startsWith(';') ? '' : '?'}${parameter}=`));
        assert.ok((await textOf(host, first[number]!)).includes(uniqueWord));
        assert.ok((await textOf(host, path)).includes(uniqueWord));
      }
    }
  });
});

describe('discovery', () => {
  test('by sitemaps names every hidden page, which nothing links to', async () => {
    for (const { host, kind, file, hidden } of web.plan.truth.sitemaps) {
      const robots = await textOf(host, '/robots.txt');
      assert.equal(robots.includes(`Sitemap: ${web.url(host, file)}`), kind !== 'unannounced');
      assert.deepEqual(await linksOf(host, '/'), []);
      const text = await sitemapText(host, file);
      const children = [...text.matchAll(/<sitemap><loc>[^<]*?:\d+(\/[^<]+)/g)].map(([, path]) => path!);
      const texts = await Promise.all(children.map((path) => sitemapText(host, path)));
      assert.equal(children.length, kind === 'index' ? 2 : 0);
      for (const { path, uniqueWord } of hidden) {
        assert.ok([text, ...texts].join('').includes(web.url(host, path)), host + path);
        assert.ok((await textOf(host, path)).includes(uniqueWord));
      }
    }
  });

  test('by feeds names every hidden page, and the home page names the feed', async () => {
    for (const { host, kind, file, hidden } of web.plan.truth.feeds) {
      assert.match(
        await textOf(host, '/'),
        new RegExp(`rel="alternate" type="application/[a-z]+\\+(xml|json)".*href="${file}"`),
      );
      const text = await textOf(host, file);
      if (kind === 'json') assert.equal(JSON.parse(text).items.length, hidden.length);
      for (const { path, title } of hidden)
        assert.ok(text.includes(web.url(host, path)) && text.includes(title));
    }
  });

  test('by depth needs as many clicks as the truth says', async () => {
    const { deepLinks } = web.plan.truth;
    assert.deepEqual(
      deepLinks.map(({ depth }) => depth),
      [...Array(13).keys()],
    );
    for (const { host, path, depth } of deepLinks) {
      assert.deepEqual(
        await linksOf(host, path),
        deepLinks.slice(depth + 1, depth + 2).map((next) => next.path),
      );
    }
  });
});

for (const feature of ['topic', 'scatteredTopic'] as const) {
  test(`pages of the feature ${feature} can be reached, and those of topic have the terms of their topic only`, async () => {
    const pages = web.plan.truth[feature];
    const seen = new Set([web.url(pages[0]!.host, '/')]);
    for (const url of seen) {
      const { hostname, pathname } = new URL(url);
      for (const link of await linksOf(hostname, pathname)) seen.add(link);
    }
    for (const { host, path, topic, uniqueWord } of pages) {
      assert.ok(seen.has(web.url(host, path)));
      // Link texts of this feature name terms of other topics.
      if (feature === 'scatteredTopic') continue;
      const text = await textOf(host, path);
      assert.ok(text.includes(uniqueWord));
      for (const [name, terms] of Object.entries(TOPIC_TERMS)) {
        const share = terms.filter((term) => new RegExp(`\\b${term}\\b`).test(text)).length / terms.length;
        assert.ok(name === topic ? share > 0.3 : share === 0, `${path} is ${share} ${name}`);
      }
    }
  });
}

async function textOf(host: string, path: string): Promise<string> {
  return (await ask(web.port, host, path)).body.toString();
}

/** Returns the links of a page: absolute links as written, relative links as paths. */
async function linksOf(host: string, path: string): Promise<string[]> {
  const hrefs = [...(await textOf(host, path)).matchAll(/<a href="([^"]+)"/g)].map(([, href]) =>
    href!.replaceAll('&#38;', '&'),
  );
  return hrefs.map((href) => {
    if (href.startsWith('http')) return href;
    const { pathname, search } = new URL(href, web.url(host, path));
    return pathname + search;
  });
}

async function sitemapText(host: string, path: string): Promise<string> {
  const { body } = await ask(web.port, host, path);
  return (path.endsWith('.gz') ? gunzipSync(body) : body).toString();
}
