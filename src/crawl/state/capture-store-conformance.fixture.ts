/**
 * Conformance suite for implementations of `CaptureStore`. A test of an implementation runs it with a factory of
 * empty stores.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { capture } from '../../archive/warc/warc.fixture.ts';
import type { JournalRecord } from '../../journal/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import type { CaptureMark, CaptureStore } from './capture-store.ts';

/** The storage of one capture store, which can be opened several times. */
export interface CapturePlace {
  /** Opens the store as it was at a committed mark; null opens an empty store. */
  open(mark: CaptureMark | null): Promise<CaptureStore>;
  /** Returns the URLs in the archive up to the mark, in order. */
  archived(mark: CaptureMark): Promise<string[]>;
  /** Returns the URLs of the journal records that readers see after the commit of `mark`, in order. */
  published(mark: CaptureMark): Promise<string[]>;
}

export function captureStoreConformance(
  name: string,
  place: (t: TestContext) => Promise<CapturePlace>,
): void {
  test(`${name}: committed batches are kept in order, and are published after a request`, async (t) => {
    const at = await place(t);
    const store = await at.open(null);
    add(store, '/1');
    add(store, '/2');
    await store.seal();
    store.committed();
    add(store, '/3');
    const mark = await store.seal();
    store.committed();
    store.publish();
    assert.deepEqual(await at.published(mark), ['/1', '/2', '/3'].map(urlOf));
    assert.deepEqual(await at.archived(mark), ['/1', '/2', '/3'].map(urlOf));
    assert.ok(store.publishedFiles > 0);
    store.close();
  });

  test(`${name}: a batch that was sealed and never committed does not exist`, async (t) => {
    const at = await place(t);
    const store = await at.open(null);
    add(store, '/kept');
    const mark = await store.seal();
    store.committed();
    add(store, '/lost');
    await store.seal();
    store.close();
    const again = await at.open(mark);
    add(again, '/new');
    const next = await again.seal();
    again.committed();
    again.publish();
    again.close();
    assert.deepEqual(await at.published(next), ['/kept', '/new'].map(urlOf));
    assert.deepEqual(await at.archived(next), ['/kept', '/new'].map(urlOf));
  });

  test(`${name}: what was published before the last commit stays after a crash`, async (t) => {
    const at = await place(t);
    const store = await at.open(null);
    add(store, '/one');
    const mark = await store.seal();
    store.committed();
    store.publish();
    add(store, '/lost');
    await store.seal();
    store.close();
    const again = await at.open(mark);
    again.publish();
    assert.deepEqual(await at.published(mark), [urlOf('/one')]);
    add(again, '/two');
    const next = await again.seal();
    again.committed();
    again.publish();
    again.close();
    assert.deepEqual(await at.published(next), ['/one', '/two'].map(urlOf));
    assert.deepEqual(await at.archived(next), ['/one', '/two'].map(urlOf));
  });

  test(`${name}: what was added and not sealed is dropped`, async (t) => {
    const at = await place(t);
    const store = await at.open(null);
    const mark = await store.seal();
    store.committed();
    add(store, '/dropped');
    store.close();
    const again = await at.open(mark);
    again.publish();
    again.close();
    assert.deepEqual(await at.published(mark), []);
  });

  test(`${name}: a record may come without a capture, and a capture without a record`, async (t) => {
    const at = await place(t);
    const store = await at.open(null);
    store.archive(capture('/robots.txt', 'User-agent: *'));
    store.record(gone('/alias'));
    const mark = await store.seal();
    store.committed();
    store.publish();
    store.close();
    assert.deepEqual(await at.published(mark), [urlOf('/alias')]);
    assert.deepEqual(await at.archived(mark), [urlOf('/robots.txt')]);
  });
}

function add(store: CaptureStore, path: string): void {
  store.archive(capture(path, `page ${path}`));
  store.record(gone(path));
}

function gone(path: string): JournalRecord {
  return { kind: 'gone', url: urlOf(path), fetchedAt: 1_767_323_045_000, status: 404 };
}

function urlOf(path: string): CanonicalUrl {
  return canonicalize(`https://example.org${path}`)!;
}
