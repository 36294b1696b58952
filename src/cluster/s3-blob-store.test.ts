import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blobStoreConformance } from '../base/files/blob-store-conformance.fixture.ts';
import { ServiceError } from './service-error.ts';
import { openS3BlobStore, type S3Options } from './s3-blob-store.ts';
import { bucketAccess as access, createBucket, makeReadOnly } from './test-bucket.fixture.ts';

blobStoreConformance('blobs in S3', async (t) =>
  openS3BlobStore({ ...access, bucket: await createBucket(t), prefix: 'segments/' }),
);

test('stores with different prefixes do not see each other', async (t) => {
  const bucket = await createBucket(t);
  const first = await openS3BlobStore({ ...access, bucket, prefix: 'a/' });
  const second = await openS3BlobStore({ ...access, bucket, prefix: 'b/' });
  await first.put('blob', Buffer.from('1'));
  await second.put('blob', Buffer.from('2'));
  assert.deepEqual(await first.list(''), ['blob']);
  assert.equal(String(await second.get('blob')), '2');
  const missing = { code: 'no-blob', message: /^there is no absent in bucket "gyre-test-\w+" of S3 at / };
  await assert.rejects(first.get('absent'), missing);
});

test('one of several nodes succeeds that store different bytes at once', async (t) => {
  const bucket = await createBucket(t);
  const nodes = await Promise.all([1, 2, 3].map(() => openS3BlobStore({ ...access, bucket, prefix: '' })));
  for (let round = 0; round < 5; round++) {
    const results = await Promise.allSettled(
      nodes.map((store, node) => store.put(`blob-${round}`, Buffer.alloc(100_000, node))),
    );
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    assert.deepEqual(refused, ['blob-exists', 'blob-exists']);
  }
});

test('more names than one response of the server are listed', async (t) => {
  const store = await openS3BlobStore({ ...access, bucket: await createBucket(t), prefix: '' });
  const names = Array.from({ length: 1005 }, (_, number) => `n-${String(number).padStart(4, '0')}`);
  for (let from = 0; from < names.length; from += 50)
    await Promise.all(names.slice(from, from + 50).map((name) => store.put(name, Buffer.of(1))));
  assert.deepEqual(await store.list('n-'), names);
  for (let from = 0; from < names.length; from += 50)
    await Promise.all(names.slice(from, from + 50).map((name) => store.delete(name)));
});

async function refusalOf(options: Partial<S3Options>): Promise<ServiceError> {
  const error = await openS3BlobStore({ ...access, bucket: 'absent', prefix: '', ...options }).catch(
    (reason) => reason,
  );
  assert.ok(error instanceof ServiceError, String(error));
  assert.equal(error.service, 's3');
  assert.doesNotMatch(error.message, new RegExp(access.credentials.secretAccessKey));
  return error;
}

test('an unreachable server is named with what to check, and may heal', async () => {
  const { code, canHeal, message } = await refusalOf({ endpoint: 'http://127.0.0.1:1' });
  assert.deepEqual([code, canHeal], ['service-unreachable', true]);
  assert.match(message, /^S3 at 127\.0\.0\.1:1 is unreachable \(ECONNREFUSED\): check that/);
});

test('a refused access key is reported without the secret key', async () => {
  const { accessKeyId, secretAccessKey } = access.credentials;
  const wrong = [
    { accessKeyId, secretAccessKey: 'wrong-secret' },
    { accessKeyId: 'unknown', secretAccessKey },
  ];
  for (const credentials of wrong) {
    const { code, canHeal, message } = await refusalOf({ credentials });
    assert.deepEqual([code, canHeal], ['service-refused', false]);
    assert.match(message, /refuses the access key \(\w+\): expected a valid access key and secret key/);
    assert.doesNotMatch(message, /wrong-secret/);
  }
});

test('a missing bucket is named', async () => {
  const { code, canHeal, message } = await refusalOf({});
  assert.deepEqual([code, canHeal], ['no-bucket', false]);
  assert.match(message, /has no bucket "absent": create it/);
});

test('a bucket that is read-only refuses blobs with the missing permissions', async (t) => {
  const bucket = await createBucket(t);
  const store = await openS3BlobStore({ ...access, bucket, prefix: '' });
  await store.put('before', Buffer.of(1));
  await makeReadOnly(bucket);
  const refusal = {
    code: 'bucket-read-only',
    canHeal: false,
    message: /allow s3:PutObject and s3:DeleteObject/,
  };
  await assert.rejects(store.put('after', Buffer.of(1)), refusal);
  await assert.rejects(store.delete('before'), refusal);
  assert.equal((await store.get('before')).length, 1);
});
