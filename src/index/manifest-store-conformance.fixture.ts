/**
 * Conformance suite for implementations of `ManifestStore`. Each implementation runs it with a factory of empty
 * stores.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EMPTY_MANIFEST, type Manifest } from './manifest.ts';
import type { ManifestStore } from './manifest-store.ts';

/** Defines the tests. `open` returns two connections to the same empty store. */
export function manifestStoreConformance(
  name: string,
  open: (t: TestContext) => Promise<[ManifestStore, ManifestStore]>,
): void {
  test(`${name}: a store without a manifest reads as an empty index`, async (t) => {
    const [store] = await open(t);
    assert.deepEqual(await store.read(), EMPTY_MANIFEST);
  });

  test(`${name}: a manifest is replaced only by a writer that has read it`, async (t) => {
    const [store, other] = await open(t);
    assert.equal(await store.compareAndSwap(EMPTY_MANIFEST, manifestOf(1)), true);
    assert.deepEqual(await other.read(), manifestOf(1));
    assert.equal(await other.compareAndSwap(EMPTY_MANIFEST, manifestOf(1, 'other')), false);
    assert.deepEqual(await store.read(), manifestOf(1), 'a refused manifest changes nothing');
    assert.equal(await other.compareAndSwap(manifestOf(1), manifestOf(2)), true);
    assert.equal(await store.compareAndSwap(manifestOf(1), manifestOf(2)), false);
    assert.equal(await store.compareAndSwap(manifestOf(2, 'other'), manifestOf(3)), false, 'another index');
  });

  test(`${name}: of several writers at once exactly one succeeds`, async (t) => {
    const [store, other] = await open(t);
    const attempts = [store, other, store, other].map((each) =>
      each.compareAndSwap(EMPTY_MANIFEST, manifestOf(1)),
    );
    assert.equal((await Promise.all(attempts)).filter(Boolean).length, 1);
  });

  test(`${name}: a watch reports the current manifest and each last change until it ends`, async (t) => {
    const [store, other] = await open(t);
    const seen: number[] = [];
    let notify = () => {};
    const until = async (generation: number) => {
      while (seen.at(-1) !== generation)
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
    };
    const stop = store.watch(
      ({ generation }) => {
        seen.push(generation);
        notify();
      },
      (error) => assert.fail(String(error)),
    );
    await until(0);
    await other.compareAndSwap(EMPTY_MANIFEST, manifestOf(1));
    await until(1);
    await store.compareAndSwap(manifestOf(1), manifestOf(2));
    await until(2);
    stop();
    await other.compareAndSwap(manifestOf(2), manifestOf(3));
    assert.deepEqual(seen, [0, 1, 2]);
  });
}

function manifestOf(generation: number, id = 'one'): Manifest {
  return { ...EMPTY_MANIFEST, id, generation, journal: { main: generation } };
}
