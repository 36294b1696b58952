import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog, systemClock } from '../../base/mod.ts';
import { parsePage } from '../../page/mod.ts';
import { createServer } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';
import { archiveOver } from './copies.fixture.ts';

const OLDER = '20250101000000';
const NEWER = '20260101000000';

/** Creates a server with two copies of one page, and a list of the copies that it reads. */
function serverOver(older: string, newer: string) {
  const contentType = 'text/html; charset=utf-8';
  const texts = new Map([
    [NEWER, newer],
    [OLDER, older],
  ]);
  const read: string[] = [];
  const archive = archiveOver({
    copies: () => [...texts.keys()].map((at) => ({ at, fetchedAt: Number(at) })),
    read(url, at) {
      read.push(at);
      const body = Buffer.from(texts.get(at)!);
      return { page: parsePage({ url, contentType, body, xRobotsTag: [] })!, contentType, body };
    },
  });
  const common = { version: '', contact: '', clock: systemClock, log: silentLog };
  return { server: createServer({ ...common, searcher: testSite().searcher, archive }), read };
}

const COMPARE = `/cached/compare?url=https%3A%2F%2Fexample.org%2F&from=${OLDER}&to=${NEWER}`;

test('each copy is read once for a comparison', async () => {
  const { server, read } = serverOver('one', 'two');
  const reply = await server.inject(COMPARE);
  assert.equal(reply.statusCode, 200);
  assert.match(reply.body, /:\d\d:\d\d\s[AP]M UTC/, 'copies of one minute can be told apart');
  assert.deepEqual(read, [NEWER, OLDER]);
  await server.close();
});

test('comparing two copies of any length takes milliseconds', async () => {
  const lines = (length: number, line: (at: number) => string) =>
    Array.from({ length }, (_, at) => `<p>${line(at)}</p>`).join('');
  const pairs: Record<string, [older: string, newer: string]> = {
    'lines that differ at their end': [
      lines(1990, (at) => `${'x'.repeat(490)}${1000 + at}a`),
      lines(1990, (at) => `${'x'.repeat(490)}${1000 + at}b`),
    ],
    'words that come again and again': [
      lines(990, (at) => `a${at} ${'x '.repeat(490)} ${at}`),
      lines(990, (at) => `b${at} ${'x y '.repeat(245)} ${at}y`),
    ],
    'ten million letters': ['x '.repeat(5_000_000), 'y '.repeat(5_000_000)],
  };
  for (const [name, [older, newer]] of Object.entries(pairs)) {
    const { server } = serverOver(older, newer);
    const start = process.cpuUsage();
    const reply = await server.inject(COMPARE);
    const { user, system } = process.cpuUsage(start);
    assert.equal(reply.statusCode, 200);
    assert.equal(/only the beginning is shown/.test(reply.body), older.length > 5e6, name);
    assert.ok(reply.body.length < 6_000_000, `${name}: ${reply.body.length} bytes`);
    assert.ok(user + system < 1e6, `${name}: ${(user + system) / 1000} ms`);
    await server.close();
  }
});
