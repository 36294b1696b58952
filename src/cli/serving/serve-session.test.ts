import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory, silentLog } from '../../base/mod.ts';
import { cookieSecret } from './serve-session.ts';

test('only the owner can read the cookie key, also one of an earlier release', (context) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-secret-'));
  context.after(() => rmSync(path, { recursive: true }));
  const file = join(path, 'cookie.key');
  const root = openDirectory(path);
  const mode = () => statSync(file).mode & 0o777;
  const secret = cookieSecret(root, silentLog);
  assert.deepEqual([secret.length, mode()], [43, 0o600]);
  chmodSync(file, 0o644);
  assert.deepEqual([cookieSecret(root, silentLog), mode()], [secret, 0o600]);
  writeFileSync(file, '');
  assert.equal(cookieSecret(root, silentLog).length, 43, 'an empty file is no secret');
});
