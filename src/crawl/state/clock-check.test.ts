import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DAY_MS, type Log, openDirectory, silentLog } from '../../base/mod.ts';
import { canonicalize, fingerprint } from '../../url/mod.ts';
import { Frontier } from '../frontier/frontier.ts';
import { HostGroups } from '../frontier/host-groups.ts';
import { Importance } from '../frontier/importance.ts';
import { checkClock } from './clock-check.ts';
import { openCrawlState } from './sqlite/sqlite-state.ts';
import { emptyCommit } from './state.fixture.ts';

const NOW = Date.UTC(2026, 0, 10);

async function crawled(context: TestContext) {
  const path = mkdtempSync(join(tmpdir(), 'gyre-clock-'));
  context.after(() => rmSync(path, { recursive: true }));
  const state = openCrawlState(openDirectory(path));
  const url = canonicalize('http://a.test/1')!;
  await state.commit({ ...emptyCommit(), discovered: [{ url, fingerprint: fingerprint(url), depth: 0 }] });
  const row = (await state.host('http://a.test'))!;
  const robots = { kind: 'allow-all' as const, body: new Uint8Array(), expiresAt: NOW + DAY_MS };
  const host = { ...row, nextFetchAt: NOW + 90_000, delayMs: 90_000, robots };
  await state.commit({ ...emptyCommit(), hosts: [host], committedAt: NOW });
  return state;
}

test('after the clock was set back two days, hosts wait as long as before, and it is logged once', async (context) => {
  const state = await crawled(context);
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (...line) => void warnings.push(line) };
  const clock = { now: () => NOW - 2 * DAY_MS };
  await checkClock(state, clock, log);
  await checkClock(state, clock, log);
  assert.deepEqual(warnings, [
    ['clock set back, waits shortened', { seconds: 2 * 86_400, lastCommit: '2026-01-10T00:00:00.000Z' }],
  ]);
  const row = (await state.host('http://a.test'))!;
  assert.equal(row.nextFetchAt, clock.now() + 90_000);
  assert.equal(row.robots!.expiresAt, clock.now() + DAY_MS);
  const hostGroups = new HostGroups({ addressDelayMs: 0, groups: [], clock });
  const frontier = new Frontier({ state, importance: new Importance(), hostGroups, clock });
  await frontier.resume(0);
  const next = await frontier.next();
  assert.deepEqual(next, { kind: 'wait', until: clock.now() + 90_000, active: true });
});

test('a clock without a jump or with a small one changes nothing', async (context) => {
  const state = await crawled(context);
  for (const now of [NOW - 1_000, NOW, NOW + DAY_MS]) await checkClock(state, { now: () => now }, silentLog);
  assert.equal((await state.host('http://a.test'))!.nextFetchAt, NOW + 90_000);
});
