/** Empty buckets for tests, on the server that TEST_S3_URL names, or on one that ends with the process. */
import { randomBytes } from 'node:crypto';
import { after, type TestContext } from 'node:test';
import { S3 } from '@aws-sdk/client-s3';
import { startService } from './test-service.fixture.ts';

let stopServer = async () => {};
after(() => stopServer());

const server = new URL(process.env.TEST_S3_URL ?? (await startServer()));

/** The address and the access key of the server, as options of a blob store. */
export const bucketAccess = {
  endpoint: server.origin,
  credentials: { accessKeyId: server.username, secretAccessKey: server.password },
};

/** A client with which tests change buckets. */
export const bucketAdmin = new S3({ ...bucketAccess, region: 'us-east-1', forcePathStyle: true });
after(() => bucketAdmin.destroy());

async function startServer(): Promise<string> {
  const { values, stop } = await startService('s3', ['TEST_S3_URL']);
  stopServer = stop;
  return values[0]!;
}

/** Creates an empty bucket, which is deleted after the test. */
export async function createBucket(t: TestContext): Promise<string> {
  const bucket = `gyre-test-${randomBytes(6).toString('hex')}`;
  await bucketAdmin.createBucket({ Bucket: bucket });
  t.after(async () => {
    await bucketAdmin.deleteBucketPolicy({ Bucket: bucket });
    const names = await listAll(bucket);
    for (let from = 0; from < names.length; from += 50)
      await Promise.all(
        names.slice(from, from + 50).map((Key) => bucketAdmin.deleteObject({ Bucket: bucket, Key })),
      );
    await bucketAdmin.deleteBucket({ Bucket: bucket });
  });
  return bucket;
}

/** Returns the names of all objects of a bucket. */
export async function listAll(bucket: string): Promise<string[]> {
  const names: string[] = [];
  for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
    const page = await bucketAdmin.listObjectsV2({
      Bucket: bucket,
      ...(token !== undefined && { ContinuationToken: token }),
    });
    for (const { Key = '' } of page.Contents ?? []) names.push(Key);
    token = page.NextContinuationToken;
  }
  return names;
}

/** Makes a bucket refuse all writes, also of its owner, until the test ends. */
export async function makeReadOnly(bucket: string): Promise<void> {
  const Statement = {
    Effect: 'Deny',
    Principal: '*',
    Action: ['s3:PutObject', 's3:DeleteObject'],
    Resource: [`arn:aws:s3:::${bucket}/*`],
  };
  const policy = { Version: '2012-10-17', Statement: [Statement] };
  await bucketAdmin.putBucketPolicy({ Bucket: bucket, Policy: JSON.stringify(policy) });
}
