import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDirectory, Random } from '../../base/mod.ts';
import { sketchOf } from '../../sketch/sketch.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { NearDuplicates } from '../duplicates/near-duplicates.ts';
import type { PageFacts } from '../parsing/read-response.ts';
import { parseRobots } from '../robots/robots-rules.ts';
import { PendingState } from '../state/pending-state.ts';
import { openCrawlState } from '../state/sqlite/sqlite-state.ts';
import { emptyCommit } from '../state/state.fixture.ts';
import { MissingPages } from './missing-pages.ts';

const ORIGIN = 'http://a.test';
const MONTH_MS = 30 * 24 * 3_600_000;
const root = mkdtempSync(join(tmpdir(), 'gyre-missing-'));
after(() => rmSync(root, { recursive: true }));

const open = parseRobots(Buffer.from(''), 'gyre');
const url = (path: string) => (ORIGIN + path) as CanonicalUrl;

function facts(title: string, seed: number, over: Partial<PageFacts> = {}): PageFacts {
  const random = new Random(seed);
  const text = Array.from({ length: 120 }, () => `w${random.below(5000)}`).join(' ');
  const robots = {} as PageFacts['robots'];
  const rest = { language: 'en', changeKey: seed, contentKey: seed, parkedSigns: [], ownLinks: '' };
  return { title, robots, canonical: null, sketch: sketchOf(text), ...rest, ...over };
}

function start(name: string) {
  let now = 1_000_000;
  const directory = openDirectory(join(root, name));
  const state = openCrawlState(directory);
  const findings = new PendingState(state);
  const near = new NearDuplicates(directory.directory('dedup'), 0);
  const options = { state, findings, near, clock: { now: () => now }, random: new Random(3) };
  const restart = () => new MissingPages({ ...options, findings: new PendingState(state) });
  const pass = (ms: number) => {
    now += ms;
  };
  return { missing: new MissingPages(options), findings, near, state, restart, pass };
}

const answerPages = (missing: MissingPages, count: number) => {
  for (let page = 0; page < count; page++) missing.judge(url(`/${page}`), facts('A page', page));
};

test('a host is probed after ten responses and again after a month, also across restarts', async () => {
  const { missing, findings, state, restart, pass } = start('once');
  answerPages(missing, 9);
  assert.equal(missing.probeFor(ORIGIN, open), null);
  answerPages(missing, 1);
  assert.match(missing.probeFor(ORIGIN, open)!, /^http:\/\/a\.test\/[a-z]{16}$/);
  assert.equal(missing.probeFor(ORIGIN, open), null, 'while the answer is under way');
  await missing.learned(ORIGIN, { kind: 'gone' });
  await state.commit({ ...emptyCommit(), ...findings.take() });
  const later = restart();
  await later.load(ORIGIN);
  answerPages(later, 20);
  assert.equal(later.probeFor(ORIGIN, open), null);
  pass(MONTH_MS);
  assert.notEqual(later.probeFor(ORIGIN, open), null);
  state.close();
});

test('an apologizing title causes a probe at once, equal texts after a few pages', () => {
  const { missing, state } = start('suspicion');
  missing.judge(url('/x'), facts('404 Not Found', 1));
  assert.notEqual(missing.probeFor(ORIGIN, open), null);
  for (let copy = 0; copy < 2; copy++) {
    assert.equal(missing.probeFor('http://b.test', open), null);
    missing.suspect('http://b.test');
  }
  assert.notEqual(missing.probeFor('http://b.test', open), null);
  state.close();
});

test('the probe obeys robots.txt', () => {
  const { missing, state } = start('robots');
  answerPages(missing, 10);
  const closed = parseRobots(Buffer.from('User-agent: *\nDisallow: /'), 'gyre');
  assert.equal(missing.probeFor(ORIGIN, closed), null);
  state.close();
});

test('pages like the probe response are soft 404s, also an earlier one, but never the front page', async () => {
  const { missing, findings, near, state } = start('soft');
  const apology = facts('Sorry', 7);
  const before = url('/lost');
  const key = 77n;
  const entry = near.add(key, apology.sketch)!;
  findings.keepSketch(key, entry);
  state.urlOf = async (fingerprint) => (fingerprint === key ? before : null);
  const record = await missing.learned(ORIGIN, { kind: 'page', page: apology, digest: 'D' });
  assert.deepEqual([record?.url, record?.reason], [before, 'soft 404']);
  assert.equal(missing.judge(url('/gone'), facts('Sorry', 7)), 'soft 404');
  assert.equal(missing.judge(url('/'), facts('Sorry', 7)), null);
  assert.equal(missing.judge(url('/real'), facts('A page', 8)), null);
  state.close();
});

test('redirects to the front page count as missing if the probe was redirected there', async () => {
  const { missing, state } = start('redirect');
  await missing.learned(ORIGIN, { kind: 'redirect', to: url('/') });
  assert.equal(missing.judgeRedirect(url('/shop/old-item'), url('/')), 'soft 404');
  assert.equal(missing.judgeRedirect(url('/shop/old-item'), url('/shop/new-item')), null);
  state.close();
});

test('a parked page needs two signs; one page for every URL can be one of them', async () => {
  const { missing, state } = start('parked');
  const sale = facts('For sale', 9, { parkedSigns: ['words'] });
  assert.equal(missing.judge(url('/'), sale), null);
  assert.equal(missing.judge(url('/'), facts('For sale', 9, { parkedSigns: ['words', 'links'] })), 'parked');
  state.contentOwner = async () => ({ url: url('/'), fetchedAt: 0, payloadDigest: '' });
  await missing.learned(ORIGIN, { kind: 'page', page: sale, digest: 'D' });
  assert.equal(missing.judge(url('/'), sale), 'parked');
  state.close();
});
