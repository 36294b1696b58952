/** Tests which profiles come into force, and which are refused. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, openDirectory, silentLog } from '../../base/mod.ts';
import { DEFAULT_PROFILE, type Profile } from '../../scoring/mod.ts';
import { recordOf } from './evaluation-record.fixture.ts';
import { failsGate } from './evaluation-record.ts';
import {
  chooseProfile,
  describeStored,
  freeName,
  ProfileFollower,
  profileInForce,
  readHistory,
  rollBack,
  storePublished,
} from './mod.ts';
import { profileFile } from './stored-profiles.ts';

function temporaryRoot(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-profiles-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDirectory(path);
}

const profileNamed = (name: string, k1 = 1.3): Profile => ({ ...DEFAULT_PROFILE, name, k1 });

function publish(root: Directory, name: string, k1?: number): Profile {
  const profile = profileNamed(name, k1);
  storePublished(root, profile, recordOf(profile));
  return profile;
}

function writeByHand(root: Directory, name: string, value: object): void {
  mkdirSync(join(root.path, 'profiles'), { recursive: true });
  writeFileSync(profileFile(root, name), JSON.stringify(value));
}

test('a loss counts as worse if it is significant, and with few queries always', () => {
  assert.equal(failsGate({ difference: -0.1, p: 0.01 }, 50), true);
  assert.equal(failsGate({ difference: -0.1, p: 0.2 }, 50), false);
  assert.equal(failsGate({ difference: -0.1, p: 0.2 }, 9), true);
  assert.equal(failsGate({ difference: 0.1, p: 0.01 }, 50), false);
  assert.equal(failsGate({ difference: 0, p: 1 }, 2), false);
});

test('the profile that was published last is in force, and each roll-back takes one publication back', (t) => {
  const root = temporaryRoot(t);
  assert.equal(profileInForce(root, ''), DEFAULT_PROFILE);
  const first = publish(root, 'first');
  const second = publish(root, 'second', 1.4);
  assert.deepEqual(profileInForce(root, ''), second);
  assert.equal(rollBack(root, 'cli:ann', 0), 'first');
  assert.deepEqual(profileInForce(root, ''), first);
  assert.equal(rollBack(root, 'cli:ann', 0), 'default');
  assert.equal(profileInForce(root, ''), DEFAULT_PROFILE);
  assert.throws(() => rollBack(root, 'cli:ann', 0), { code: 'no-history' });
  assert.deepEqual(
    readHistory(root).map(({ action, profile }) => `${action} ${profile}`),
    ['publish first', 'publish second', 'roll-back first', 'roll-back default'],
  );
});

test('the setting chooses any published profile by name, and no other one', (t) => {
  const root = temporaryRoot(t);
  const first = publish(root, 'first');
  publish(root, 'second', 1.4);
  assert.deepEqual(profileInForce(root, 'first'), first);
  assert.equal(profileInForce(root, 'default'), DEFAULT_PROFILE);
  assert.throws(
    () => profileInForce(root, 'nobody'),
    /expected one of default, first, second as serve\.profile/,
  );
  assert.throws(() => profileInForce(root, 'bm25'), {
    code: 'unverified-profile',
    message: /run gyre eval --data \S+ --profile bm25 --publish --queries FILE --qrels FILE/,
  });
});

test('a profile that was written or changed by hand is refused with the command that publishes it', (t) => {
  const root = temporaryRoot(t);
  writeByHand(root, 'mine', profileNamed('mine'));
  const refused = {
    code: 'unverified-profile',
    message: /run gyre eval --data \S+ --profile \S+mine\.json --publish/,
  };
  assert.throws(() => profileInForce(root, 'mine'), refused);
  assert.equal(chooseProfile(root, 'mine').k1, 1.3, 'it can be tried');
  publish(root, 'mine');
  assert.equal(profileInForce(root, '').name, 'mine');
  const { checksum: _, ...stored } = JSON.parse(readFileSync(profileFile(root, 'mine'), 'utf8'));
  writeByHand(root, 'mine', { ...stored, about: 'only another description' });
  assert.equal(profileInForce(root, '').name, 'mine');
  writeByHand(root, 'mine', { ...stored, k1: 9 });
  assert.throws(() => profileInForce(root, ''), refused);
  writeByHand(root, 'mine', { ...stored, evaluation: recordOf(profileNamed('mine'), -0.2, 0.001) });
  assert.throws(() => profileInForce(root, ''), /was evaluated as worse than default/);
});

test('a profile file of an earlier version is refused until it is published or deleted', (t) => {
  const root = temporaryRoot(t);
  writeFileSync(join(root.path, 'profile.json'), JSON.stringify(profileNamed('tuned')));
  assert.throws(() => profileInForce(root, ''), {
    code: 'unverified-profile',
    message: /--profile \S+profile\.json --publish .*or delete the file/,
  });
  assert.equal(profileInForce(root, 'default'), DEFAULT_PROFILE);
});

test('a name stands for one profile: other numbers need another name', (t) => {
  const root = temporaryRoot(t);
  publish(root, 'first');
  publish(root, 'first');
  for (const [name, k1] of [
    ['first', 1.4],
    ['default', 1.3],
    ['bm25', 1.3],
  ] as const)
    assert.throws(() => publish(root, name, k1), { code: 'name-taken' }, name);
  assert.throws(() => publish(root, '../x'), { code: 'bad-profile' });
  assert.equal(freeName(root, 'first'), 'first-2');
  assert.equal(freeName(root, 'tuned'), 'tuned');
});

test('a file that is no profile is described by its problem', (t) => {
  const root = temporaryRoot(t);
  writeByHand(root, 'broken', { name: 'broken' });
  assert.match(JSON.stringify(describeStored(root, 'broken')), /"problem":".*\\"model\\" is one of/);
  writeByHand(root, 'other', profileNamed('another'));
  assert.match(JSON.stringify(describeStored(root, 'other')), /expected \\"name\\": \\"other\\"/);
});

test('a running engine follows publications, and keeps its profile if the new one is refused', (t) => {
  const root = temporaryRoot(t);
  const follower = new ProfileFollower(root, '', silentLog);
  assert.equal(follower.refresh(), false);
  publish(root, 'first');
  assert.equal(follower.refresh(), true);
  assert.equal(follower.profile.name, 'first');
  assert.equal(follower.refresh(), false);
  publish(root, 'second', 1.4);
  writeByHand(root, 'second', profileNamed('second', 2));
  assert.equal(follower.refresh(), false);
  assert.equal(follower.profile.name, 'first');
  const pinned = new ProfileFollower(root, 'first', silentLog);
  rollBack(root, 'cli:ann', 0);
  assert.equal(pinned.refresh(), false);
});
