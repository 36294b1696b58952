import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDirectory, silentLog, sleep, systemClock } from '../../src/base/mod.ts';
import { pageRecord, temporaryDirectory, writeJournal } from '../../src/build/journal.fixture.ts';
import { buildIndex, mergeInThread } from '../../src/build/mod.ts';
import { openData } from '../../src/cli/data-directory.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { Gyre, gyre } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';

const merge = mergeInThread(64 * 1024 * 1024);

test('on a full disk the old index is served, and with free space the build continues', async (t) => {
  const disk = smallDisk(t, 256);
  if (!disk) return t.skip('mounting a small disk needs more rights');
  const journal = temporaryDirectory(t);
  const index = openDirectory(disk);
  const build = () => buildIndex({ journal, index, ranks: null, log: silentLog, merge });
  await writeJournal(journal, [[pageRecord('first', 'the first page')]]);
  await build();
  await writeJournal(journal, [pages('p', 100)]);
  await assert.rejects(build(), { code: 'ENOSPC' });
  assert.equal(await countOf(disk, 'page'), 1);
  resize(disk, 64 * 1024);
  await build();
  assert.equal(await countOf(disk, 'page'), 101);
});

test('a merge on a full disk leaves the segments unchanged', async (t) => {
  const disk = smallDisk(t, 64 * 1024);
  if (!disk) return t.skip('mounting a small disk needs more rights');
  const journal = temporaryDirectory(t);
  const index = openDirectory(disk);
  const build = () => buildIndex({ journal, index, ranks: null, log: silentLog, merge });
  for (let file = 0; file < 7; file++) {
    await writeJournal(journal, [pages(`${file}-`, 20)]);
    await build();
  }
  const used = index.list().reduce((sum, name) => sum + index.sizeOf(name), 0);
  resize(disk, Math.ceil((used / 1024 / 7) * 10));
  await writeJournal(journal, [pages('last-', 20)]);
  await assert.rejects(build(), { code: 'ENOSPC' });
  assert.equal(await countOf(disk, 'page'), 160);
  resize(disk, 64 * 1024);
  assert.equal((await build()).merges, 1);
  assert.equal(await countOf(disk, 'page'), 160);
});

test('gyre rank fails without space for suggestions and synonyms, and succeeds with free space', async (t) => {
  const data = openData(mkdtempSync(join(tmpdir(), 'gyre-words-')));
  const disk = smallDisk(t, 4, data.words.path);
  t.after(() => rmSync(data.root.path, { recursive: true, force: true }));
  if (!disk) return t.skip('mounting a small disk needs more rights');
  await writeJournal(data.journal, [pages('w', 30)]);
  const run = (command: string) => gyre([command, '--data', data.root.path]);
  assert.equal((await run('build')).code, 0);
  const { code, stderr } = await run('rank');
  assert.equal(code, 2, stderr);
  assert.match(stderr, /the disk is full: free some space and start again/);
  resize(disk, 64 * 1024);
  assert.equal((await run('rank')).code, 0);
});

test('on a nearly full disk gyre up fetches nothing, says so and serves; with space it continues', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-full-'));
  const data = join(directory, 'data');
  mkdirSync(data);
  let up: Gyre | null = null;
  // This hook runs before the one that unmounts the disk.
  t.after(() => up?.kill('SIGKILL'));
  const disk = smallDisk(t, 48 * 1024, data);
  if (!disk) return t.skip('mounting a small disk needs more rights');
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const fetched: string[] = [];
  const site = createServer((request, response) => {
    const page = Number(request.url!.slice(1));
    if (Number.isNaN(page)) return void response.writeHead(404).end();
    fetched.push(request.url!);
    // Bytes without order, so that the archive cannot compress them.
    const noise = randomBytes(150_000).toString('base64');
    const links = [1, 2].map((each) => `<a href="/${page * 2 + each}">next</a>`).join(' ');
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<title>Page ${page}</title><p>lighthouse number${page} ${links}<!-- ${noise} -->`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    site.closeAllConnections();
    site.close();
  });
  const seed = `http://127.0.0.1:${(site.address() as AddressInfo).port}/0`;
  const config = writeConfig(directory, { delay: '20ms', minFreeSpace: '30Mi' });
  up = new Gyre(['up', '--data', data, '--config', config, '--port', '0', seed]);
  const [, address] = await up.printed(/search at (http:\S+)/);
  const state = async () => (await (await fetch(`${address}/api/v1/status`)).json()) as { state?: string };
  const search = async () => {
    const found = await (await fetch(`${address}/api/v1/search?q=lighthouse`)).json();
    return (found as { results: unknown[] }).results.length;
  };
  await until(async () => JSON.stringify(await state()).includes('disk-full'), 'the disk is nearly full');
  await until(async () => (await search()) > 0, 'searches find pages');
  await sleep(1_500);
  const before = fetched.length;
  await sleep(2_000);
  assert.equal(fetched.length, before, 'no page is fetched');
  assert.ok((await search()) > 0, 'searches continue');
  assert.match(up.stderr, /disk nearly full/);
  resize(disk, 256 * 1024);
  await until(async () => fetched.length > before + 3, 'the crawl continues');
});

async function until(isDone: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isDone()) return;
    await sleep(100);
  }
  assert.fail(`waited for 60 s: ${what}`);
}

/** Returns records of pages. Each page has words that no other page has. */
function pages(name: string, count: number): ReturnType<typeof pageRecord>[] {
  const words = (n: number) => Array.from({ length: 300 }, (_, i) => `${name}${n}x${i * i}`).join(' ');
  return Array.from({ length: count }, (_, n) => pageRecord(`${name}${n}`, `page ${words(n)}`));
}

/** Mounts a directory with a capacity of `kib` KiB. Returns null if the test may not mount. */
function smallDisk(t: TestContext, kib: number, at?: string): string | null {
  const path = at ?? mkdtempSync(join(tmpdir(), 'gyre-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  t.after(() => {
    execFileSync('umount', [path]);
    rmSync(path, { recursive: true });
  });
  return path;
}

function resize(disk: string, kib: number): void {
  execFileSync('mount', ['-o', `remount,size=${kib}k`, disk]);
}

async function countOf(path: string, query: string): Promise<number> {
  const searcher = openSearcher(openDirectory(path), { log: silentLog, clock: systemClock });
  const { total } = await searcher.search({ query, offset: 0, limit: 10 });
  searcher.close();
  return total;
}
