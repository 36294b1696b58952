/** Tests user errors: the program prints one line with advice, sets an exit code and damages nothing. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { acquireLock, openDirectory } from '../../src/base/mod.ts';
import { type Finished, gyre, temporaryDirectory } from '../helpers/gyre.ts';

function assertOneLine(result: Finished, message: RegExp): void {
  assert.notEqual(result.code, 0, result.stdout);
  assert.match(result.stderr, message);
  assert.match(result.stderr, /^gyre: [^\n]+\n$/, 'one line');
}

test('errors for unknown commands, options, arguments and keys have their names', async (context) => {
  const directory = temporaryDirectory(context);
  const config = join(directory, 'c.json');
  writeFileSync(config, '{ "crawl": { "speed": 9 } }');
  assertOneLine(await gyre(['fly']), /unknown command "fly"; expected one of up, crawl/);
  assertOneLine(await gyre(['crawl', '--fast']), /Unknown option '--fast'; see gyre crawl --help/);
  assertOneLine(
    await gyre(['build', 'now']),
    /gyre build does not take the argument "now"; see gyre build --help/,
  );
  assertOneLine(
    await gyre(['serve', '--port', 'http']),
    /--port: expected a whole number from 0 to 65535, got "http"/,
  );
  assertOneLine(await gyre(['crawl', '--config', config]), /c\.json: unknown key "crawl\.speed"/);
  assertOneLine(
    await gyre(['crawl', '--config', join(directory, 'none.json')]),
    /cannot read the configuration/,
  );
  assertOneLine(await gyre(['crawl', 'not a url']), /"not a url" is not a web address; write it like/);
  assertOneLine(await gyre(['search']), /missing query/);
});

test('the error for an unwritable data directory has its path', async (context) => {
  const directory = temporaryDirectory(context);
  writeFileSync(join(directory, 'file'), 'keep me');
  const below = join(directory, 'file', 'data');
  assertOneLine(
    await gyre(['crawl', '--data', below, 'http://127.0.0.1:1/']),
    /cannot use the directory .*: make it writable or choose another/,
  );
  assert.equal(readFileSync(join(directory, 'file'), 'utf8'), 'keep me');
  const locked = join(directory, 'locked');
  mkdirSync(locked);
  chmodSync(locked, 0o555);
  if (process.getuid?.() !== 0)
    assertOneLine(await gyre(['crawl', '--data', locked, 'http://127.0.0.1:1/']), /make it writable/);
});

test('an export that cannot be written or lacks damaged segments fails with a message', async (context) => {
  const directory = temporaryDirectory(context);
  const [data, documents] = [join(directory, 'data'), join(directory, 'd.jsonl')];
  writeFileSync(documents, '{"id":1,"title":"Whales","text":"all about whales"}\n');
  assert.equal((await gyre(['import', '--data', data, documents])).code, 0);
  assert.equal((await gyre(['build', '--data', data])).code, 0);
  const ciff = (file: string) => gyre(['export', '--data', data, '--ciff', join(directory, file)]);
  assertOneLine(await ciff('none/words.ciff'), /cannot write the export \(ENOENT\): choose another file\n/);
  writeFileSync(join(data, 'index', 'seg-00000002.seg'), 'rubbish');
  const { code, stderr } = await ciff('words.ciff');
  assert.notEqual(code, 0);
  assert.match(stderr, /the export lacks the documents of seg-00000002\.seg: run gyre build --repair/);
});

test('commands that need a crawl neither create nor change a directory without one', async (context) => {
  const directory = temporaryDirectory(context);
  const missing = join(directory, 'mistyped');
  for (const command of ['status', 'build', 'rank', 'serve', 'pause']) {
    assertOneLine(
      await gyre([command, '--data', missing]),
      /directory .*mistyped does not exist: run gyre crawl first, or choose/,
    );
  }
  mkdirSync(join(directory, 'demo'));
  for (const args of [
    ['search', 'word'],
    ['inspect', 'https://example.org/'],
    ['export'],
    ['build'],
    ['rank'],
  ]) {
    assertOneLine(
      await gyre([...args, '--data', directory]),
      / has no crawl and no import: run gyre up .*; the demonstration is in .*demo\n/,
    );
  }
  assert.deepEqual(readdirSync(directory), ['demo']);
});

test('data of a newer format is refused and not changed', async (context) => {
  const data = temporaryDirectory(context);
  const settings = '{ "format": 99, "seeds": [] }';
  writeFileSync(join(data, 'gyre.json'), settings);
  for (const command of ['crawl', 'build', 'serve', 'up', 'status']) {
    assertOneLine(
      await gyre([command, '--data', data]),
      /was written by a newer Gyre \(format 99, this one reads 1\): upgrade/,
    );
  }
  assert.equal(readFileSync(join(data, 'gyre.json'), 'utf8'), settings);
});

test('a manifest of a newer format is refused and not changed', async (context) => {
  const data = temporaryDirectory(context);
  mkdirSync(join(data, 'index'));
  const manifest = join(data, 'index', 'manifest.json');
  writeFileSync(manifest, '{ "version": 99 }');
  assertOneLine(
    await gyre(['serve', '--data', data, '--port', '0']),
    /has format version 99, this Gyre reads up to \d+: upgrade/,
  );
  assertOneLine(
    await gyre(['build', '--data', data]),
    /has format version 99, this Gyre reads up to \d+: upgrade/,
  );
  assert.equal(readFileSync(manifest, 'utf8'), '{ "version": 99 }');
});

test('a seed that cannot be reached, by name or by port, ends the crawl with a reason', async (context) => {
  const data = temporaryDirectory(context);
  const refused = await gyre(['crawl', '--data', join(data, 'a'), 'http://127.0.0.1:1/']);
  assertOneLine(
    withoutLog(refused),
    /no seed responded: http:\/\/127\.0\.0\.1:1 \(connection refused\); check the address/,
  );
  const contact = ['--contact', 'mailto:me@example.org'];
  const unknown = await gyre(['crawl', '--data', join(data, 'b'), ...contact, 'http://nowhere.invalid/']);
  assertOneLine(
    withoutLog(unknown),
    /no seed responded: http:\/\/nowhere\.invalid \(.+\); check the address and the network/,
  );
  const up = await gyre(['up', '--data', join(data, 'c'), '--port', '0', 'http://127.0.0.1:1/']);
  assertOneLine(withoutLog(up), /no seed responded/);
  const again = await gyre(['up', '--data', join(data, 'c'), '--port', '0']);
  assertOneLine(again, /has a crawl but no seeds; run gyre up SEED/);
});

test('a crawl beyond loopback requires a contact', async (context) => {
  const data = join(temporaryDirectory(context), 'data');
  for (const command of ['crawl', 'up']) {
    const result = await gyre([command, '--data', data, 'https://example.org/']);
    assertOneLine(result, /missing contact.*--contact mailto:/);
    assert.equal(existsSync(data), false, 'no directory is made for nothing');
  }
});

test('an invalid setting is an error before any file is created', async (context) => {
  const directory = temporaryDirectory(context);
  const [config, data] = [join(directory, 'c.json'), join(directory, 'data')];
  writeFileSync(config, '{ "crawl": { "authorities": ["/none.pem"] } }');
  for (const command of ['crawl', 'up']) {
    const result = await gyre([command, '--data', data, '--config', config, 'http://127.0.0.1:1/']);
    assertOneLine(result, /crawl\.authorities: cannot read \/none\.pem/);
    assert.equal(existsSync(data), false);
  }
});

test('the error for a port in use has the port, and the failed start leaves no files', async (context) => {
  const data = temporaryDirectory(context);
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  context.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const message = new RegExp(`port ${port} is in use: stop the other program or choose .* --port`);
  assertOneLine(await gyre(['serve', '--data', data, '--port', String(port)]), message);
  const up = ['up', '--port', String(port), '--data', join(data, 'new', 'one'), 'http://127.0.0.1:1/'];
  assertOneLine(await gyre(up), message);
  assert.equal(existsSync(join(data, 'new')), false);
});

test('an archive without its crawl.db is not overwritten', async (context) => {
  const data = temporaryDirectory(context);
  mkdirSync(join(data, 'archive'));
  writeFileSync(join(data, 'archive', '00000001.warc.gz'), 'precious');
  const result = await gyre(['crawl', '--data', data, 'http://127.0.0.1:1/']);
  assertOneLine(result, /archive has files of a crawl but no crawl\.db: restore it, or choose another/);
  assert.equal(readFileSync(join(data, 'archive', '00000001.warc.gz'), 'utf8'), 'precious');
});

test('a second crawl of the same directory is refused', async (context) => {
  const data = temporaryDirectory(context);
  const lock = acquireLock(openDirectory(data), 'crawl', 'gyre crawl');
  assertOneLine(
    await gyre(['crawl', '--data', data, 'http://127.0.0.1:1/']),
    /held by another process \(gyre up, gyre crawl, .+\): stop it first/,
  );
  lock.release();
});

test('help and version are printed', async () => {
  const overview = await gyre(['--help']);
  assert.equal(overview.code, 0);
  assert.match(overview.stdout, /gyre COMMAND \[options\]/);
  const crawl = await gyre(['crawl', '--help']);
  assert.match(crawl.stdout, /--delay TIME\s+minimum time between/);
  assert.match((await gyre(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
});

/** Removes the log lines, which are JSON, from the output of a command. */
function withoutLog(result: Finished): Finished {
  const lines = result.stderr
    .split('\n')
    .filter((line) => !line.startsWith('{') && !/^(?:\d+ indexed; )?crawled /.test(line));
  return { ...result, stderr: lines.join('\n') };
}
