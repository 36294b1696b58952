import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Log, silentLog } from '../base/mod.ts';
import { canonicalize } from '../url/mod.ts';
import { Readers, type TicketedReading } from './readers.ts';
import type { Answer } from './reading.ts';

const EXTRACTOR = join(import.meta.dirname, '..', 'page', 'dangerous-extractor.fixture.ts');

function readersFor(context: TestContext, limitMs = 60_000, log: Log = silentLog): Readers {
  const seed = canonicalize('http://a.test/')!;
  const readers = new Readers({
    urlRules: { config: {}, scope: 'host', seeds: [seed], domains: [] },
    maxBodyBytes: 100_000,
    extractors: [EXTRACTOR],
    threads: 1,
    limitMs,
    log,
  });
  context.after(() => readers.close());
  return readers;
}

function answer(path: string): Answer {
  return {
    url: canonicalize(path, 'http://a.test/')!,
    depth: 1,
    fetchedAt: 0,
    status: 200,
    statusText: 'OK',
    rawHeaders: ['Content-Type', 'text/html'],
    payload: Buffer.from(`<title>${path}</title><p>Words of ${path}`),
    requestHead: 'GET / HTTP/1.1\r\n\r\n',
    ipAddress: '',
  };
}

async function readAll(readers: Readers, paths: readonly string[]): Promise<TicketedReading[]> {
  return Promise.all(paths.map((path) => readers.read(answer(path))));
}

/** `page`, or why it failed. */
function said({ reading }: TicketedReading): string {
  return reading.kind === 'failed' ? reading.reason : reading.kind;
}

/** How many records archive and journal get of these. */
async function written(readers: Readers, read: readonly TicketedReading[]): Promise<[number, number]> {
  const verdict = { duplicateOf: null, record: 'page' as const };
  const kept = read.filter(({ reading }) => reading.kind !== 'failed').map(({ ticket }) => ticket);
  const [bytes] = await readers.write(new Map(kept.map((ticket) => [ticket, verdict])), 'gzip');
  return [bytes!.archive.entries.length, bytes!.journal.reduce((sum, { records }) => sum + records, 0)];
}

for (const [path, reason, limitMs] of [
  ['/exit', 'ended the thread that read it', 300_000],
  ['/loop', 'took longer than 4 s to read', 4_000],
  ['/memory', 'took too much memory to read', 300_000],
] as const) {
  test(`${path}: a page that its thread dies of has failed, the others are read`, async (context) => {
    const readers = readersFor(context, limitMs);
    const first = await readAll(readers, ['/a', '/b']);
    const second = await readAll(readers, ['/c', path, '/d']);
    const third = await readAll(readers, ['/e']);
    const all = [...first, ...second, ...third];
    assert.deepEqual(all.map(said), ['page', 'page', 'page', reason, 'page', 'page']);
    assert.deepEqual(await written(readers, all), [5, 5]);
    assert.equal(readers.heldBytes, 0);
  });
}

test('a thread that dies of no page in particular is replaced, and nothing is lost', async (context) => {
  const readers = readersFor(context);
  const all = [
    ...(await readAll(readers, ['/a', '/later', '/b'])),
    ...(await readAll(readers, ['/c', '/d'])),
  ];
  assert.deepEqual(all.map(said), ['page', 'page', 'page', 'page', 'page']);
  assert.deepEqual(await written(readers, all), [5, 5]);
});

test('a page that only an extractor can read is archived, though it was read again without it', async (context) => {
  const readers = readersFor(context);
  const strange = { ...answer('/strange'), rawHeaders: ['Content-Type', 'application/x-strange'] };
  const read = [await readers.read(strange), ...(await readAll(readers, ['/later', '/a', '/b']))];
  assert.deepEqual(read.map(said), ['page', 'page', 'page', 'page']);
  // One death after the other: each page that throws later adds some.
  const more = [];
  for (const path of ['/later', '/later', '/later']) more.push(...(await readAll(readers, [path])));
  const [archived, journalled] = await written(readers, [...read, ...more]);
  assert.equal(archived, 7);
  assert.ok(journalled === 6 || journalled === 7, `${journalled} are in the journal`);
});

test('what an extractor throws is logged once, and the page read without it', async (context) => {
  const lines: string[] = [];
  const warn = (event: string, fields = {}) => void lines.push(`${event} ${JSON.stringify(fields)}`);
  const readers = readersFor(context, 60_000, { ...silentLog, warn });
  const read = await readAll(readers, ['/throw', '/throw', '/a']);
  assert.deepEqual(read.map(said), ['page', 'page', 'page']);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /extractor failed.*dangerous.*http:\/\/a\.test\/throw.*thrown by an extractor/);
});
