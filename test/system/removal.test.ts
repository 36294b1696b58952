/** Tests that removed pages are not found, not crawled and not rebuilt, and that a purge leaves no byte of them. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { directoryAt, silentLog } from '../../src/base/mod.ts';
import { IndexReader } from '../../src/index/mod.ts';
import { writeTinyModel } from '../../src/meaning/tiny-model.fixture.ts';
import { canonicalize, fingerprint } from '../../src/url/mod.ts';
import { filesWith } from '../helpers/file-search.ts';
import { type Finished, Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';

/**
 * A part of words that only the removed page has. Stemming does not change this part, and dictionaries store it
 * without a gap, so that a search of the bytes finds it.
 */
const MARK = 'kvzqwjp';

const PAGES: Record<string, string> = {
  '/': `<title>Harbour museum</title><p>Ships and anchors of the old harbour.
    <a href="/secret">here</a> <a href="/copy">there</a> <a href="/moved">moved</a> <a href="/boats">boats</a>
    <a href="/private/one">one</a> <a href="/private/two">two</a>`,
  '/secret': `<title>A${MARK}one of the harbour</title><h1>B${MARK}two heading</h1><p>The harbour master wrote about
    c${MARK}three and about rope. <a href="/boats">d${MARK}four boats</a>`,
  '/boats': '<title>Rowing boats</title><p>Rowing boats in the harbour, with oars. <a href="/">home</a>',
  '/private/one': '<title>Private one</title><p>First private page of the harbour.',
  '/private/two': '<title>Private two</title><p>Second private page of the harbour.',
};
PAGES['/copy'] = PAGES['/secret']!;

interface Museum {
  origin: string;
  asked: string[];
}

async function startMuseum(context: TestContext): Promise<Museum> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!;
    asked.push(path);
    const body = PAGES[path];
    if (path === '/moved') response.writeHead(301, { location: '/secret' }).end();
    else if (body === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html', etag: `"e${MARK}${path.length}"` }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

interface Engine extends Museum {
  data: string;
  run(...args: string[]): Promise<Finished>;
  found(query: string): Promise<string[]>;
}

async function startEngine(context: TestContext): Promise<Engine> {
  const museum = await startMuseum(context);
  const data = join(temporaryDirectory(context), 'data');
  const run = (...args: string[]) => gyre([...args, '--data', data]);
  const found = async (query: string) => {
    const { stdout, stderr, code } = await run('search', '--json', query);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout).results.map(({ url }: { url: string }) => new URL(url).pathname);
  };
  return { ...museum, data, run, found };
}

async function build(engine: Engine): Promise<void> {
  const { run, origin } = engine;
  for (const args of [['crawl', '--delay', '5ms', `${origin}/`], ['build'], ['rank']])
    assert.equal((await run(...args)).code, 0, args[0]);
}

test('a removed URL is not found, not crawled again, and survives rebuilds, until it is allowed', async (context) => {
  const engine = await startEngine(context);
  const { run, found, origin, asked } = engine;
  await build(engine);
  assert.equal((await found('rope')).length, 1);
  const removed = await run('remove', `${origin}/secret`);
  assert.equal(removed.code, 0, removed.stderr);
  assert.match(removed.stdout, /\/secret is removed: it is not found/);
  assert.match(removed.stdout, /\/copy is removed too: .*\((?:the document itself|duplicate)\)/);
  assert.match(removed.stdout, /\/moved is removed too: .*\(redirect\)/);
  assert.match(removed.stdout, /1 document taken out of the index, 3 URLs of the crawl blocked/);
  assert.deepEqual(await found('rope'), []);
  assert.match((await run('remove', '--list')).stdout, /\/copy .*a URL of the document http/);

  asked.length = 0;
  await run('crawl', '--delay', '5ms', '--revisit', 'on', `${origin}/secret`, `${origin}/copy?`);
  assert.ok(!asked.includes('/secret') && !asked.includes('/copy'), asked.join());
  for (const args of [
    ['build', '--rebuild'],
    ['build', '--from-archive'],
    ['build', '--repair'],
  ]) {
    assert.equal((await run(...args)).code, 0);
    assert.deepEqual(await found('rope'), [], args[1]);
  }
  assert.match((await run('status')).stdout, /removed by the operator/);
  const pages = (await run('export')).stdout;
  assert.ok(!pages.includes(MARK), 'an export leaves it out');
  const warc = await run('export', '--format', 'cdxj');
  assert.match(warc.stderr, /the export has the captures of removed pages \(3 rules\)/);

  const allowed = await run('remove', '--allow', `${origin}/secret`);
  assert.match(allowed.stdout, /\/secret is allowed again; the next crawl fetches it again/);
  assert.equal((await run('remove', '--list')).stdout, 'nothing is removed\n');
  await run('crawl', '--delay', '5ms');
  await run('build');
  assert.equal((await found('rope')).length, 1);
  const actions = readFileSync(join(engine.data, 'audit.log'), 'utf8').trim().split('\n');
  assert.deepEqual(
    actions.map((line) => JSON.parse(line).action),
    ['remove', 'settle-removals', 'allow', 'settle-removals'],
  );
});

test('after a purge no byte of the page is left in the data directory', async (context) => {
  const engine = await startEngine(context);
  const { run, found, origin, data } = engine;
  await build(engine);
  const before = await filesWith(data, MARK);
  for (const kind of [
    /^archive\/.*warc/,
    /^journal\//,
    /\.seg$/,
    /\.lex-/,
    /^graph\//,
    /^crawl\.db/,
    /\.anchor-/,
  ])
    assert.ok(
      before.some((file) => kind.test(file)),
      `${kind} has the mark before: ${before}`,
    );
  const purged = await run('remove', '--purge', `${origin}/secret`);
  assert.equal(purged.code, 0, purged.stderr);
  assert.match(purged.stdout, /deleted \d+ archive records and \d+ journal records/);
  // The list of removals still has the URLs, and the ETags of other pages may contain the mark.
  assert.deepEqual((await filesWith(data, `A${MARK}`)).concat(await filesWith(data, `a${MARK}`)), []);
  for (const part of ['B', 'b', 'c', 'd'])
    assert.deepEqual(await filesWith(data, `${part}${MARK}`), [], part);
  assert.deepEqual(await found('rope'), []);
  assert.deepEqual(await found('oars'), ['/boats']);
  const doctor = await run('doctor');
  assert.equal(doctor.code, 0, doctor.stdout);
  for (const args of [
    ['build', '--from-archive'],
    ['rank', '--afresh'],
    ['crawl', '--delay', '5ms'],
  ])
    assert.equal((await run(...args)).code, 0, args.join());
  assert.deepEqual(await filesWith(data, `c${MARK}`), []);
});

test('a prefix and a host are removed, and an unknown URL is blocked', async (context) => {
  const engine = await startEngine(context);
  const { run, found, origin, asked } = engine;
  await build(engine);
  assert.equal((await found('private')).length, 2);
  assert.match((await run('remove', `${origin}/private/*`)).stdout, /2 documents taken out/);
  assert.deepEqual(await found('private'), []);
  const unknown = await run('remove', `${origin}/never`);
  assert.match(unknown.stdout, /\/never is not known to this crawl; it is blocked from now on/);
  assert.match((await run('remove', 'no web address')).stderr, /expected a host/);
  assert.match((await run('remove', '--allow', 'example.org')).stderr, /example\.org is not removed/);
  assert.match((await run('remove', new URL(origin).host)).stdout, /3 documents taken out/);
  assert.deepEqual(await found('harbour'), []);
  asked.length = 0;
  await run('crawl', '--delay', '5ms', '--revisit', 'on', `${origin}/never`);
  assert.deepEqual(asked, [], 'no request is sent, not even for robots.txt');
  const file = join(engine.data, '..', 'documents.jsonl');
  writeFileSync(file, `${JSON.stringify({ url: `${origin}/new`, title: 'New', text: 'new text' })}\n`);
  assert.match((await run('import', file)).stderr, /\/new is removed by the operator/);
});

test('a running crawl requests no page that is removed meanwhile, and settles the removal at its end', async (context) => {
  const { run, origin, data, asked } = await startEngine(context);
  await run('crawl', '--delay', '5ms', '--max-pages', '1', `${origin}/`);
  await run('build');
  await run('pause');
  const crawl = new Gyre(['crawl', '--data', data, '--delay', '5ms']);
  context.after(() => crawl.kill('SIGKILL'));
  while (!crawl.stderr.includes('paused')) await new Promise((resolve) => setTimeout(resolve, 50));
  const removed = await run('remove', `${origin}/secret`);
  assert.match(
    removed.stdout,
    /searches no longer find them; the crawl state is changed when the running crawl/,
  );
  await run('resume');
  assert.equal((await crawl.ended()).code, 0);
  assert.ok(asked.includes('/boats') && !asked.includes('/secret'), asked.join());
  assert.match(readFileSync(join(data, 'audit.log'), 'utf8'), /settle-removals/);
});

test('a running engine takes a page out within seconds, and purges it', async (context) => {
  const engine = await startEngine(context);
  const { run, origin, data } = engine;
  const up = new Gyre(['up', '--data', data, '--delay', '5ms', '--port', '0', `${origin}/`]);
  context.after(() => up.kill('SIGKILL'));
  const [, address] = await up.printed(/ready: \d+ documents; search at (\S+)/);
  const results = async () => {
    const response = await fetch(`${address}/api/v1/search?q=rope`);
    return ((await response.json()) as { results: unknown[] }).results.length;
  };
  const copy = () => fetch(`${address}/cached?url=${encodeURIComponent(`${origin}/secret`)}`);
  assert.equal(await results(), 1);
  assert.equal((await copy()).status, 200);
  const facts = await fetch(`${address}/api/v1/admin/inspect?url=${encodeURIComponent(`${origin}/moved`)}`);
  assert.equal(((await facts.json()) as { cause: { code: string } }).cause.code, 'alias');
  const removed = await run('remove', '--purge', `${origin}/secret`);
  assert.match(removed.stdout, /the running engine has done it/);
  assert.notEqual((await copy()).status, 200);
  while ((await results()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(await filesWith(data, `c${MARK}`), []);
  await up.printed(/ready: \d+ documents[\s\S]*ready: \d+ documents/);
  const url = `${address}/api/v1/admin/removals`;
  const body = JSON.stringify({ action: 'remove', targets: [`${origin}/private/*`] });
  const headers = { 'content-type': 'application/json' };
  assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 202);
  const isSettled = async () => ((await (await fetch(url)).json()) as { settled: boolean }).settled;
  while (!(await isSettled())) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.match(readFileSync(join(data, 'audit.log'), 'utf8'), /"who":"http:127\.0\.0\.1"/);
  assert.equal((await up.kill('SIGINT')).code, 0, up.stderr);
});

const KILLER = pathToFileURL(join(import.meta.dirname, '..', 'helpers', 'kill-at-change.mjs')).href;

test('a purge that is killed is completed by the next one, and loses nothing else', async (context) => {
  const engine = await startEngine(context);
  const { origin, data } = engine;
  await build(engine);
  const purge = (at: string, killAt: number) =>
    new Gyre(['remove', '--purge', `${origin}/secret`, '--data', at], {
      NODE_OPTIONS: `--import ${KILLER}`,
      KILL_AT: String(killAt),
    }).ended();
  const copyTo = (name: string) => {
    const copy = `${data}-${name}`;
    cpSync(data, copy, { recursive: true });
    return copy;
  };
  const whole = await purge(copyTo('whole'), 0);
  const changes = Number(/changes: (\d+)/.exec(whole.stderr)?.[1]);
  assert.ok(whole.code === 0 && changes > 10, `${changes} changes`);
  const checkKilledAt = async (killAt: number) => {
    const copy = copyTo(String(killAt));
    assert.equal((await purge(copy, killAt)).code, null, `killed at change ${killAt}`);
    const next = await gyre(['remove', '--purge', `${origin}/secret`, '--data', copy]);
    assert.equal(next.code, 0, next.stderr);
    for (const part of ['B', 'b', 'c', 'd'])
      assert.deepEqual(await filesWith(copy, `${part}${MARK}`), [], `${part} after change ${killAt}`);
    const { stdout } = await gyre(['search', '--json', 'harbour', '--data', copy]);
    const paths = JSON.parse(stdout).results.map(({ url }: { url: string }) => new URL(url).pathname);
    assert.deepEqual(paths.sort(), ['/', '/boats', '/private/one', '/private/two']);
    const { code, stdout: findings } = await gyre(['doctor', '--data', copy]);
    assert.equal(code, 0, findings);
  };
  await Promise.all([0.4, 0.75, 1].map((share) => checkKilledAt(Math.ceil(share * changes))));
});

test('a purge deletes the vector of the page and the icon of its site', async (context) => {
  const icon = Buffer.from(`i${MARK}con`).toString('base64');
  const pages: Record<string, string> = {
    '/': '<title>alpha</title><p>alpha beta a b <a href="/other">c</a> <a href="/secret">b</a>',
    '/other': '<title>beta gamma</title><p>beta gamma c c c gamma',
    '/secret': `<title>gamma</title><link rel="icon" href="data:image/png;base64,${icon}"><p>gamma gamma alpha a a b <a href="/">a</a>`,
  };
  const server = createServer(({ url }, response) => {
    const body = pages[url!];
    response.writeHead(body ? 200 : 404, { 'content-type': 'text/html' });
    response.end(body && `<html lang="en">${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const data = join(temporaryDirectory(context), 'data');
  const model = writeTinyModel();
  for (const args of [
    ['crawl', '--delay', '5ms', `${origin}/secret`],
    ['build'],
    ['embed', '--model', model],
  ]) {
    const done = await gyre([...args, '--data', data]);
    assert.equal(done.code, 0, `${args[0]}: ${done.stderr}`);
  }
  const vector = vectorOf(data, `${origin}/secret`);
  const others = [vectorOf(data, `${origin}/`), vectorOf(data, `${origin}/other`)];
  assert.notDeepEqual(await filesWith(data, vector), []);
  assert.notDeepEqual(await filesWith(data, icon), [], 'the icon is stored');
  const purged = await gyre(['remove', '--purge', `${origin}/secret`, '--data', data]);
  assert.equal(purged.code, 0, purged.stderr);
  assert.deepEqual(await filesWith(data, vector), []);
  assert.deepEqual(await filesWith(data, icon), []);
  for (const other of others) assert.notDeepEqual(await filesWith(data, other), [], 'other vectors stay');
});

/** Returns the bytes of a page's vector, which are at a fixed place in the file of its segment. */
function vectorOf(data: string, url: string): Buffer {
  const index = directoryAt(join(data, 'index'));
  const reader = new IndexReader(index, silentLog);
  try {
    for (const segment of reader.segments) {
      const doc = segment.reader.findDocument(fingerprint(canonicalize(url)!));
      if (doc < 0) continue;
      const name = index
        .list()
        .find((file) => file.startsWith(segment.reader.name.replace('.seg', '.vec-')))!;
      const bytes = index.read(name);
      const vectorBytes = 16 * Math.ceil(bytes.readUInt32LE(8) / 32);
      const at = 16 + bytes.readUInt32LE(12) + doc * vectorBytes;
      return Buffer.from(bytes.subarray(at, at + vectorBytes));
    }
    throw new Error(`no document ${url}`);
  } finally {
    reader.close();
  }
}
