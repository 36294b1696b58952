import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { WARC_START } from '../../archive/mod.ts';
import { type Directory, openDirectory } from '../../base/mod.ts';
import { JOURNAL_START } from '../../journal/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../../url/mod.ts';
import type { CrawlBatch, HostRow, LastCapture, UrlResult, UrlState } from './crawl-state.ts';
import type { HostFailure } from './reasons.ts';
import { openCrawlState } from './sqlite-state.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-state-'));
after(() => rmSync(root, { recursive: true }));
let directories = 0;
const freshDirectory = (): Directory => openDirectory(join(root, String(++directories)));
const url = (raw: string): CanonicalUrl => canonicalize(raw)!;

const found = (raw: string, depth: number) => ({ url: url(raw), fingerprint: fingerprint(url(raw)), depth });

function batch(over: Partial<CrawlBatch>): CrawlBatch {
  const empty = { results: [], discovered: [], hosts: [], contents: new Map(), maxUrlsPerHost: 1000 };
  return { ...empty, warc: WARC_START, journal: JOURNAL_START, seenBytes: 0, sketches: 0, ...over };
}

function result(raw: string, state: UrlState): UrlResult {
  return {
    fingerprint: fingerprint(url(raw)),
    state,
    attempts: 1,
    status: 200,
    reason: { code: 'trap', kind: 'loop', pattern: '/*' },
    fetchedAt: 5,
  };
}

test('a URL is ready once, however often it is discovered', async () => {
  const state = openCrawlState(freshDirectory());
  const discovered = ['http://a.test/2', 'http://a.test/1', 'http://a.test/2'].map((raw) => found(raw, 1));
  const first = await state.commit(batch({ discovered: [...discovered, found('http://a.test/', 0)] }));
  assert.equal(first.added.length, 3);
  const second = await state.commit(batch({ discovered }));
  assert.deepEqual(second.added, []);
  const urls = await state.readyUrls('http://a.test', 10);
  assert.deepEqual(
    urls.map((ready) => ready.url),
    ['http://a.test/', 'http://a.test/2', 'http://a.test/1'],
  );
  state.close();
});

test('a restart reads everything, with the marks of the last commit', async () => {
  const directory = freshDirectory();
  const state = openCrawlState(directory);
  await state.commit(batch({ discovered: [found('http://a.test/', 0)] }));
  const robots = { kind: 'rules', body: Buffer.from('User-agent: *'), expiresAt: 99 } as const;
  const failure: HostFailure = { code: 'http-status', status: 503 };
  const row: Omit<HostRow, 'id'> = {
    origin: 'http://a.test',
    nextFetchAt: 77,
    delayMs: 5,
    robots,
    failures: 2,
    parkedReason: { code: 'failed', request: 'page', failure },
    waitReason: { code: 'retry-after', request: 'page', failure },
    address: '192.0.2.1',
    links: 0,
    fetched: 7,
    useful: 5,
  };
  const warc = { file: 3, length: 33 };
  const journal = { file: 4, length: 44, records: 2 };
  await state.commit(
    batch({
      results: [result('http://a.test/', 'ready')],
      hosts: [row],
      warc,
      journal,
      seenBytes: 8,
      sketches: 1,
    }),
  );
  state.close();
  const again = openCrawlState(directory);
  const [host] = await again.hostsWithWork();
  assert.deepEqual(
    { ...host, robots: { ...host!.robots, body: String.fromCharCode(...host!.robots!.body) } },
    {
      ...row,
      robots: { ...robots, body: 'User-agent: *' },
    },
  );
  assert.deepEqual(await again.marks(), { warc, journal, seenBytes: 8, sketches: 1 });
  assert.deepEqual(await again.fingerprints(null, 10), [fingerprint(url('http://a.test/'))]);
  assert.equal((await again.readyUrls('http://a.test', 1))[0]!.attempts, 1);
  again.close();
});

test('results are counted by state and problems by reason', async () => {
  const state = openCrawlState(freshDirectory());
  const paths = ['http://a.test/1', 'http://a.test/2', 'http://a.test/3', 'http://a.test/4'];
  await state.commit(batch({ discovered: paths.map((raw) => found(raw, 0)) }));
  const states: UrlState[] = ['done', 'refused', 'failed', 'ready'];
  await state.commit(batch({ results: paths.map((raw, index) => result(raw, states[index]!)) }));
  const counts = { hosts: 1, parked: 0, ready: 1, done: 1, refused: 1, failed: 1 };
  assert.deepEqual(await state.counts(), counts);
  assert.deepEqual(
    (await state.problems(5)).map(({ reason, count }) => [reason, count]),
    [[{ code: 'trap', kind: 'loop', pattern: '/*' }, 2]],
  );
  state.close();
});

test('fetched URLs are counted by their outcome or by a later verdict', async () => {
  const state = openCrawlState(freshDirectory());
  const paths = ['http://a.test/1', 'http://a.test/2', 'http://a.test/3'];
  await state.commit(batch({ discovered: paths.map((raw) => found(raw, 0)) }));
  const of = url('http://a.test/1');
  const verdict = { url: url('http://a.test/2'), kind: 'near-duplicate' as const, of };
  const results = paths.map((raw, at) => ({
    ...result(raw, 'done'),
    reason: { code: at < 2 ? ('page' as const) : ('gone' as const) },
  }));
  const verdicts = new Map([[fingerprint(verdict.url), verdict]]);
  const nothing = { notes: new Map(), sketches: new Map(), claims: new Map(), reopened: new Set<bigint>() };
  await state.commit(batch({ results, findings: { ...nothing, verdicts } }));
  assert.deepEqual(
    (await state.answers()).map(({ reason, count }) => [reason.code, count]),
    [
      ['gone', 1],
      ['near-duplicate', 1],
      ['page', 1],
    ],
  );
  state.close();
});

test('a host gets no more URLs than its limit', async () => {
  const state = openCrawlState(freshDirectory());
  const discovered = Array.from({ length: 20 }, (_, page) => found(`http://a.test/${page}`, 0));
  assert.equal((await state.commit(batch({ discovered, maxUrlsPerHost: 7 }))).added.length, 7);
  state.close();
});

test('the first URL with a content stays its owner', async () => {
  const state = openCrawlState(freshDirectory());
  const owner = (raw: string) => new Map([['D', { url: url(raw), fetchedAt: 1, payloadDigest: 'P' }]]);
  await state.commit(batch({ contents: owner('http://a.test/1') }));
  await state.commit(batch({ contents: owner('http://a.test/2') }));
  assert.equal((await state.contentOwner('D'))?.url, 'http://a.test/1');
  assert.equal(await state.contentOwner('E'), null);
  state.close();
});

const LAST: LastCapture = {
  summary: { code: 'page', textKey: 1 },
  etag: '"1"',
  lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT',
  robotsTag: '',
  digest: 'D',
  payloadDigest: 'P',
  archivedAt: 5,
  isDocument: true,
  sketch: null,
  goneCount: 0,
  intervalMs: 10,
  dueAt: 15,
};

test('a URL is ready again when it is due, and only once', async () => {
  const state = openCrawlState(freshDirectory());
  const [first, second] = ['http://a.test/1', 'http://b.test/2'];
  await state.commit(batch({ discovered: [found(first, 0), found(second, 0)] }));
  const last = { ...LAST, sketch: 7 };
  const results = [
    { ...result(first, 'done'), last },
    { ...result(second, 'failed'), last: { ...LAST, dueAt: 99 } },
  ];
  await state.commit(batch({ results }));
  assert.deepEqual(await state.lastCapture(fingerprint(url(first))), last);
  assert.deepEqual(await state.wakeDue(14, 10), { origins: [], count: 0 });
  assert.deepEqual(await state.wakeDue(15, 10), { origins: ['http://a.test'], count: 1 });
  assert.deepEqual(await state.wakeDue(15, 10), { origins: [], count: 0 });
  assert.equal((await state.counts()).ready, 1);
  assert.equal((await state.lastCapture(fingerprint(url(first))))?.etag, '"1"');
  assert.equal((await state.wakeDue(99, 10)).count, 1, 'what failed is due as well');
  state.close();
});

test('content that its owner lost can get another owner', async () => {
  const state = openCrawlState(freshDirectory());
  const owner = (raw: string) => new Map([['D', { url: url(raw), fetchedAt: 1, payloadDigest: 'P' }]]);
  await state.commit(batch({ contents: owner('http://a.test/1') }));
  await state.commit(batch({ released: new Map([['D', url('http://a.test/2')]]) }));
  assert.equal((await state.contentOwner('D'))?.url, 'http://a.test/1', 'only its owner can give it up');
  const released = new Map([['D', url('http://a.test/1')]]);
  await state.commit(batch({ released, contents: owner('http://a.test/3') }));
  assert.equal((await state.contentOwner('D'))?.url, 'http://a.test/3');
  state.close();
});

test('another process can read the state of a running crawl', async () => {
  const directory = freshDirectory();
  const state = openCrawlState(directory);
  await state.commit(batch({ discovered: [found('http://a.test/', 0)] }));
  const onlooker = openCrawlState(directory, { readOnly: true });
  assert.equal((await onlooker.counts()).ready, 1);
  onlooker.close();
  state.close();
});

test('a state of a newer version is refused and not changed', () => {
  const directory = freshDirectory();
  const database = new DatabaseSync(join(directory.path, 'crawl.db'));
  database.exec('PRAGMA user_version = 99');
  database.close();
  assert.throws(
    () => openCrawlState(directory),
    /written by a newer Gyre \(format 99, this one reads \d+\): upgrade Gyre/,
  );
  directory.replace(
    'crawl.db',
    Buffer.from('this is no database at all, but long enough to look like a file'),
  );
  assert.throws(() => openCrawlState(directory), /cannot open .*crawl\.db: file is not a database/);
});

test('counts follow every change of state, also to ready again', async () => {
  const directory = freshDirectory();
  const state = openCrawlState(directory);
  const paths = ['http://a.test/1', 'http://a.test/2', 'http://b.test/1'];
  await state.commit(batch({ discovered: paths.map((raw) => found(raw, 0)) }));
  await state.commit(batch({ results: paths.map((raw) => result(raw, 'done')) }));
  state.drained('http://a.test');
  await state.commit(batch({}));
  assert.deepEqual(
    (await state.frontHosts(0, '', 10)).map(({ origin }) => origin),
    ['http://b.test'],
  );
  await state.commit(batch({ results: [result('http://a.test/2', 'ready')] }));
  assert.equal((await state.frontHosts(0, '', 10)).length, 2);
  const { ready, done } = await state.counts();
  assert.deepEqual([ready, done], [1, 2]);
  state.close();
});

test('a host with more linking hosts moves to a higher front queue; each host counts once per commit', async () => {
  const state = openCrawlState(freshDirectory());
  const from = (raw: string, origin: string) => ({ ...found(raw, 1), from: origin });
  const others = ['http://b.test', 'http://c.test', 'http://d.test'];
  await state.commit(
    batch({ discovered: others.map((origin, page) => from(`http://a.test/${page}`, origin)) }),
  );
  const sameHost = ['http://e.test/1', 'http://e.test/2', 'http://e.test/3'];
  await state.commit(batch({ discovered: sameHost.map((raw) => from(raw, 'http://b.test')) }));
  assert.deepEqual(
    (await state.frontHosts(1, '', 10)).map(({ origin, links }) => [origin, links]),
    [['http://a.test', 3]],
  );
  assert.equal((await state.host('http://e.test'))!.links, 1);
  state.close();
});

test('a host with a pending icon has work, and a found icon has its URL', async () => {
  const directory = freshDirectory();
  const state = openCrawlState(directory);
  await state.commit(batch({ discovered: [found('http://a.test/', 0)] }));
  const row = (await state.host('http://a.test'))!;
  const next = 'http://a.test/favicon.ico';
  const icon = { found: '', etag: '', lastModified: '', next, asked: [], dueAt: 0 };
  const results = [result('http://a.test/', 'done')];
  await state.commit(batch({ results, hosts: [{ ...row, icon }] }));
  state.drained(row.origin);
  await state.commit(batch({}));
  const [waiting] = await state.frontHosts(0, '', 10);
  assert.deepEqual(waiting?.icon, icon);
  assert.equal((await state.counts()).ready, 0, 'it is none of the URLs');

  await state.commit(batch({ hosts: [{ ...row, icon: { ...icon, found: next, next: '' } }] }));
  state.drained(row.origin);
  await state.commit(batch({}));
  assert.deepEqual(await state.frontHosts(0, '', 10), []);
  const reader = openCrawlState(directory, { readOnly: true });
  assert.equal((await reader.host('http://a.test'))?.icon?.found, next);
  reader.close();
  state.close();
});

test('a state of the first version is migrated with its hosts, counts and marks', async () => {
  const directory = freshDirectory();
  const database = new DatabaseSync(join(directory.path, 'crawl.db'));
  database.exec(
    readFileSync(join(import.meta.dirname, '../../../test/fixtures/formats/crawl-1.sql'), 'utf8'),
  );
  database.exec(`UPDATE host SET set_aside = 'HTTP 503', next_fetch_at = 77 WHERE origin = 'http://a.test'`);
  database.close();
  const state = openCrawlState(directory, { readOnly: true });
  assert.deepEqual(await state.counts(), {
    hosts: 2,
    parked: 1,
    ready: 1,
    done: 2,
    refused: 0,
    failed: 0,
  });
  const parked = (await state.host('http://a.test'))!;
  assert.deepEqual([parked.parkedReason, parked.nextFetchAt], [{ code: 'unknown' }, 77]);
  const [host, ...others] = await state.frontHosts(0, '', 10);
  assert.equal(host!.origin, 'http://b.test');
  assert.deepEqual(others, []);
  assert.equal((await state.readyUrls(host!.origin, 10))[0]!.url, 'http://b.test/');
  assert.equal((await state.marks())!.seenBytes, 24);
  assert.equal(await state.lastCapture(fingerprint(url('http://a.test/'))), null);
  assert.equal((await state.host('http://a.test'))!.icon, undefined);
  const domain = (await state.domain('b.test'))!;
  assert.deepEqual([domain.hosts, domain.admitted], [1, 1]);
  state.close();
});

test('a flipped byte anywhere in a closed crawl.db is detected before the crawl starts', async () => {
  const directory = freshDirectory();
  const state = openCrawlState(directory);
  await state.commit(batch({ discovered: [found('http://c.d0000.test/', 0), found('http://a.test/x', 1)] }));
  state.close();
  openCrawlState(directory).close();
  const whole = directory.read('crawl.db');
  for (const at of [20, 100, whole.indexOf('c.d0000.test') + 10, whole.length >> 1, whole.length - 1]) {
    const flipped = Buffer.from(whole);
    flipped[at]! ^= 0x40;
    directory.replace('crawl.db', flipped);
    assert.throws(
      () => openCrawlState(directory),
      /crawl\.db at byte 0: expected checksum .+gyre doctor --repair/,
    );
  }
  directory.replace('crawl.db', whole.subarray(0, -4096));
  assert.throws(() => openCrawlState(directory), /crawl\.db at byte \d+: expected \d+ bytes/);
  directory.replace('crawl.db', whole);
  openCrawlState(directory).close();
});

test('after a crash, a damaged URL or mark is not used', async () => {
  const directory = freshDirectory();
  const crashed = openCrawlState(directory);
  await crashed.commit(batch({ discovered: [found('http://c.d0000.test/', 0)], seenBytes: 8 }));
  const database = new DatabaseSync(join(directory.path, 'crawl.db'));
  const change = (sql: string) => database.exec(sql);
  change(`UPDATE url SET url = 'http://c.d0000.te2t/'`);
  await assert.rejects(
    crashed.readyUrls('http://c.d0000.test', 9),
    /table url: expected .+, got http:\/\/c\.d0000\.te2t\/ .+gyre doctor --repair/,
  );
  await assert.rejects(crashed.urlOf(fingerprint(url('http://c.d0000.test/'))), { code: 'corrupt-file' });
  change(`UPDATE url SET url = 'http://c.d0000.test/'; UPDATE host SET origin = 'http://c.d0000.te2t'`);
  await assert.rejects(crashed.readyUrls('http://c.d0000.te2t', 9), /table host: expected the origin of/);
  change(`UPDATE mark SET value = replace(value, '"seenBytes": 8', '"seenBytes": 0')`);
  await assert.rejects(crashed.marks(), /table mark .+expected checksum/);
  change(`UPDATE mark SET value = '{"warc":{"file":1,"length":0},"journal":{},"seenBytes":0,"sketches":0}'`);
  assert.equal((await crashed.marks())!.seenBytes, 0, 'a mark of an older version has no checksum');
  database.close();
  crashed.close();
});

test('hosts that are parked for one kind of failure are unparked, others are not', async () => {
  const state = openCrawlState(freshDirectory());
  await state.commit(batch({ discovered: [found('http://a.test/', 0), found('http://b.test/', 0)] }));
  const rows = (await state.hostsWithWork()).map((row) => ({ ...row, nextFetchAt: 1e12, failures: 3 }));
  const failures: HostFailure[] = [{ code: 'address-refused' }, { code: 'http-status', status: 503 }];
  const parked = failures.map((failure) => ({
    code: 'failed' as const,
    request: 'robots' as const,
    failure,
  }));
  await state.commit(batch({ hosts: rows.map((row, at) => ({ ...row, parkedReason: parked[at]! })) }));
  assert.deepEqual(
    await state.problems(5),
    parked.map((reason) => ({ parked: reason, count: 1 })),
  );
  await state.unparkFailed('address-refused');
  const [a, b] = [await state.host(rows[0]!.origin), await state.host(rows[1]!.origin)];
  assert.deepEqual([a!.parkedReason, a!.nextFetchAt, a!.failures], [null, 0, 0]);
  assert.deepEqual([b!.parkedReason, b!.nextFetchAt, b!.failures], [parked[1], 1e12, 3]);
});

test('outcomes are counted as a scan of all URLs counts them, also after visits are repeated', async () => {
  const directory = freshDirectory();
  const state = openCrawlState(directory);
  const pages = ['1', '2', '3', '4', '5'].map((name) => `http://a.test/${name}`);
  await state.commit(batch({ discovered: pages.map((page) => found(page, 1)) }));
  assert.deepEqual(await state.answers(), []);
  const done = (raw: string, code: 'page' | 'gone'): UrlResult => ({
    ...result(raw, 'done'),
    reason: { code },
  });
  const verdict = { url: url(pages[1]!), kind: 'duplicate', of: url(pages[0]!) } as const;
  const findings = {
    ...{ notes: new Map(), claims: new Map(), sketches: new Map(), reopened: new Set<bigint>() },
    verdicts: new Map([[fingerprint(verdict.url), verdict]]),
  };
  const first = pages.map((page, at) => (at < 4 ? done(page, 'page') : result(page, 'refused')));
  await state.commit(batch({ results: first, findings }));
  assert.deepEqual(await state.answers(), [
    { reason: { code: 'page' }, count: 3 },
    { reason: { code: 'duplicate' }, count: 1 },
  ]);
  await state.commit(batch({ results: [done(pages[0]!, 'gone'), result(pages[2]!, 'ready')] }));
  assert.deepEqual(await state.answers(), [
    { reason: { code: 'duplicate' }, count: 1 },
    { reason: { code: 'gone' }, count: 1 },
    { reason: { code: 'page' }, count: 1 },
  ]);
  assert.deepEqual(await state.problems(9), [{ reason: result(pages[4]!, 'refused').reason, count: 1 }]);
  state.close();
  const database = new DatabaseSync(join(directory.path, 'crawl.db'));
  const rows = (sql: string) => database.prepare(sql).all();
  assert.deepEqual(
    rows('SELECT state, reason, count FROM outcome ORDER BY state, reason'),
    rows(`SELECT state, reason, count(*) AS count FROM url WHERE state <> 'ready'
      GROUP BY state, reason ORDER BY state, reason`),
  );
  database.close();
});
