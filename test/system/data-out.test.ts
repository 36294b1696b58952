/** Tests the path of data through the engine: from a seed file to searches in a collection. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';

type Pages = Record<string, string>;

async function serve(context: TestContext, pages: Pages): Promise<string> {
  const server = createServer((request, response) => {
    const body = pages[request.url!];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function run(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await gyre(args);
  assert.equal(code, 0, stderr);
  return { stdout, stderr };
}

async function found(data: string, query: string): Promise<string[]> {
  const { stdout } = await run('search', '--data', data, '--json', query);
  const { results } = JSON.parse(stdout) as { results: { title: string }[] };
  return results.map(({ title }) => title).sort();
}

test('seeds of a file have collections, which searches and rebuilds know', async (context) => {
  const site = await serve(context, {
    '/jobs/': '<title>Jobs</title><p>open positions <a href="/jobs/1">one</a> <a href="/about">about</a>',
    '/jobs/1': '<title>Potter</title><p>a position for a potter',
    '/about': '<title>About</title><p>every position of ours is on another page',
  });
  const directory = temporaryDirectory(context);
  const [data, seeds] = [join(directory, 'data'), join(directory, 'seeds.txt')];
  writeFileSync(seeds, `# portal\n${site}jobs/ collection=jobs area=prefix\nnot a seed\n`);
  const { stderr } = await run('crawl', '--data', data, '--delay', '2ms', '--seeds', seeds);
  assert.match(stderr, /seeds\.txt line 3: "a" is not an option of a seed/);
  assert.match(stderr, /took 1 seed, skipped 1 line/);
  await run('build', '--data', data);
  assert.deepEqual(await found(data, 'position collection:jobs'), ['Jobs', 'Potter']);
  assert.deepEqual(await found(data, 'position -collection:jobs'), ['About']);
  await run('build', '--data', data, '--from-archive');
  assert.deepEqual(await found(data, 'collection:jobs'), ['Jobs', 'Potter']);
});
