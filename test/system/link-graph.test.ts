/**
 * Tests the effect of links on ranking with a small web: an honest site, hosts that link to it, and a link
 * farm of hosts that link to each other. It is crawled, ranked and searched from the command line.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { directoryAt, silentLog, systemClock } from '../../src/base/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { DEFAULT_PROFILE } from '../../src/scoring/mod.ts';
import { gyre } from '../helpers/gyre.ts';

const FARM = numbered('ring', 6);
const FANS = numbered('fan', 3);
const HOSTS = ['directory', 'honest', ...FARM, ...FANS];
/**
 * The number of words that only one page has. All pages have the same length, and no two count as duplicates.
 */
const OWN_WORDS = 40;

const data = mkdtempSync(join(tmpdir(), 'gyre-link-graph-'));
let port: number;

/** The fields in the output of `gyre rank --json` that the tests check. */
interface Told {
  topPages?: { url: string; rank: number }[];
  hosts?: { host: string; inHosts: number; inDomains: number; concentration: number }[];
}

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}${at}`);
}

function linksOf(host: string): string[] {
  if (host === 'directory') return ['honest', ...FARM, ...FANS];
  if (FANS.includes(host)) return ['honest'];
  return FARM.includes(host) ? FARM.filter((other) => other !== host) : [];
}

/** Returns the page of a host. The honest site and the farm have the same text about lamps. */
function pageOf(host: string): string {
  const own = numbered(host, OWN_WORDS).map((word) => `and the ${word} is with it`);
  const links = linksOf(host).map((other) => `<a href="${urlOf(other)}">go</a>`);
  const subject = host === 'honest' || FARM.includes(host) ? 'brass lamps' : 'other things';
  return `<title>On ${subject}</title><p>All about ${subject} ${own.join(' ')}</p>${links.join(' ')}`;
}

function urlOf(host: string): string {
  return `http://${host}.localhost:${port}/`;
}

async function output(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await gyre([...args, '--data', data]);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Returns the hosts of the results, best first, for the default profile with the given weights changed. */
async function hostsBy(weights: Record<string, number>): Promise<string[]> {
  const profile = { ...DEFAULT_PROFILE, weights: { ...DEFAULT_PROFILE.weights, ...weights } };
  const index = directoryAt(join(data, 'index'));
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock, profile });
  const { results } = await searcher.search({ query: 'brass lamps', offset: 0, limit: 10 });
  searcher.close();
  return results.map(({ host }) => host.split('.')[0]!);
}

before(async () => {
  const server = createServer((request, response) => {
    const isHome = request.url === '/';
    response.writeHead(isHome ? 200 : 404, { 'content-type': 'text/html' });
    response.end(isHome ? pageOf(request.headers.host!.split('.')[0]!) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  await output('crawl', '--delay', '5ms', ...HOSTS.map(urlOf));
  server.close();
  await output('build');
  await output('rank');
});

after(() => rmSync(data, { recursive: true }));

test('a link farm ranks below an honest site with the same text', async () => {
  assert.deepEqual((await hostsBy({})).toSorted(), ['honest', ...FARM]);
  assert.equal((await hostsBy({}))[0], 'honest');
  assert.equal((await hostsBy({ trust: 0 }))[0], 'honest', 'the mark of a farm is enough');
  assert.equal(
    (await hostsBy({ trust: 0, noFarm: 0 })).at(-1),
    'honest',
    'without the features the farm wins',
  );
});

test('an explanation shows the host signals', async () => {
  const { results, explained } = JSON.parse(await output('search', '--json', '--explain', 'brass lamps')) as {
    results: { host: string }[];
    explained: { shares: { feature: string; value: number }[] }[];
  };
  assert.equal(results[0]!.host, 'honest.localhost');
  const valueIn = (place: number, feature: string) =>
    explained[place]!.shares.find((share) => share.feature === feature)!.value;
  assert.ok(valueIn(0, 'pageRank') < valueIn(1, 'pageRank'), 'the farm has the rank');
  assert.ok(valueIn(0, 'trust') > 0.5 && valueIn(1, 'trust') < 0.5);
  assert.equal(valueIn(0, 'noFarm'), 1);
  assert.ok(valueIn(1, 'noFarm') < 0.2);
  assert.equal(valueIn(0, 'independent'), 1);
  assert.match(await output('search', '--explain', 'brass lamps'), /noFarm\s+weight 0\.4 × value 1\n/);
});

test('a crawl continues without damaged ranks and logs it', async () => {
  const graph = join(data, 'graph');
  const file = join(graph, readdirSync(graph).find((name) => name.endsWith('.ranks'))!);
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, -5));
  const { code, stderr } = await gyre(['crawl', '--data', data]);
  writeFileSync(file, whole);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /ranks unreadable.*run gyre rank/);
});

test('ranks are printed for pages, hosts and published variants, and exported', async () => {
  const { topPages } = JSON.parse(await output('rank', '--top', '3', '--json')) as Told;
  assert.equal(topPages!.length, 3);
  assert.match(topPages![0]!.url, /ring\d\.localhost/);

  const { hosts } = JSON.parse(await output('rank', '--hosts', '--top', '100', '--json')) as Told;
  assert.equal(hosts!.length, HOSTS.length);
  const honest = hosts!.find(({ host }) => host === 'honest.localhost')!;
  assert.deepEqual([honest.inHosts, honest.inDomains, honest.concentration], [4, 4, 0]);
  assert.match(
    await output('rank', '--hosts', '--top', '1'),
    /6 hosts of 6 domains, trust 0\.00, farm 0\.83\n/,
  );

  assert.match(
    await output('rank', '--variant', 'back-edges', '--top', '1'),
    /\n\S+ {2}http:\/\/honest\.localhost/,
  );
  assert.match(
    await output('rank', '--variant', 'host-scores', '--top', '1'),
    /\n1\.000e\+1 {2}ring\d\.localhost\n/,
  );

  const rows = (await output('export', '--ranks')).trimEnd().split('\n');
  const ranks = rows.map((row) => JSON.parse(row) as { url: string; rank: number });
  assert.deepEqual(ranks.map(({ url }) => url).toSorted(), HOSTS.map(urlOf).toSorted());
  const sum = ranks.reduce((total, { rank }) => total + rank, 0);
  assert.ok(Math.abs(sum - 1) < 1e-5, `${sum}`);
});

test('ranks can be biased towards seeds; wrong arguments leave the ranks unchanged', async () => {
  const { topPages } = JSON.parse(
    await output('rank', '--seeds', ` FAN0.localhost:${port} ,`, '--json'),
  ) as Told;
  assert.deepEqual(
    topPages!.slice(0, 2).map(({ url }) => url),
    [urlOf('fan0'), urlOf('honest')],
  );
  const before = await output('export', '--ranks');
  const files = readdirSync(join(data, 'graph'));
  for (const [wrong, message] of [
    [['--seeds', 'honest.localhost,nowhere.example'], /unknown pages or hosts: nowhere\.example;/],
    [['--trusted', 'honest.localhost, nowhere.example'], /unknown hosts: nowhere\.example;/],
    [['--seeds', ' , '], /--seeds takes one or more names/],
    [['--trusted='], /--trusted takes one or more names/],
    [['--top='], /--top takes a whole number/],
    [['--variant', 'best'], /--variant takes one of back-edges, host-scores/],
    [['--top', 'many'], /--top takes a whole number/],
  ] as const) {
    const { code, stderr } = await gyre(['rank', '--data', data, ...wrong]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
  assert.equal(await output('export', '--ranks'), before);
  assert.deepEqual(readdirSync(join(data, 'graph')), files, 'nothing is left behind');
});

test('two exports at once are an error', async () => {
  for (const [two, message] of [
    [['--ranks', '--format', 'warc'], /--ranks and --format exclude each other/],
    [['--ranks', '--ciff', join(data, 'x.ciff')], /--ranks and --ciff exclude each other/],
    [['--ciff', join(data, 'x.ciff'), '--out', join(data, 'y')], /remove --out/],
  ] as const) {
    const { code, stderr } = await gyre(['export', '--data', data, ...two]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
  }
  assert.ok(!readdirSync(data).includes('x.ciff'));
});
