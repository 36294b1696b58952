import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDirectory } from '../../base/mod.ts';
import { canonicalize, fingerprint } from '../../url/mod.ts';
import { PendingState } from './pending-state.ts';
import { openCrawlState } from './sqlite/sqlite-state.ts';
import { emptyCommit } from './state.fixture.ts';

const ONE = canonicalize('https://a.test/1')!;
const TWO = canonicalize('https://a.test/2')!;
const ownerOf = (url: typeof ONE) => ({ url, fetchedAt: 1, payloadDigest: 'P' });

function openPending(t: TestContext): PendingState {
  const path = mkdtempSync(join(tmpdir(), 'gyre-pending-'));
  const state = openCrawlState(openDirectory(path));
  t.after(() => {
    state.close();
    rmSync(path, { recursive: true });
  });
  return new PendingState(state);
}

async function commit(pending: PendingState): Promise<void> {
  await pending.state.commit({ ...emptyCommit(), ...pending.take() });
  pending.committed();
}

test('content has one owner before, during and after the commit', async (t) => {
  const pending = openPending(t);
  assert.equal(await pending.claimContent('D', ownerOf(ONE)), null);
  assert.equal((await pending.claimContent('D', ownerOf(TWO)))!.url, ONE);
  const batch = pending.take();
  assert.equal((await pending.claimContent('D', ownerOf(TWO)))!.url, ONE, 'while the commit runs');
  await pending.state.commit({ ...emptyCommit(), ...batch });
  pending.committed();
  assert.equal((await pending.claimContent('D', ownerOf(TWO)))!.url, ONE);
});

test('exactly one of two claims at once succeeds', async (t) => {
  const pending = openPending(t);
  const owners = await Promise.all([ONE, TWO].map((url) => pending.claimContent('D', ownerOf(url))));
  assert.deepEqual(
    owners.map((owner) => owner?.url ?? null),
    [null, ONE],
  );
});

test('content that was released can be claimed before the release is committed', async (t) => {
  const pending = openPending(t);
  await pending.claimContent('D', ownerOf(ONE));
  await commit(pending);
  pending.releaseContent('D', ONE);
  assert.equal(await pending.claimContent('D', ownerOf(TWO)), null);
  await commit(pending);
  assert.equal((await pending.state.contentOwner('D'))!.url, TWO);
});

test('a URL, a note and a sketch are seen before they are committed, and the newest value wins', async (t) => {
  const pending = openPending(t);
  const note = { origin: 'https://a.test', kind: 'traps' as const, value: '1', notedAt: 1 };
  pending.keepUrl(ONE);
  pending.keepNote(note);
  pending.keepSketch(5n, 1);
  assert.equal(pending.hasPending, true);
  const batch = pending.take();
  assert.equal(pending.hasPending, false);
  pending.keepSketch(5n, 2);
  assert.equal(await pending.urlOf(fingerprint(ONE)), ONE);
  assert.deepEqual(await pending.notesOf(['https://a.test'], 'traps'), [note]);
  assert.equal(await pending.sketchOf(5n), 2);
  await pending.state.commit({ ...emptyCommit(), ...batch });
  pending.committed();
  assert.equal(await pending.urlOf(fingerprint(ONE)), null, 'nobody has discovered it');
  assert.deepEqual({ ...(await pending.notesOf(['https://a.test'], 'traps'))[0] }, note);
  assert.equal(await pending.sketchOf(5n), 2);
  await commit(pending);
  assert.equal((await pending.state.sketchesOf([5n])).get(5n), 2);
});
