/**
 * Tests nodes of a cluster that cannot work: the program prints one line that says what to correct, and the
 * exit code shows the kind of error.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finished } from '../helpers/gyre.ts';
import { createTestCluster } from '../helpers/test-cluster.ts';

function assertRefused({ code, stderr }: Finished, exitCode: number, message: RegExp): void {
  assert.equal(code, exitCode, stderr);
  const lines = stderr.split('\n').filter((line) => line.startsWith('gyre: '));
  assert.equal(lines.length, 1, stderr);
  assert.match(lines[0]!, message);
}

test('a node that a service refuses, or that does not fit to the cluster, ends with a message', async (context) => {
  const seeds = ['http://a.test/'];
  const cluster = await createTestCluster(context, { seeds });
  const { host, port } = cluster.database.options;
  const wrongUser = { postgresql: `postgres://${host[0]}:${port[0]}/absent` };
  assertRefused(await cluster.refused('crawl', { shards: 'two' }), 2, /"shards": expected a number from 1/);
  assertRefused(await cluster.refused('fly', {}), 2, /--roles: expected a list of .*crawl.*, got "fly"/);
  assertRefused(await cluster.refused('index', wrongUser), 3, /PostgreSQL at .*(?:refuses|has no database)/);
  const wrongKey = { s3: { secretAccessKey: 'wrong' } };
  assertRefused(await cluster.refused('index', wrongKey), 3, /S3 at .* refuses the access key/);
  const noBucket = { s3: { bucket: 'gyre-absent' } };
  assertRefused(await cluster.refused('index', noBucket), 3, /has no bucket "gyre-absent": create it/);
  const other = await cluster.refused('index', { name: 'other' });
  assertRefused(
    other,
    4,
    /the database has the cluster "test-\w+" with 2 shards, the cluster file names "other"/,
  );
  const noContact = { seeds: ['https://example.org/'], settings: {} };
  assertRefused(await cluster.refused('crawl', noContact), 2, /missing contact/);
});
