import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { WARC_START } from '../../archive/mod.ts';
import { openDirectory } from '../../base/mod.ts';
import { JOURNAL_START } from '../../journal/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../../url/mod.ts';
import { describeWait } from '../describe-wait.ts';
import { linksTo } from '../parsing/read-response.ts';
import type { CrawlBatch, CrawlState } from '../state/crawl-state.ts';
import { openCrawlState } from '../state/sqlite/sqlite-state.ts';
import { domainBudget } from '../traps/domain-budget.ts';
import { DomainSlots } from './domain-slots.ts';
import { Domains } from './domains.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-domains-'));
after(() => rmSync(root, { recursive: true }));
let directories = 0;

const OPTIONS = { basePages: 1000, maxPages: 100_000 };
const STANDING = { linkingDomains: 0, seedHosts: 0, provenHosts: 0, fetched: 0, useful: 0 };

class World {
  time = 1_000_000;
  readonly directory = openDirectory(join(root, String(++directories)));
  state: CrawlState = openCrawlState(this.directory);
  domains: Domains;

  constructor(named: string[] = []) {
    this.domains = this.#open(named);
  }

  restart(named: string[] = []): void {
    this.state.close();
    this.state = openCrawlState(this.directory);
    this.domains = this.#open(named);
  }

  commit(raws: string[], over: Partial<CrawlBatch> = {}) {
    const discovered = raws.map((raw) => {
      const url = canonicalize(raw)!;
      return { url, fingerprint: fingerprint(url), depth: 1 };
    });
    const empty = { results: [], hosts: [], contents: new Map(), maxUrlsPerHost: 1000 };
    const marks = { warc: WARC_START, journal: JOURNAL_START, seenBytes: 0, sketches: 0 };
    const { hostBudget } = this.domains;
    const domainLinks = this.domains.takeLinks(true);
    return this.state.commit({ ...empty, ...marks, discovered, hostBudget, domainLinks, ...over });
  }

  async frontOrigins(): Promise<string[]> {
    return (await this.state.frontHosts(0, '', 10_000)).map(({ origin }) => origin);
  }

  #open(named: string[]): Domains {
    return new Domains({
      state: this.state,
      clock: { now: () => this.time },
      budget: OPTIONS,
      domains: named,
    });
  }
}

const hosts = (domain: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, host) => `http://h${from + host}.${domain}/`);

test('a domain budget grows with linking domains, seeds and, with a seed, proven hosts', () => {
  const budget = (over: Partial<typeof STANDING>) => domainBudget({ ...STANDING, ...over }, OPTIONS);
  const bare = budget({});
  assert.deepEqual(bare, { hosts: 100, pages: 1000, requestsPerSecond: 20 });
  const linked = budget({ linkingDomains: 24 });
  assert.deepEqual([linked.hosts, linked.requestsPerSecond], [500, 100]);
  assert.ok(linked.pages > bare.pages);
  assert.deepEqual(budget({ provenHosts: 500 }), bare, 'without a seed pages prove nothing');
  const docs = budget({ seedHosts: 45 });
  assert.deepEqual([docs.hosts, docs.pages], [145, 46_000]);
  const intranet = budget({ seedHosts: 1, provenHosts: 3000, fetched: 90_000, useful: 80_000 });
  assert.ok(intranet.hosts > 10_000 && intranet.pages > 60_000, JSON.stringify(intranet));
});

test('a wildcard domain gets as many hosts as its budget allows, and other domains get theirs', async () => {
  const world = new World();
  await world.commit(hosts('evil.test', 9000));
  await world.commit(hosts('evil.test', 9000, 9000));
  await world.commit(['http://honest.test/', ...hosts('blogspot.com', 120)]);
  const front = await world.frontOrigins();
  assert.equal(front.filter((origin) => origin.endsWith('.evil.test')).length, 100);
  assert.equal(front.filter((origin) => origin.endsWith('.blogspot.com')).length, 120, 'a public suffix');
  assert.ok(front.includes('http://honest.test'));
  const { domain, example } = (await world.state.domainsHeldBack(10))[0]!;
  assert.ok(domain.hosts <= 10_100, 'not even known without end');
  const held = (await world.state.host(example))!;
  assert.equal(held.isHeldBack, true);
  assert.match(
    describeWait(held, world.time),
    /^held back: its domain evil\.test .* crawl\.domains \["evil\.test"\]/,
  );
});

test('held-back hosts are admitted when other domains link to their domain, also after a restart', async () => {
  const world = new World();
  await world.commit(hosts('busy.test', 300));
  assert.equal((await world.frontOrigins()).length, 100);
  assert.equal(await world.state.admitHosts(world.domains.hostBudget), 0);
  world.restart();
  for (const linking of ['b.test', 'c.test', 'd.test']) {
    const links = linksTo([canonicalize('http://h1.busy.test/page')!], 1);
    for (const page of ['1', '2'])
      world.domains.linked(`http://www.${linking}/${page}` as CanonicalUrl, links);
  }
  world.domains.linked(
    'http://h7.busy.test/' as CanonicalUrl,
    linksTo([canonicalize('http://h8.busy.test/')!], 1),
  );
  await world.commit([]);
  assert.equal((await world.state.domain('busy.test'))!.linkingDomains, 3);
  assert.equal(await world.state.admitHosts(world.domains.hostBudget), 100);
  assert.equal((await world.frontOrigins()).length, 200);
  world.restart(['busy.test']);
  assert.equal(await world.state.admitHosts(world.domains.hostBudget), 100, 'the operator wants all of it');
  assert.deepEqual(await world.state.domainsHeldBack(10), []);
});

test('links between domains count before their commit and while counts are cached', async () => {
  const world = new World();
  await world.commit(['http://linked.test/']);
  const linking = async () => {
    if (!world.domains.isLoaded('http://linked.test')) await world.domains.load('http://linked.test');
    return world.domains.linkingDomains('http://linked.test');
  };
  assert.equal(await linking(), 0);
  const links = linksTo([canonicalize('http://linked.test/page')!], 1);
  world.domains.linked('http://www.b.test/1' as CanonicalUrl, links);
  world.domains.linked('http://c.test/' as CanonicalUrl, links);
  assert.equal(await linking(), 2);
  await world.commit([]);
  assert.equal(await linking(), 2, 'no link is counted twice');
});

test('hosts of seeds are always admitted, and useful pages increase the budget', async () => {
  const world = new World();
  for (const seed of hosts('docs.test', 150)) world.domains.addSeed(canonicalize(seed)!);
  await world.commit(hosts('docs.test', 150));
  assert.equal((await world.frontOrigins()).length, 150);
  await world.commit(hosts('docs.test', 400, 150));
  assert.equal((await world.frontOrigins()).length, 250);
  const rows = (await world.state.frontHosts(0, '', 60)).map((row) => ({ ...row, fetched: 9, useful: 9 }));
  await world.commit([], { hosts: rows });
  const { fetched, useful, provenHosts } = (await world.state.domain('docs.test'))!;
  assert.deepEqual([fetched, useful, provenHosts], [540, 540, 60]);
  assert.equal(await world.state.admitHosts(world.domains.hostBudget), 240);
});

test('every host of a domain learns that the page budget is used up', async () => {
  const world = new World();
  await world.commit(hosts('evil.test', 20));
  const usedPages = async (origin: string) => {
    if (!world.domains.isLoaded(origin)) await world.domains.load(origin);
    return world.domains.usedPages(origin);
  };
  assert.equal(await usedPages('http://h3.evil.test'), null);
  const rows = (await world.state.frontHosts(0, '', 20)).map((row) => ({ ...row, fetched: 60, useful: 40 }));
  await world.commit([], { hosts: rows });
  world.time += 2000;
  assert.deepEqual(await usedPages('http://h3.evil.test'), { name: 'evil.test', pages: 1000 });
  assert.equal(await usedPages('http://honest.test'), null);
});

test('requests to a domain with many hosts are spaced while another domain has work', async () => {
  const world = new World();
  const origins = hosts('evil.test', 100).map((url) => url.slice(0, -1));
  world.domains.addSeed(canonicalize('http://seed.evil.test/')!);
  await world.commit([...hosts('evil.test', 100), 'http://seed.evil.test/']);
  const slots = new DomainSlots({ now: () => world.time }, world.domains);
  for (const origin of origins) slots.hostEntered(origin);
  const waitMs = (origin: string) => {
    const permission = slots.reserve(origin);
    return permission.kind === 'granted' ? 0 : permission.untilMs - world.time;
  };
  for (const origin of origins) assert.equal(waitMs(origin), 0, 'alone it has all the time');
  for (const origin of ['http://honest.test', 'http://seed.evil.test']) slots.hostEntered(origin);
  for (const origin of [origins[0]!, 'http://honest.test']) await slots.load(origin);
  const moments = origins.map(waitMs);
  assert.deepEqual(moments.slice(0, 4), [0, 50, 100, 150]);
  assert.equal(waitMs('http://honest.test'), 0);
  assert.equal(waitMs('http://seed.evil.test'), 0);
  assert.deepEqual(slots.reasonOf(origins[1]!), {
    code: 'domain-rate',
    domain: 'evil.test',
    requestsPerSecond: 20,
  });
  world.time += 1000;
  await slots.load(origins[0]!);
  const granted = origins.filter((origin, at) => at > 0 && waitMs(origin) === 0);
  assert.equal(granted.length, 20);
});
