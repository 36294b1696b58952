/**
 * Tests malformed documents: they are imported or crawled and indexed, or refused with a reason, in a short
 * time.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { type Finished, gyre, temporaryDirectory } from '../helpers/gyre.ts';

const TOKEN = 'x'.repeat(10_000_000);

async function run(...args: string[]): Promise<Finished> {
  const finished = await gyre(args);
  assert.equal(finished.code, 0, finished.stderr);
  return finished;
}

async function found(data: string, query: string): Promise<string[]> {
  const searcher = openSearcher(openDirectory(join(data, 'index')), { log: silentLog, clock: systemClock });
  const { results } = await searcher.search({ query, offset: 0, limit: 10 });
  searcher.close();
  return results.map(({ url }) => url);
}

test('documents with NUL, lone surrogates, invalid UTF-8 or one endless word are imported and found', async (context) => {
  const data = temporaryDirectory(context);
  const file = join(data, 'odd.jsonl');
  const lines = [
    '\ufeff{"id":"nul","text":"before\\u0000after apple"}',
    '{"id":"surrogates","title":"\\ud800 title","text":"left\\udc00right banana"}',
    '{"id":"body","url":"http://example.org/b","title":"By body","body":"cherry"}',
    `{"id":"token","title":"durian","text":"${TOKEN}"}`,
    '',
  ].join('\n');
  const invalid = Buffer.concat([Buffer.from('{"id":"bytes","text":"elder'), Buffer.of(0xff, 0xc0, 0x80)]);
  writeFileSync(file, Buffer.concat([Buffer.from(lines), invalid, Buffer.from('berry"}\n')]));
  const imported = await run('import', '--data', data, file);
  assert.match(imported.stdout, /imported 5 pages.*1 cut at a million characters.*0 skipped/);
  await run('build', '--data', data);
  assert.deepEqual(await found(data, 'apple "before after"'), ['https://odd.invalid/nul']);
  assert.deepEqual(await found(data, 'banana'), ['https://odd.invalid/surrogates']);
  assert.deepEqual(await found(data, 'cherry'), ['http://example.org/b']);
  assert.deepEqual(await found(data, 'durian'), ['https://odd.invalid/token']);
  assert.deepEqual(await found(data, 'elder berry'), ['https://odd.invalid/bytes']);
});

test('the first ten invalid lines are reported with file, line and reason', async (context) => {
  const data = temporaryDirectory(context);
  const file = join(data, 'bad.jsonl');
  const bad = ['{"id":1,"content":"x"}', '[]', '{"text":"x"}', '{"id":1,"title":3,"text":"x"}', 'raw\0'];
  writeFileSync(file, [...bad, '{"url":"mailto:a@b","text":"x"}', ...Array(9).fill('{')].join('\n'));
  const { code, stdout, stderr } = await gyre(['import', '--data', data, file]);
  assert.equal(code, 1, 'nothing could be taken in');
  assert.match(stdout, /imported 0 pages.*15 skipped/);
  const reasons = stderr.split('\n').filter((line) => /^skipped|^…/.test(line));
  assert.match(reasons[0]!, /^skipped bad\.jsonl line 1: no string "text" or "body"$/);
  assert.match(reasons[1]!, /line 2: no JSON object/);
  assert.match(reasons[2]!, /line 3: neither "url" nor "id"/);
  assert.match(reasons[3]!, /line 4: "title" is no string/);
  assert.match(reasons[4]!, /line 5: no JSON/);
  assert.match(reasons[5]!, /line 6: "mailto:a@b" is no web address/);
  assert.deepEqual([reasons.length, reasons.at(-1)], [11, '… and 5 more']);
});

test('a document of a hundred megabytes is refused with a reason, and the next one is imported', async (context) => {
  const data = temporaryDirectory(context);
  const file = join(data, 'large.jsonl');
  writeFileSync(file, `{"id":1,"text":"${'word '.repeat(20_000_000)}"}\n{"id":2,"text":"small"}\n`);
  const startedAt = Date.now();
  const { stdout, stderr } = await run('import', '--data', data, file);
  assert.match(stdout, /imported 1 page,.*1 skipped/);
  assert.match(stderr, /large\.jsonl line 1: 95\.4 MiB is more than the 32\.0 MiB that a document may have/);
  assert.ok(Date.now() - startedAt < 60_000, 'it took minutes when every chunk was searched from its start');
});

test('pages with NUL, surrogates, invalid UTF-8, one endless word or no end are crawled or refused', async (context) => {
  const bodies: Record<string, Buffer> = {
    '/nul': Buffer.from('<title>Nul</title><p>before\0after apple'),
    '/surrogates': Buffer.concat([
      Buffer.from('<title>Sur &#xD800; rogates</title><p>left&#xDC00;right '),
      Buffer.of(0xed, 0xa0, 0x80),
      Buffer.from(' banana'),
    ]),
    '/bytes': Buffer.concat([Buffer.from('<p>cherry '), Buffer.of(0xff, 0xc0, 0x80), Buffer.from(' pie')]),
    '/token': Buffer.from(`<title>durian</title><p>${TOKEN.slice(100)}`),
    '/large': Buffer.alloc(100_000_000, '<p>endless '),
  };
  const links = Object.keys(bodies).map((path) => `<a href="${path}">on</a>`);
  const log: string[] = [];
  const server = createServer((request, response) => {
    log.push(request.url!);
    const body = request.url === '/' ? Buffer.from(links.join(' ')) : bodies[request.url!];
    const type = 'text/html; charset=utf-8';
    response.writeHead(body ? 200 : 404, { 'content-type': type }).end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const data = temporaryDirectory(context);
  const { stdout } = await run('crawl', '--data', data, '--delay', '2ms', '--json', seed);
  assert.deepEqual(JSON.parse(stdout).troubles, { 'too large': 1 });
  assert.deepEqual(
    log.filter((path) => path !== '/robots.txt' && path !== '/favicon.ico').toSorted(),
    ['/', ...Object.keys(bodies)].toSorted(),
  );
  await run('build', '--data', data);
  const paths = async (query: string) => (await found(data, query)).map((url) => new URL(url).pathname);
  assert.deepEqual(await paths('apple'), ['/nul']);
  assert.deepEqual(await paths('banana'), ['/surrogates']);
  assert.deepEqual(await paths('cherry pie'), ['/bytes']);
  assert.deepEqual(await paths('durian'), ['/token']);
  assert.deepEqual(await paths('endless'), []);
});
