import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CorruptError, GyreError, UsageError } from '../errors.ts';
import { openDirectory, partOf } from './directory.ts';
import { acquireLock, isLocked } from './file-lock.ts';
import { readSealed, writeSealed } from './sealed-file.ts';

const path = mkdtempSync(join(tmpdir(), 'gyre-directory-'));
after(() => rmSync(path, { recursive: true }));
const directory = openDirectory(path);

test('appending cuts the bytes after the kept part', async () => {
  const first = directory.append('log', 0);
  first.write(Buffer.from('committed, lost'));
  await first.sync();
  first.close();
  const second = directory.append('log', 'committed'.length);
  second.write(Buffer.from('!'));
  assert.equal(second.length, 10);
  second.close();
  assert.equal(directory.read('log').toString(), 'committed!');
});

test('a file shorter than its committed length is an error, not filled with zeros', () => {
  directory.replace('short.log', Buffer.from('abc'));
  assert.throws(
    () => directory.append('short.log', 10),
    /short\.log at byte 3: expected 10 committed bytes, got the end/,
  );
  assert.throws(() => directory.append('missing.log', 10), CorruptError);
  assert.equal(directory.read('short.log').toString(), 'abc');
});

test('an unfinished file is not listed', () => {
  directory.append(partOf('a.journal'), 0).close();
  assert.ok(!directory.list().includes(partOf('a.journal')));
  directory.rename(partOf('a.journal'), 'a.journal');
  assert.ok(directory.list().includes('a.journal'));
});

test('replacing a file leaves no temporary file', () => {
  directory.replace('m.json', Buffer.from('1'));
  directory.replace('m.json', Buffer.from('2'));
  assert.equal(directory.read('m.json').toString(), '2');
  assert.deepEqual(
    readdirSync(path).filter((name) => name.startsWith('m.json')),
    ['m.json'],
  );
});

test('the error for a read past the end of a file has its name and the offset', () => {
  directory.replace('short', Buffer.from('abc'));
  const file = directory.open('short');
  assert.equal(file.read(1, 2).toString(), 'bc');
  assert.throws(() => file.read(2, 5), new CorruptError('short', 3, '4 more bytes', 'the end'));
  file.close();
});

test('the error for a directory that cannot be created says what to do', () => {
  writeFileSync(join(path, 'file'), '');
  assert.throws(
    () => openDirectory(join(path, 'file', 'below')),
    (error: unknown) => {
      return error instanceof UsageError && /--data/.test(error.message) && !error.message.includes('\n');
    },
  );
});

test('a sealed file is refused when a byte, the magic or the version is wrong', () => {
  const kind = { magic: 'TST1', version: 2 };
  writeSealed(directory, 'sealed', kind, Buffer.from('body'));
  assert.equal(readSealed(directory, 'sealed', kind).toString(), 'body');
  assert.throws(
    () => readSealed(directory, 'sealed', { magic: 'TST2', version: 2 }),
    /at byte 0: expected magic TST2/,
  );
  assert.throws(
    () => readSealed(directory, 'sealed', { magic: 'TST1', version: 1 }),
    (error: unknown) => {
      return error instanceof GyreError && error.code === 'newer-format';
    },
  );
  const bytes = directory.read('sealed');
  bytes[9]! ^= 1;
  directory.replace('sealed', bytes);
  assert.throws(() => readSealed(directory, 'sealed', kind), /at byte 12: expected checksum/);
  directory.replace('sealed', bytes.subarray(0, 6));
  assert.throws(() => readSealed(directory, 'sealed', kind), CorruptError);
});

test('a lock has one holder, and can be taken again after its release', () => {
  const lock = acquireLock(directory, 'crawl', 'gyre crawl');
  assert.throws(
    () => acquireLock(directory, 'crawl', 'gyre crawl'),
    /held by another process \(gyre crawl\): stop it first/,
  );
  assert.equal(isLocked(directory, 'crawl'), true);
  lock.release();
  assert.equal(isLocked(directory, 'crawl'), false);
  assert.equal(isLocked(directory, 'never'), false);
  assert.equal(directory.has('never.lock'), false);
  acquireLock(directory, 'crawl', 'gyre crawl').release();
});

test('an unreadable file is reported as damaged with a reason; a missing file is not damaged', () => {
  directory.directory('folder');
  const isDamage = (error: unknown) =>
    error instanceof CorruptError && /^folder at byte 0: .*EISDIR/.test(error.message);
  assert.throws(() => directory.read('folder'), isDamage);
  const file = directory.open('folder');
  assert.throws(() => file.read(0, 4), isDamage);
  file.close();
  assert.throws(() => directory.open('missing'), { code: 'ENOENT' });
});
