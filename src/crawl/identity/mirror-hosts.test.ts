import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDirectory, silentLog } from '../../base/mod.ts';
import { type CanonicalUrl, fingerprint, rulesOfPlan } from '../../url/mod.ts';
import type { UrlState } from '../state/crawl-state.ts';
import { PendingState } from '../state/pending-state.ts';
import type { UrlReason } from '../state/reasons.ts';
import { openCrawlState } from '../state/sqlite/sqlite-state.ts';
import { emptyCommit } from '../state/state.fixture.ts';
import { MirrorHosts } from './mirror-hosts.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-mirrors-'));
after(() => rmSync(root, { recursive: true }));

const one = (path: string) => `https://one.test${path}` as CanonicalUrl;
const two = (path: string) => `http://two.test${path}` as CanonicalUrl;
const ready = (url: CanonicalUrl) => ({
  url,
  fingerprint: fingerprint(url),
  depth: 3,
  attempts: 0,
  verb: null,
});

const MIRRORED: UrlReason = { code: 'mirrored', primary: 'https://one.test' };

/** Crawls two hosts that have the same ten pages. */
async function mirrored(name: string, scope: 'web' | 'host' = 'web') {
  const state = openCrawlState(openDirectory(join(root, name)));
  const findings = new PendingState(state);
  const urlRules = rulesOfPlan({ config: {}, scope, seeds: [two('/')], domains: [] });
  const options = { state, findings, urlRules, clock: { now: () => 7 }, log: silentLog };
  const mirrors = new MirrorHosts(options);
  for (let page = 0; page < 10; page++) {
    mirrors.observe(one(`/${page}`), null);
    mirrors.observe(two(`/${page}`), one(`/${page}`));
  }
  const commit = async (url: CanonicalUrl, outcome: UrlState, reason: UrlReason) => {
    const discovered = [{ url, fingerprint: fingerprint(url), depth: 3 }];
    await state.commit({ ...emptyCommit(), discovered });
    const result = { fingerprint: fingerprint(url), state: outcome, attempts: 0, status: 0, fetchedAt: 1 };
    await state.commit({ ...emptyCommit(), results: [{ ...result, reason }], ...findings.take() });
  };
  const reopened = async (url: CanonicalUrl) => {
    const { state: outcome, reason } = (await state.outcomesOf([fingerprint(url)])).get(fingerprint(url))!;
    await mirrors.reopen([{ fingerprint: fingerprint(url), state: outcome, reason }]);
    const { added } = await state.commit({ ...emptyCommit(), ...findings.take() });
    return added.map((found) => found.url);
  };
  return { state, options, mirrors, commit, reopened };
}

test('a URL of a mirror is not fetched, and its twin is queued', async () => {
  const { mirrors, state } = await mirrored('left');
  const substitute = (await mirrors.mirrorSubstitute(ready(two('/next'))))!;
  assert.deepEqual(substitute.reason, MIRRORED);
  assert.deepEqual(
    [substitute.derivedRecords[0]!.of, substitute.derivedRecords[0]!.reason],
    [one('/next'), 'mirror'],
  );
  assert.deepEqual([substitute.links.urls, substitute.links.depth], [one('/next'), 3]);
  assert.equal(await mirrors.mirrorSubstitute(ready(one('/next'))), null, 'the primary is visited');
  assert.equal(await mirrors.mirrorSubstitute(ready('http://three.test/next' as CanonicalUrl)), null);
  state.close();
});

test('a mirror is known after a restart', async () => {
  const { options, state } = await mirrored('restart');
  await state.commit({ ...emptyCommit(), ...options.findings.take() });
  const later = new MirrorHosts({ ...options, findings: new PendingState(state) });
  await later.resume();
  assert.notEqual(await later.mirrorSubstitute(ready(two('/next'))), null);
  state.close();
});

test('a URL whose twin is missing is fetched, in either order of discovery', async () => {
  const { mirrors, commit, reopened, state } = await mirrored('missing');
  await commit(one('/early'), 'done', { code: 'gone' });
  assert.equal(await mirrors.mirrorSubstitute(ready(two('/early'))), null);
  await commit(two('/late'), 'refused', MIRRORED);
  await commit(one('/late'), 'done', { code: 'gone' });
  assert.deepEqual(await reopened(one('/late')), [two('/late')]);
  await commit(two('/same-time'), 'refused', MIRRORED);
  await commit(one('/same-time'), 'failed', { code: 'no-response', cause: 'timeout' });
  assert.deepEqual(await reopened(two('/same-time')), [two('/same-time')]);
  state.close();
});

test('a URL stays refused if its twin exists or the reason was another one', async () => {
  const { commit, reopened, state } = await mirrored('there');
  await commit(two('/there'), 'refused', MIRRORED);
  await commit(one('/there'), 'done', { code: 'page' });
  await commit(two('/closed'), 'refused', { code: 'robots', line: 2 });
  await commit(one('/closed'), 'done', { code: 'gone' });
  assert.deepEqual(await reopened(one('/there')), []);
  assert.deepEqual(await reopened(one('/closed')), []);
  state.close();
});

test('a URL whose twin is out of scope is fetched', async () => {
  const { mirrors, state } = await mirrored('scope', 'host');
  assert.equal(await mirrors.mirrorSubstitute(ready(two('/next'))), null);
  state.close();
});
