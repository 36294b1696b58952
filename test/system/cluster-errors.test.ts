/**
 * Tests nodes of a cluster that cannot work: the program prints one line that says what to correct, and the
 * exit code shows the kind of error.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeReadOnly } from '../../src/cluster/test-bucket.fixture.ts';
import { openCluster, openWeb } from '../helpers/cluster-crawl.ts';
import type { Finished } from '../helpers/gyre.ts';
import { createTestCluster, openLimitedUser, type TestCluster } from '../helpers/test-cluster.ts';

function assertRefused({ code, stderr }: Finished, exitCode: number, message: RegExp): void {
  assert.equal(code, exitCode, stderr);
  const lines = stderr.split('\n').filter((line) => line.startsWith('gyre: '));
  assert.equal(lines.length, 1, stderr);
  assert.match(lines[0]!, message);
}

test('a node that a service refuses, or that does not fit to the cluster, ends with a message', async (context) => {
  const seeds = ['http://a.test/'];
  const cluster = await createTestCluster(context, { seeds });
  assertRefused(await cluster.refused('crawl', { shards: 'two' }), 2, /"shards": expected a number from 1/);
  assertRefused(await cluster.refused('fly', {}), 2, /--roles: expected a list of .*crawl.*, got "fly"/);
  const wrongPassword = { postgresql: changed(cluster, 'postgresql', { password: 'wrong' }) };
  const refused = /^gyre: PostgreSQL at \S+ refuses the user "gyre": .*correct the URL or the password$/;
  assertRefused(await cluster.refused('index', wrongPassword), 3, refused);
  const noDatabase = { postgresql: changed(cluster, 'postgresql', { pathname: '/absent' }) };
  assertRefused(await cluster.refused('index', noDatabase), 3, /PostgreSQL at \S+ has no database "absent"/);
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
  const [{ newest } = { newest: 0 }] = await cluster.database<{ newest: number }[]>`
    insert into gyre.migrations (version, oldest_program) select max(version) + 1, max(version) + 1 from gyre.migrations
    returning version as newest`;
  const needed = new RegExp(
    `has schema version ${newest}, which needs a Gyre with schema version ${newest} or later`,
  );
  assertRefused(await cluster.refused('index', {}), 4, needed);
});

test('a crawl node that RabbitMQ or a read-only bucket refuses ends with a message', async (context) => {
  const web = await openWeb(context, 24);
  const cluster = await openCluster(context, web, { delayMs: 20 });
  const wrongPassword = { rabbitmq: changed(cluster, 'rabbitmq', { password: 'wrong' }) };
  const refused = /^gyre: RabbitMQ at \S+ refuses the user "gyre": .*correct the URL or the password$/;
  assertRefused(await cluster.refused('crawl', wrongPassword), 3, refused);
  const noHost = { rabbitmq: changed(cluster, 'rabbitmq', { pathname: '/absent' }) };
  const missing = /^gyre: RabbitMQ at \S+ has no virtual host "absent".*rabbitmqctl add_vhost/;
  assertRefused(await cluster.refused('crawl', noHost), 3, missing);
  const { s3 } = JSON.parse(readFileSync(cluster.file, 'utf8')) as { s3: { bucket: string } };
  await makeReadOnly(s3.bucket);
  const readOnly =
    /bucket "\S+" of S3 at \S+ does not allow writing .*allow s3:PutObject and s3:DeleteObject/;
  assertRefused(await cluster.refused('crawl', {}), 3, readOnly);
});

test('a node that loses a grant while it runs ends with a message, and does not wait', async (context) => {
  const cluster = await createTestCluster(context, { seeds: ['http://a.test/'] });
  for (const table of ['nodes', 'shards']) {
    const { url: postgresql, role, drop } = await openLimitedUser(cluster);
    const node = await cluster.start('index', [], { changes: { postgresql } });
    await cluster.database.unsafe(`revoke update on gyre.${table} from ${role}`);
    const message = new RegExp(
      `^gyre: PostgreSQL does not allow a statement \\(permission denied for table ${table}\\): a node needs .*Least privilege`,
    );
    assertRefused(await node.ended(), 3, message);
    await drop();
  }
});

/** Returns the URL of a service in the cluster file with other parts. */
function changed({ file }: TestCluster, service: 'postgresql' | 'rabbitmq', parts: Partial<URL>): string {
  const values = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return Object.assign(new URL(values[service]!), parts).href;
}
