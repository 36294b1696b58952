/**
 * Tests with the traps of the synthetic web. Each host is crawled without other limits, so that only the detector can
 * end the crawl.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePage } from '../../page/mod.ts';
import { contentKey, keyWithoutDigits } from '../../sketch/content-ranges.ts';
import { sketchOfPage } from '../../sketch/sketch.ts';
import { planWeb } from '../../synthetic-web/plan.ts';
import { type CanonicalUrl, originOf, pathOf } from '../../url/mod.ts';
import { TrapDetector } from './trap-detector.ts';

const FEATURES = {
  calendarTrap: 2,
  pathTrap: 2,
  parameterTrap: 2,
  sessionIds: 1,
  sessionTrap: 2,
  templateTrap: 2,
};
const NOW = Date.UTC(2026, 5, 1);
/** Maximum number of requests per host. A test fails if a trap reaches it undetected. */
const PATIENCE = 2000;

const plan = planWeb({ seed: 5, hosts: 12, pages: 5000, medianPageBytes: 2000, features: FEATURES });
const clock = { now: () => NOW };

interface Crawl {
  detector: TrapDetector;
  /** Path and query of every request, in order. */
  asked: string[];
}

/** Crawls one host breadth first, and returns the requested URLs. */
function crawl(host: string): Crawl {
  const detector = new TrapDetector(clock);
  const home = `http://${host}/` as CanonicalUrl;
  const seen = new Set([home]);
  const queue = [home];
  const asked: string[] = [];
  const enqueue = (url: CanonicalUrl | null) => {
    if (url === null || seen.has(url)) return;
    seen.add(url);
    queue.push(url);
  };
  for (let url = queue.shift(); url && asked.length < PATIENCE; url = queue.shift()) {
    const late = detector.assess(url);
    if (late.trap) {
      enqueue(late.replacementUrl);
      continue;
    }
    asked.push(pathOf(url));
    const { content, links } = fetchPage(host, url, asked.length);
    for (const link of links) {
      const { trap, replacementUrl: instead } = detector.discovered(link, url);
      enqueue(trap ? instead : link);
    }
    detector.fetched(url, content, links);
  }
  return { detector, asked };
}

function fetchPage(host: string, url: CanonicalUrl, number: number) {
  const site = plan.sites.get(host)!;
  const visit = {
    host,
    path: pathOf(url),
    port: 80,
    now: NOW,
    tally: () => ({ earlier: number, firstAt: NOW }),
  };
  const answer = site.answer({ header: () => '', ...visit } as unknown as Parameters<typeof site.answer>[0]);
  assert.ok(answer, url);
  const body = Buffer.from(answer.body as string | Uint8Array);
  const page = parsePage({ url, contentType: 'text/html; charset=utf-8', body, xRobotsTag: [] })!;
  const links = page.links.map((link) => link.url).filter((link) => originOf(link) === originOf(url));
  const keys = { contentKey: contentKey(page), titleKey: keyWithoutDigits(page.title) };
  const content = { ...sketchOfPage(page), ...keys };
  return { content, links };
}

const traps = [
  ...plan.truth.calendarTrap.map((truth) => ({ ...truth, kind: 'calendar', most: 80 })),
  ...plan.truth.pathTrap.map((truth) => ({ ...truth, kind: 'repeating-path', most: 60 })),
  ...plan.truth.parameterTrap.map((truth) => ({ ...truth, kind: 'facets', most: 40 })),
  ...plan.truth.templateTrap.map((truth) => ({ ...truth, kind: 'same-pages', most: 25 })),
];

for (const { host, kind, prefix, honest, most } of traps) {
  test(`${host} costs at most ${most} requests, and its honest pages are found`, (t) => {
    const { detector, asked } = crawl(host);
    const trapped = asked.filter((path) => path.startsWith(prefix));
    t.diagnostic(`${trapped.length} of ${asked.length} requests went into the trap`);
    for (const { path } of honest) assert.ok(asked.includes(path), path);
    assert.ok(trapped.length >= 1 && trapped.length <= most, `${trapped.length} requests`);
    const report = detector.report().find((cut) => cut.trap.kind === kind);
    assert.ok(report, JSON.stringify(detector.report(), null, 1));
    assert.ok(
      report.trap.pattern.includes(prefix.replace(/[?/]$/, '').slice(1)) || kind === 'repeating-path',
    );
    assert.ok(pathOf(report.example).startsWith(prefix));
  });
}

for (const { host, parameter, pages } of [...plan.truth.sessionIds, ...plan.truth.sessionTrap]) {
  test(`${host}: its ten pages are found in a bounded number of requests for any ${parameter}`, (t) => {
    const { detector, asked } = crawl(host);
    const bare = new Set(asked.map((path) => path.replace(/[?;].*$/, '')));
    t.diagnostic(`${asked.length} requests for ${pages.length} pages`);
    for (const { path } of pages) assert.ok(bare.has(path), path);
    assert.ok(asked.length <= 4 * pages.length, `${asked.length} requests`);
    if (!host.startsWith('session-trap')) return;
    assert.deepEqual(detector.report()[0]?.trap.rule, { verb: 'strip', parameter });
  });
}

test('the reported rule stops the trap and nothing else', () => {
  for (const { host, prefix, honest } of traps) {
    const { detector, asked } = crawl(host);
    for (const { trap, example } of detector.report()) {
      if (trap.rule.verb === 'strip') continue;
      const { match, value } = trap.rule;
      const stops = (path: string) =>
        match === 'prefix' ? path.startsWith(value) : new RegExp(value).test(path);
      assert.ok(stops(pathOf(example)), `${value} stops ${example}`);
      assert.ok(!honest.some(({ path }) => stops(path)), value);
      for (const path of asked.filter(stops)) assert.ok(path.startsWith(prefix), `${value} stops ${path}`);
    }
  }
});

test('no plain page of five thousand is cut', () => {
  const detectors = new Map(plan.hosts.map((host) => [host, new TrapDetector(clock)]));
  let assessed = 0;
  for (const page of plan.plainPages(80)) {
    const url = page.url as CanonicalUrl;
    const detector = detectors.get(page.host)!;
    const { content, links } = fetchPage(page.host, url, 0);
    assert.equal(detector.assess(url).trap, null, url);
    for (const link of links) assert.equal(detector.discovered(link, url).trap, null, link);
    detector.fetched(url, content, links);
    assessed += links.length;
  }
  assert.ok(assessed > 20_000);
  for (const detector of detectors.values()) assert.deepEqual(detector.report(), []);
});
