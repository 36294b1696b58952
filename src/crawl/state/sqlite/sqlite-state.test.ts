import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { WARC_START } from '../../../archive/mod.ts';
import { type Directory, openDirectory } from '../../../base/mod.ts';
import { JOURNAL_START } from '../../../journal/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../../../url/mod.ts';
import type { CrawlBatch, UrlResult, UrlState } from '../crawl-state.ts';
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

test('a state of the first version is migrated with its hosts, counts and marks', async () => {
  const directory = freshDirectory();
  const database = new DatabaseSync(join(directory.path, 'crawl.db'));
  database.exec(
    readFileSync(join(import.meta.dirname, '../../../../test/fixtures/formats/crawl-1.sql'), 'utf8'),
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
