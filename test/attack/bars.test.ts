import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCrawl, judgeServe, tableOf } from './bars.ts';
import { HOSTILE_CLIENTS, HOSTILE_HOSTS } from './catalogue.ts';
import type { CrawlReport } from './crawl-witness.ts';
import { type ProbeReport, summarize } from './probe.ts';

const CRAWL: CrawlReport = {
  honestRate: 9,
  honestPages: 90,
  hostileRate: 1,
  peakMb: 120,
  interruptSeconds: 0.5,
  endedWith: null,
  stderr: '',
};
const ALONE = { honestRate: 10, memoryMb: 100 };
const PROBE: ProbeReport = { sent: 100, refused: 0, hung: 0, p99Ms: 20 };
const SERVE = { alone: PROBE, attacked: PROBE, aloneMb: 100, peakMb: 100, wrong: [], endedWith: null };

test('a crawl within the limits passes, and each missed limit is reported', () => {
  assert.deepEqual(judgeCrawl('a', CRAWL, ALONE).missed, []);
  const missed = (change: Partial<CrawlReport>) => judgeCrawl('a', { ...CRAWL, ...change }, ALONE).missed;
  assert.match(missed({ honestRate: 7 })[0]!, /honest rate of 0.8/);
  assert.match(missed({ peakMb: 140 })[0]!, /memory ratio of 1.3/);
  assert.match(missed({ interruptSeconds: Number.POSITIVE_INFINITY })[0]!, /within 3 s of SIGINT/);
  assert.match(missed({ interruptSeconds: null, endedWith: 1 })[0]!, /ended by itself, with 1/);
  assert.deepEqual(missed({ interruptSeconds: null, endedWith: 0 }), [], 'it had nothing left to fetch');
});

test('a server that delays, hangs or refuses a searcher fails', () => {
  const report = { ...SERVE, interruptSeconds: 0.1 };
  const missed = (change: Partial<ProbeReport>) =>
    judgeServe('a', { ...report, attacked: { ...PROBE, ...change } }, 100).missed;
  assert.deepEqual(missed({}), []);
  assert.match(missed({ p99Ms: 61 })[0]!, /p99 ratio of 3/);
  assert.match(missed({ refused: 2 })[0]!, /1 %/);
  assert.match(missed({ hung: 1 })[0]!, /every search to be answered/);
  const row = judgeServe('a', { ...report, wrong: ['x: expected 400, got 200'] }, 100);
  assert.match(tableOf([row]), /\na .*FAIL.*\n\na: x: expected 400, got 200$/);
});

test('the probe counts refusals and hangs, and takes the slowest of a hundred', () => {
  const replies = Array.from({ length: 200 }, (_, i) => ({ status: i < 3 ? 503 : 200, elapsedMs: i + 1 }));
  assert.deepEqual(summarize([...replies.slice(1), { status: 0, elapsedMs: 10_000 }]), {
    sent: 200,
    refused: 2,
    hung: 1,
    p99Ms: 199,
  });
});

test('every attack has a distinct name', () => {
  const names = [...HOSTILE_HOSTS, ...HOSTILE_CLIENTS].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});
