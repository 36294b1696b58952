import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory } from '../../../test/helpers/gyre.ts';
import { openDirectory } from '../../base/mod.ts';
import {
  addAccount,
  createFirstAccount,
  createKey,
  openAccounts,
  removeAccount,
  renewPassword,
  revokeKey,
} from './accounts.ts';
import { readAccess } from './accounts-file.ts';
import { readAudit } from './audit-log.ts';
import { hashPassword, isPasswordOf } from './password-hash.ts';

function rootOf(context: TestContext) {
  return openDirectory(temporaryDirectory(context));
}

test('the first start creates one account, and stores only a hash of its password', async (context) => {
  const root = rootOf(context);
  const first = await createFirstAccount(root);
  assert.match(first!.password, /^[a-z2-9]{5}(?:-[a-z2-9]{5}){4}$/);
  assert.equal(await createFirstAccount(root), null, 'the second start creates none');
  const file = join(root.path, 'accounts.json');
  assert.ok(!readFileSync(file, 'utf8').includes(first!.password));
  assert.equal(statSync(file).mode & 0o077, 0, 'only the owner may read the hashes');
  const accounts = openAccounts(root);
  assert.equal((await accounts.signIn('operator', first!.password))?.role, 'operator');
  assert.equal(await accounts.signIn('operator', `${first!.password} `), null);
  assert.equal(await accounts.signIn('nobody', first!.password), null);
  assert.equal(await accounts.signIn('nobody', ''), null);
});

test('a new password ends the validity of the old one, and changes the version of the account', async (context) => {
  const root = rootOf(context);
  const old = await addAccount(root, 'anna', 'viewer', 'test');
  const accounts = openAccounts(root);
  const { version } = accounts.find('anna')!;
  const renewed = await renewPassword(root, 'anna', 'test');
  assert.equal(await accounts.signIn('anna', old), null);
  assert.notEqual((await accounts.signIn('anna', renewed))?.version, version);
  await assert.rejects(accounts.setPassword('anna', 'too short', 'test'), /at least 12 characters/);
  removeAccount(root, 'anna', 'test');
  assert.equal(accounts.find('anna'), null);
  assert.throws(() => removeAccount(root, 'anna', 'test'), /there is no account "anna"/);
  const actions = readAudit(root, 10).map(({ action, target }) => `${action} ${target}`);
  assert.deepEqual(actions, ['remove-account anna', 'set-password anna', 'add-account anna (viewer)']);
});

test('a key is stored as a digest and can be revoked', (context) => {
  const root = rootOf(context);
  const key = createKey(root, 'monitoring', 'viewer', 'test');
  assert.match(key, /^gyre_[\w-]{43}$/);
  assert.ok(!readFileSync(join(root.path, 'accounts.json'), 'utf8').includes(key.slice(5)));
  const accounts = openAccounts(root);
  assert.deepEqual(accounts.holderOf(key), { name: 'monitoring', role: 'viewer' });
  assert.equal(accounts.holderOf(`${key}x`), null);
  assert.throws(() => createKey(root, 'monitoring', 'viewer', 'test'), /there is a key "monitoring"/);
  assert.throws(() => createKey(root, '../etc', 'viewer', 'test'), /is no name/);
  revokeKey(root, 'monitoring', 'test');
  assert.equal(accounts.holderOf(key), null);
  assert.deepEqual(readAccess(root).keys, []);
});

test('hashes of one password differ, and a waiting line of checks is refused', async () => {
  const [one, two] = [await hashPassword('same password'), await hashPassword('same password')];
  assert.notEqual(one, two);
  assert.ok(await isPasswordOf('same password', one));
  const checks = Array.from({ length: 12 }, () => isPasswordOf('wrong', one));
  const outcomes = await Promise.allSettled(checks);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 4, 'eight checks wait, and the others are refused');
});
