import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DAY_MS, openDirectory } from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { PolitenessLedger, readPoliteness } from './politeness-ledger.ts';

const START = Date.UTC(2026, 0, 2, 3);

function world(t: TestContext) {
  const path = mkdtempSync(join(tmpdir(), 'gyre-ledger-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const time = { at: START };
  const root = openDirectory(path);
  return { path, root, time, clock: { now: () => time.at } };
}

function line(url: string, status: number, bytes: number, ms: number) {
  return { time: '', url: url as CanonicalUrl, status, state: 'done', reason: 'page', bytes, ms };
}

test('requests, bytes and delays are added up by host and day', (t) => {
  const { root, clock, time } = world(t);
  const ledger = new PolitenessLedger(root, clock);
  ledger.requested([line('https://a.test/1', 200, 100, 9), line('https://b.test/', 0, 0, 5000)]);
  ledger.requested([line('https://a.test/refused', 0, 0, 0)]);
  ledger.delayed('https://a.test', 'setting', 1000);
  ledger.flush();
  ledger.requested([line('https://a.test/2', 404, 20, 9)]);
  ledger.delayed('https://a.test', 'robots', 5000.4);
  ledger.delayed('https://a.test', 'setting', 1000);
  ledger.flush();
  time.at += DAY_MS;
  ledger.requested([line('https://a.test/3', 200, 5, 9)]);
  ledger.close();
  const a = { host: 'https://a.test' };
  assert.deepEqual(readPoliteness(root, { isWanted: (origin) => origin === a.host }), [
    { day: '2026-01-03', rows: [{ ...a, requests: 1, bytes: 5, delays: {}, last: null }] },
    {
      day: '2026-01-02',
      rows: [
        {
          ...a,
          requests: 2,
          bytes: 120,
          delays: { setting: [2, 2000, 1000], robots: [1, 5000, 5000] },
          last: ['setting', 1000],
        },
      ],
    },
  ]);
  assert.equal(readPoliteness(root)[1]!.rows.length, 2, 'a request without a response counts too');
});

test('a line that a crash truncated loses only itself', (t) => {
  const { path, root, clock } = world(t);
  const first = new PolitenessLedger(root, clock);
  first.requested([line('https://a.test/', 200, 1, 1)]);
  first.close();
  appendFileSync(join(path, 'politeness', '2026-01-02.jsonl'), '\n{"host":"https://a.te');
  const second = new PolitenessLedger(root, clock);
  second.requested([line('https://a.test/', 200, 1, 1)]);
  second.close();
  assert.equal(readPoliteness(root)[0]!.rows[0]!.requests, 2);
});

test('the files stay below their limits: hosts are added up, and old days are deleted', (t) => {
  const { path, root, clock, time } = world(t);
  const limits = { maxHosts: 10, maxBytes: 8_000, compactBytes: 2_000 };
  const ledger = new PolitenessLedger(root, clock, limits);
  for (let day = 0; day < 12; day++, time.at += DAY_MS) {
    for (let host = 0; host < 100; host++) {
      const requests = host < 10 ? 3 : 1;
      for (let n = 0; n < requests; n++) ledger.requested([line(`https://h${host}.test/`, 200, 7, 1)]);
      ledger.flush();
    }
  }
  ledger.close();
  const directory = join(path, 'politeness');
  const files = readdirSync(directory);
  const sizeBytes = files.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  assert.ok(files.length > 1 && files.length < 12, files.join());
  assert.ok(sizeBytes < 8_000 + 4_000 + 2_000, `${sizeBytes} bytes`);
  for (const { rows } of readPoliteness(root)) {
    assert.equal(
      rows.reduce((sum, { requests }) => sum + requests, 0),
      120,
      'no request is lost',
    );
    assert.ok(rows.some(({ host }) => host === 'other hosts') || rows.length <= 100);
  }
});
