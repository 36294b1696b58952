import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Log, silentLog } from '../../base/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import type { FetchedResponse } from './read-response.ts';
import { type ParsedResponse, ResponseParser } from './response-parser.ts';
import { PLAIN_READING } from '../../page/plain-reading.fixture.ts';

const EXTRACTOR = join(
  import.meta.dirname,
  '..',
  '..',
  'page',
  'extractors',
  'dangerous-extractor.fixture.ts',
);

function parserFor(context: TestContext, limitMs = 60_000, log: Log = silentLog): ResponseParser {
  const seed = canonicalize('http://a.test/')!;
  const parser = new ResponseParser({
    urlRules: { config: {}, scope: 'host', seeds: [seed], domains: [] },
    maxBodyBytes: 100_000,
    heapBytes: 512 * 1024 * 1024,
    reading: { ...PLAIN_READING, extractors: [EXTRACTOR] },
    threads: 1,
    limitMs,
    log,
  });
  context.after(() => parser.close());
  return parser;
}

function answer(path: string): FetchedResponse {
  return {
    url: canonicalize(path, 'http://a.test/')!,
    depth: 1,
    isIndexed: true,
    fetchedAt: 0,
    status: 200,
    statusText: 'OK',
    rawHeaders: ['Content-Type', 'text/html'],
    payload: Buffer.from(`<title>${path}</title><p>Words of ${path}`),
    requestHead: 'GET / HTTP/1.1\r\n\r\n',
    ipAddress: '',
  };
}

async function readAll(parser: ResponseParser, paths: readonly string[]): Promise<ParsedResponse[]> {
  return Promise.all(paths.map((path) => parser.parse(answer(path), 'fast')));
}

/** Returns `page` if the response was parsed as a page, otherwise the reason of the failure. */
function said(parsed: ParsedResponse): string {
  return parsed.kind === 'parsed' ? parsed.reading.kind : parsed.reason;
}

/** Encodes parsed responses, and returns the number of archive and journal records. */
async function written(parser: ResponseParser, read: readonly ParsedResponse[]): Promise<[number, number]> {
  const verdict = { duplicateOf: null, record: 'page' as const };
  const held = read.flatMap((parsed) => (parsed.kind === 'parsed' ? parsed.held : []));
  const parts = await parser.encode(new Map(held.map((each) => [each, verdict])), 'gzip');
  const journalled = parts.flatMap(({ journal }) => journal.map(({ records }) => records));
  const archived = parts.map(({ archive }) => archive.entries.length);
  return [sumOf(archived), sumOf(journalled)];
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

for (const [path, reason, limitMs] of [
  ['/exit', 'ended the thread that read it', 300_000],
  ['/loop', 'took longer than 1.2 s to read', 1_200],
  ['/memory', 'took too much memory to read', 300_000],
] as const) {
  test(`${path}: a page that ends its thread fails, and the other pages are parsed`, async (context) => {
    const parser = parserFor(context, limitMs);
    const first = await readAll(parser, ['/a', '/b']);
    const second = await readAll(parser, ['/c', path, '/d']);
    const third = await readAll(parser, ['/e']);
    const all = [...first, ...second, ...third];
    assert.deepEqual(all.map(said), ['page', 'page', 'page', reason, 'page', 'page']);
    assert.deepEqual(await written(parser, all), [5, 5]);
    assert.equal(parser.heldBytes, 0);
  });
}

test('a thread that dies without a page in work is replaced, and no page is lost', async (context) => {
  const parser = parserFor(context);
  const all = [...(await readAll(parser, ['/a', '/later', '/b'])), ...(await readAll(parser, ['/c', '/d']))];
  assert.deepEqual(all.map(said), ['page', 'page', 'page', 'page', 'page']);
  assert.deepEqual(await written(parser, all), [5, 5]);
});

test('a parsed page survives the death of its thread', async (context) => {
  const parser = parserFor(context);
  const strange = { ...answer('/strange'), rawHeaders: ['Content-Type', 'application/x-strange'] };
  const read = [await parser.parse(strange, 'fast'), ...(await readAll(parser, ['/later', '/a', '/b']))];
  assert.deepEqual(read.map(said), ['page', 'page', 'page', 'page']);
  // Each of these pages kills its parser thread. They are parsed one at a time, so that only one thread dies at a
  // time.
  const more = [];
  for (const path of ['/later', '/later', '/later']) more.push(...(await readAll(parser, [path])));
  assert.deepEqual(await written(parser, [...read, ...more]), [7, 7]);
});

test('an error of an extractor is logged once, and the page is parsed without the extractor', async (context) => {
  const lines: string[] = [];
  const warn = (event: string, fields = {}) => void lines.push(`${event} ${JSON.stringify(fields)}`);
  const parser = parserFor(context, 60_000, { ...silentLog, warn });
  const read = await readAll(parser, ['/throw', '/throw', '/a']);
  assert.deepEqual(read.map(said), ['page', 'page', 'page']);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /extractor failed.*dangerous.*http:\/\/a\.test\/throw.*thrown by an extractor/);
});
