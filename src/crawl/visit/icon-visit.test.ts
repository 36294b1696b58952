/** Tests of icon requests: requested URLs and hosts, and the data that is kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { encodePng, silentLog } from '../../base/mod.ts';
import { type CanonicalUrl, canonicalize, type UrlRules } from '../../url/mod.ts';
import { CrawlProgress } from '../crawl-progress.ts';
import type { FetchOutcome } from '../fetch/exchange.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import type { ForeignRequests } from '../frontier/foreign-requests.ts';
import type { Frontier } from '../frontier/frontier.ts';
import { HostQueue } from '../frontier/host-queue.ts';
import { Importance } from '../frontier/importance.ts';
import type { Recorder } from '../recorder.ts';
import { headersOf } from '../response-headers.ts';
import { parseRobots } from '../robots/robots-rules.ts';
import { SlicedWork } from '../sliced-work.ts';
import type { HostRow } from '../state/crawl-state.ts';
import { iconAfterPage } from '../state/site-icon.ts';
import type { HostLeases } from './host-leases.ts';
import { IconVisits } from './icon-visit.ts';
import type { ResponseHandler } from './response-handler.ts';
import type { VisitServices } from './visit-services.ts';

const ORIGIN = 'http://a.test';
const NOW = 1e12;
const PNG = encodePng({ width: 1, height: 1, rgba: new Uint8Array(4) });
const importance = new Importance();

function rowOf(origin: string, robots = ''): HostRow {
  const body = Buffer.from(robots);
  return {
    ...{ id: 1, origin, nextFetchAt: 0, delayMs: 0, failures: 0, address: '' },
    ...{ waitReason: null, parkedReason: null },
    ...{ links: 0, fetched: 1, useful: 1 },
    robots: { kind: 'rules', body, expiresAt: NOW + 1 },
  };
}

interface World {
  host: HostQueue;
  icons: IconVisits;
  asked: string[];
  archived: string[];
}

/** Creates a leased host whose front page declares an icon, with the services that an icon visit needs. */
function world(
  declared: string | undefined,
  answer: FetchOutcome,
  around: { robots?: string; others?: HostRow[]; opensAt?: number; ignored?: string } = {},
): World {
  const { robots = '', others = [], opensAt = 0, ignored } = around;
  const row = rowOf(ORIGIN, robots);
  row.icon = iconAfterPage(undefined, { url: canonicalize('/', ORIGIN)!, declared }, NOW);
  const host = new HostQueue(row, importance);
  host.rulesCompiled(parseRobots(Buffer.from(robots), 'gyre'));
  const asked: string[] = [];
  const archived: string[] = [];
  const fetcher = {
    fetch(url: string) {
      asked.push(url);
      return Promise.resolve(answer);
    },
  };
  const foreign = {
    rowOf: (origin: string) => Promise.resolve(others.find((other) => other.origin === origin) ?? null),
    shareGroup: (one: string, other: string) => one === other,
    reserve: () => Promise.resolve(opensAt === 0 ? { kind: 'granted' } : { kind: 'wait', untilMs: opensAt }),
    finished: () => {},
  };
  const responseHandler = {
    async takeIcon(url: CanonicalUrl) {
      archived.push(url);
      return null;
    },
  };
  const urlRules = {
    decide: (url: string) => ({ verb: ignored && url.includes(ignored) ? 'ignore' : 'index' }),
  };
  const services: VisitServices = {
    fetcher: fetcher as unknown as Fetcher,
    frontier: {} as Frontier,
    foreign: foreign as unknown as ForeignRequests,
    responseHandler: responseHandler as unknown as ResponseHandler,
    recorder: {} as Recorder,
    leases: {} as HostLeases,
    progress: new CrawlProgress(),
    urlRules: urlRules as unknown as UrlRules,
    removed: { matches: () => false, coversHost: () => false },
    politeness: { delayMs: 0, delayFactor: 0 },
    productToken: 'gyre',
    slices: new SlicedWork(),
    clock: { now: () => NOW },
    log: silentLog,
    onUnreachable() {},
  };
  const robotsOverrides = { includes: () => false };
  const icons = new IconVisits(services, { robotsOverrides, icons: true });
  return { host, icons, asked, archived };
}

function response(
  status: number,
  rawHeaders: string[] = [],
  payload: Buffer = Buffer.alloc(0),
): FetchOutcome {
  const head = { statusText: '', requestHead: '', ipAddress: '', elapsedMs: 1 };
  return { kind: 'response', status, ...head, headers: headersOf(rawHeaders), rawHeaders, payload };
}

async function visit({ host, icons }: World): Promise<string | null> {
  const request = await icons.ask(host);
  if (!request) return null;
  const { icon, reason } = await icons.take(host, request);
  host.keepIcon(icon);
  return reason;
}

test('an icon is archived and found, also a compressed one', async () => {
  const packed = world('http://a.test/i.png', response(200, ['Content-Encoding', 'gzip'], gzipSync(PNG)));
  assert.equal(await visit(packed), 'picture');
  assert.deepEqual(packed.archived, ['http://a.test/i.png']);
  assert.equal(packed.host.icon?.found, 'http://a.test/i.png');
  assert.ok(!packed.host.wantsIcon);
});

test('a response that is not an image is not archived, whatever its type says', async () => {
  const bomb = gzipSync(Buffer.concat([PNG, Buffer.alloc(10_000_000)]));
  const bodies: [Buffer, string[]][] = [
    [Buffer.from('<title>Welcome</title>'), ['Content-Type', 'image/x-icon']],
    [Buffer.from('<svg onload=alert(1)>'), ['Content-Type', 'image/png']],
    [Buffer.alloc(0), []],
    [bomb, ['Content-Encoding', 'gzip']],
    [Buffer.from('none of it'), ['Content-Encoding', 'gzip']],
  ];
  for (const [body, headers] of bodies) {
    const site = world(undefined, response(200, headers, body));
    assert.equal(await visit(site), 'no-picture', String(headers));
    assert.deepEqual(site.archived, []);
    assert.equal(site.host.icon?.found, '');
  }
});

test('robots.txt applies to declared icons and to /favicon.ico', async () => {
  const answer = response(200, [], PNG);
  const one = world('http://a.test/img/i.png', answer, { robots: 'User-agent: *\nDisallow: /img' });
  await visit(one);
  assert.deepEqual(one.asked, ['http://a.test/favicon.ico']);
  const both = world('http://a.test/img/i.png', answer, {
    robots: 'User-agent: *\nDisallow: /img\nDisallow: /favicon.ico',
  });
  assert.equal(await visit(both), null);
  assert.deepEqual(both.asked, []);
  assert.ok(!both.host.wantsIcon);
});

test('an icon on another host is requested only if URL rules and a known robots.txt allow it', async () => {
  const icon = 'http://b.test/i.png';
  const answer = response(200, [], PNG);
  const other = rowOf('http://b.test', 'User-agent: *\nDisallow: /x');
  const asked = async (around: Parameters<typeof world>[2]) => {
    const site = world(icon, answer, around);
    await visit(site);
    return site.asked[0];
  };
  assert.equal(await asked({ others: [other] }), icon);
  const usual = 'http://a.test/favicon.ico';
  assert.equal(await asked({}), usual, 'an unknown host');
  assert.equal(await asked({ others: [{ ...other, robots: null }] }), usual, 'no robots.txt');
  assert.equal(
    await asked({ others: [{ ...other, parkedReason: { code: 'long-delay', delayMs: 1e6 } }] }),
    usual,
    'parked',
  );
  assert.equal(await asked({ others: [rowOf('http://b.test', 'User-agent: *\nDisallow: /i')] }), usual);
  assert.equal(await asked({ others: [other], ignored: 'b.test' }), usual, 'out of scope');
  assert.equal(await asked({ others: [other], opensAt: NOW + 60_000 }), usual, 'long busy');
});

test('an icon request waits for another host that is free soon', async () => {
  const site = world('http://b.test/i.png', response(200, [], PNG), {
    others: [rowOf('http://b.test')],
    opensAt: NOW + 100,
  });
  assert.equal(await visit(site), null);
  assert.ok(site.host.wantsIcon);
  assert.deepEqual([site.host.nextFetchAt, site.asked], [NOW + 100, []]);
});

test('an error ends the search for a day, and a missing icon for a month', async () => {
  const dueIn = async (answer: FetchOutcome) => {
    const site = world(undefined, answer);
    await visit(site);
    assert.ok(!site.host.wantsIcon);
    return (site.host.icon!.dueAt - NOW) / 86_400_000;
  };
  assert.equal(await dueIn(response(503, ['Retry-After', '3'])), 1);
  assert.equal(await dueIn({ kind: 'failed', reason: 'timeout', retry: true, elapsedMs: 1 }), 1);
  assert.equal(await dueIn(response(404)), 30);
  assert.equal(await dueIn({ kind: 'failed', reason: 'too large', retry: false, elapsedMs: 1 }), 30);
  assert.equal(await dueIn({ kind: 'abandoned', status: 200, contentType: 'text/html', elapsedMs: 1 }), 30);
});
