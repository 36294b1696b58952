/**
 * Tests that every implementation of `BlobStore` must pass. An implementation runs them with a factory of
 * empty stores.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BlobStore } from './blob-store.ts';

export function blobStoreConformance(name: string, open: (t: TestContext) => Promise<BlobStore>): void {
  const bytes = Buffer.from('0123456789');

  test(`${name}: a blob is read as it was stored, whole and in parts`, async (t) => {
    const store = await open(t);
    await store.put('digits.bin', bytes);
    assert.deepEqual(await store.get('digits.bin'), bytes);
    assert.equal(String(await store.range('digits.bin', 2, 3)), '234');
    assert.equal(String(await store.range('digits.bin', 8, 30)), '89', 'a range ends with the blob');
    assert.equal((await store.range('digits.bin', 10, 5)).length, 0);
    await store.put('empty', Buffer.alloc(0));
    assert.equal((await store.get('empty')).length, 0);
  });

  test(`${name}: the bytes that were stored do not follow their buffer`, async (t) => {
    const store = await open(t);
    const changing = Buffer.from('before');
    await store.put('blob', changing);
    changing.fill('x');
    assert.equal(String(await store.get('blob')), 'before');
  });

  test(`${name}: a blob that is absent is an error, except for delete`, async (t) => {
    const store = await open(t);
    await assert.rejects(store.get('absent'), { code: 'no-blob' });
    await assert.rejects(store.range('absent', 0, 1), { code: 'no-blob' });
    await store.delete('absent');
  });

  test(`${name}: a blob never changes`, async (t) => {
    const store = await open(t);
    await store.put('blob', bytes);
    await store.put('blob', bytes);
    await assert.rejects(store.put('blob', Buffer.from('other')), { code: 'blob-exists' });
    assert.deepEqual(await store.get('blob'), bytes);
  });

  test(`${name}: names are listed by prefix in order, until they are deleted`, async (t) => {
    const store = await open(t);
    for (const each of ['seg-2', 'seg-10', 'other', 'seg-1']) await store.put(each, bytes);
    assert.deepEqual(await store.list('seg-'), ['seg-1', 'seg-10', 'seg-2']);
    await store.delete('seg-10');
    assert.deepEqual(await store.list(''), ['other', 'seg-1', 'seg-2']);
    await assert.rejects(store.get('seg-10'), { code: 'no-blob' });
  });

  test(`${name}: a name has no slashes and no spaces`, async (t) => {
    const store = await open(t);
    for (const each of ['', '../escape', 'a/b', 'a b'])
      await assert.rejects(store.put(each, bytes), { code: 'blob-name' });
  });
}
