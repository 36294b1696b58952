/** Tests with the real model that a query finds pages with the same meaning in other words. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { directoryAt } from '../../src/base/mod.ts';
import { readManifest } from '../../src/index/mod.ts';
import { writeTinyModel } from '../../src/meaning/tiny-model.fixture.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';

/**
 * The environment that turns search by meaning on, with the model of the optional dependency.
 * scripts/run-tests.ts turns it off for all other tests.
 */
const ON = { GYRE_MEANING_MODEL: '' };

const PAGES: Record<string, string> = {
  '/': '<title>Pages</title><a href="/car">1</a> <a href="/bread">2</a> <a href="/museum">3</a> <a href="/tax">4</a>',
  '/car':
    '<title>Buying a used car</title><p>What to check before you pay: rust, tyres, the service history and the engine.',
  '/bread':
    '<title>Sourdough</title><p>Mix flour, water and salt, let the dough rest, and bake it in a hot oven.',
  '/museum':
    '<title>Automobile museum</title><p>Opening hours and directions of the museum beside the station.',
  '/tax': '<title>Tax return</title><p>How to declare income, and which receipts the office asks for.',
};

test('a page is found in other words after gyre embed, and not before', async (t) => {
  const data = await crawled(t);
  const query = ['search', 'purchase second-hand automobile', '--data', data, '--json'];
  assert.deepEqual(pathsOf(await gyre(query, ON)), ['/museum']);
  const embedded = await gyre(['embed', '--data', data], ON);
  assert.equal(embedded.code, 0, embedded.stderr);
  assert.equal(embedded.stdout, 'the model has read 5 pages\n');
  const paths = pathsOf(await gyre(query, ON));
  assert.ok(paths.includes('/car'), `found ${paths}`);
  assert.ok(!paths.includes('/bread'), `found ${paths}`);
  const status = await gyre(['status', '--data', data]);
  assert.match(status.stdout, /5 documents can be found in other words; no page is left/);
  assert.deepEqual(pathsOf(await gyre(query, { GYRE_MEANING_MODEL: 'off' })), ['/museum']);
});

test('gyre embed continues after a kill, and gyre serve embeds in idle time', async (t) => {
  const data = await crawled(t);
  const killed = new Gyre(['embed', '--data', data], ON);
  await new Promise((resolve) => setTimeout(resolve, 700));
  await killed.kill('SIGKILL');
  const server = new Gyre(['serve', '--data', data, '--port', '0'], ON);
  await server.printed(/search at/);
  const status = async () => (await gyre(['status', '--data', data])).stdout;
  for (let left = 60; !/5 documents can be found/.test(await status()); left--) {
    assert.ok(left > 0, 'no vectors after a minute');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  assert.equal((await server.kill('SIGINT')).code, 0);
});

test('a missing, damaged or unsupported model is reported, and search continues by words', async (t) => {
  const data = await crawled(t);
  const model = join(temporaryDirectory(t), 'model');
  const query = ['search', 'automobile museum', '--data', data, '--json'];
  const missing = await gyre(['embed', '--data', data, '--model', model]);
  assert.notEqual(missing.code, 0);
  assert.match(missing.stderr, /model\.safetensors|does not exist|no such/i);
  mkdirSync(model);
  writeFileSync(join(model, 'model.onnx'), 'x');
  const foreign = await gyre(['embed', '--data', data, '--model', model]);
  assert.notEqual(foreign.code, 0);
  assert.match(foreign.stderr, /safetensors/);
  assert.deepEqual(pathsOf(await gyre(query, { GYRE_MEANING_MODEL: model })), ['/museum']);
  const examined = await gyre(['doctor', '--data', data], { GYRE_MEANING_MODEL: model });
  assert.match(examined.stdout, /meaning +damaged[\s\S]*in safetensors format/);
  const server = new Gyre(['serve', '--data', data, '--port', '0', '--model', model], {});
  const [, address] = await server.printed(/search at (\S+)/);
  const response = await fetch(new URL('/api/v1/search?q=automobile+museum', address));
  const { results } = (await response.json()) as { results: unknown[] };
  assert.equal(results.length, 1);
  const { code, stderr } = await server.kill('SIGINT');
  assert.equal(code, 0);
  assert.match(stderr, /no search by meaning.*in safetensors format/);
});

test('pages are embedded again for another model', async (t) => {
  const data = await crawled(t);
  assert.equal((await gyre(['embed', '--data', data], ON)).stdout, 'the model has read 5 pages\n');
  const server = new Gyre(['serve', '--data', data, '--port', '0', '--model', writeTinyModel()], ON);
  await server.printed(/search at/);
  const models = () => readManifest(directoryAt(join(data, 'index'))).segments.map(({ vectors }) => vectors);
  const before = models();
  for (let left = 60; isDeepStrictEqual(models(), before); left--) {
    assert.ok(left > 0, 'no vectors of the other model after a minute');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  assert.equal((await server.kill('SIGINT')).code, 0);
});

async function crawled(t: TestContext): Promise<string> {
  const server = createServer(({ url }, response) => {
    const body = PAGES[url!];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(body && `<html lang="en">${body}`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const data = temporaryDirectory(t);
  const crawl = await gyre(['crawl', seed, '--data', data, '--delay', '5ms']);
  server.close();
  assert.equal(crawl.code, 0, crawl.stderr);
  assert.equal((await gyre(['build', '--data', data])).code, 0);
  return data;
}

function pathsOf({
  code,
  stdout,
  stderr,
}: {
  code: number | null;
  stdout: string;
  stderr: string;
}): string[] {
  assert.equal(code, 0, stderr);
  const { results } = JSON.parse(stdout) as { results: { url: string }[] };
  return results.map(({ url }) => new URL(url).pathname);
}
