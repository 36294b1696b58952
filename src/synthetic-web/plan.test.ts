import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UsageError } from '../base/mod.ts';
import { type Features, WEB_FEATURE_NAMES } from './features.ts';
import { planWeb, type WebPlan } from './plan.ts';

const PORT = 8080;
const SMALL = { seed: 7, hosts: 30, pages: 1000 };

describe('a plan', () => {
  test('has the same pages, byte by byte, for the same options', () => {
    const [one, other] = [planWeb(SMALL), planWeb(SMALL)];
    for (const page of [0, 1, 17, 500, 999]) {
      assert.ok(one.render(page, PORT).equals(other.render(page, PORT)));
      assert.deepEqual(one.plainPage(page, PORT), other.plainPage(page, PORT));
    }
  });

  test('renders a page the same whatever was rendered before', () => {
    const plan = planWeb(SMALL);
    const fresh = Buffer.from(plan.render(42, PORT));
    plan.render(999, PORT);
    assert.ok(plan.render(42, PORT).equals(fresh));
  });

  test('has other pages for another seed', () => {
    const other = planWeb({ ...SMALL, seed: 8 });
    assert.notDeepEqual(planWeb(SMALL).plainPage(3, PORT), other.plainPage(3, PORT));
  });

  test('keeps its plain pages when features are turned on', () => {
    const features = Object.fromEntries(WEB_FEATURE_NAMES.map((name) => [name, 1])) as Features;
    const [bare, full] = [planWeb(SMALL), planWeb({ ...SMALL, features })];
    assert.deepEqual([...full.plainPages(PORT)], [...bare.plainPages(PORT)]);
    assert.ok(full.render(5, PORT).equals(bare.render(5, PORT)));
  });

  test('has exactly the pages and hosts asked for, and no URL or unique word twice', () => {
    const plan = planWeb(SMALL);
    const pages = [...plan.plainPages(PORT)];
    assert.equal(pages.length, 1000);
    assert.equal(new Set(pages.map(({ url }) => url)).size, 1000);
    assert.equal(new Set(pages.map(({ uniqueWord }) => uniqueWord)).size, 1000);
    assert.equal(new Set(pages.map(({ host }) => host)).size, 30);
    assert.equal(plan.hosts.filter((host) => host.endsWith('.d0001.test')).length, 3);
  });

  test('has seeds from which links lead to every plain page', () => {
    for (const options of [
      SMALL,
      { ...SMALL, linksPerPage: 1 },
      { ...SMALL, hosts: 1 },
      { ...SMALL, hosts: 1000 },
    ]) {
      assert.equal(reachable(planWeb(options)).size, options.pages);
    }
  });

  test('makes a page of a million without making the others', () => {
    const before = process.memoryUsage().heapUsed;
    const plan = planWeb({ seed: 1, hosts: 5000, pages: 1_000_000 });
    assert.ok(plan.render(999_999, PORT).length > 500);
    assert.equal(plan.linksOf(777_777, PORT).length > 2, true);
    assert.ok(process.memoryUsage().heapUsed - before < 30e6);
  });
});

describe('plain pages', () => {
  const plan = planWeb({ ...SMALL, pages: 2000 });

  test('hold the links that the plan says, with the anchor texts', () => {
    for (const number of [0, 1, 40, 1999]) {
      const { url } = plan.plainPage(number, PORT);
      const source = plan.render(number, PORT).toString();
      const links = [...source.matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)];
      const found = links.map(([, href, text]) => ({ url: new URL(href!, url).href, text }));
      assert.deepEqual(
        found,
        plan.linksOf(number, PORT).map(({ url: target, text }) => ({ url: target, text })),
      );
    }
  });

  test('hold their title, their unique word and no unique word of another page', () => {
    const words = new Set([...plan.plainPages(PORT)].map(({ uniqueWord }) => uniqueWord));
    for (const number of [0, 3, 1234]) {
      const { title, uniqueWord } = plan.plainPage(number, PORT);
      const source = plan.render(number, PORT).toString();
      assert.ok(source.includes(`<title>${title}</title>`));
      const found = source.match(/\w+/g)!.filter((word) => words.has(word));
      assert.deepEqual(found, [uniqueWord]);
    }
  });

  test('are spread around the median size', () => {
    const sizes = range(2000).map((number) => plan.render(number, PORT).length);
    sizes.sort((a, b) => a - b);
    assert.ok(Math.abs(sizes[1000]! / 8000 - 1) < 0.1, `median ${sizes[1000]}`);
    assert.ok(sizes[1980]! > 4 * sizes[1000]!);
  });

  test('have in-links by a power law, mostly from their own host', () => {
    const links = range(2000).flatMap((number) =>
      plan.linksOf(number, PORT).map((link) => ({ from: plan.plainPage(number, PORT).host, ...link })),
    );
    const counts = [...Map.groupBy(links, ({ url }) => url).values()].map((group) => group.length);
    counts.sort((a, b) => b - a);
    assert.ok(Math.abs(links.length / 2000 - 12) < 3, `${links.length / 2000} links a page`);
    assert.ok(counts[0]! > 20 * counts[1000]!, `${counts[0]} against ${counts[1000]}`);
    const within = links.filter(({ from, host }) => from === host).length / links.length;
    assert.ok(within > 0.7 && within < 0.95, `${within} within the host`);
  });

  test('are unlike each other', () => {
    const [one, other] = [11, 12].map(
      (number) => new Set(plan.render(number, PORT).toString().split('</head>')[1]!.split(/[.>]/)),
    );
    const common = [...one!].filter((sentence) => sentence.length > 60 && other!.has(sentence));
    assert.ok(common.length <= 3, common.join('\n'));
  });
});

describe('options', () => {
  test('that cannot be met are refused with what to do', () => {
    const bad = [
      { ...SMALL, pages: 10 },
      { ...SMALL, hosts: 0 },
      { ...SMALL, seed: -1 },
      { ...SMALL, features: { nonsense: 1 } as Features },
      { ...SMALL, features: { robots: 1.5 } },
    ];
    for (const options of bad) assert.throws(() => planWeb(options), UsageError);
  });
});

function reachable(plan: WebPlan): Set<string> {
  const numbers = new Map([...plan.plainPages(PORT)].map(({ url, number }) => [url, number]));
  const seen = new Set(plan.seeds(PORT).slice(0, 1));
  const queue = [...seen];
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    for (const link of plan.linksOf(numbers.get(url)!, PORT)) {
      if (seen.has(link.url)) continue;
      seen.add(link.url);
      queue.push(link.url);
    }
  }
  return seen;
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
