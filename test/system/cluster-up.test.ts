/** Tests `gyre up --cluster`, which runs a whole cluster in one process, on real services. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingPages, openCluster, openWeb, repeated, until } from '../helpers/cluster-crawl.ts';
import { Gyre, temporaryDirectory } from '../helpers/gyre.ts';
import type { TestCluster } from '../helpers/test-cluster.ts';

const ENVIRONMENT = { GYRE_MEANING_MODEL: 'off' };

test('gyre up --cluster names every service that cannot be used, and ends', async (context) => {
  const cluster = await openCluster(context, await openWeb(context, 24));
  const changes = {
    postgresql: 'postgres://gyre@127.0.0.1:9/gyre',
    rabbitmq: 'amqp://gyre:gyre@127.0.0.1:9/gyre',
    s3: { endpoint: 'http://127.0.0.1:9' },
  };
  const data = temporaryDirectory(context);
  const started = (file: string, ...rest: string[]) =>
    new Gyre(['up', '--cluster', file, '--data', data, ...rest], ENVIRONMENT).ended();
  const { code, stderr } = await started(cluster.changedFile(changes));
  assert.equal(code, 3, stderr);
  assert.match(stderr, /^gyre: 3 services of \S+ cannot be used:$/m);
  for (const service of ['PostgreSQL', 'RabbitMQ', 'S3'])
    assert.match(stderr, new RegExp(`^ {2}- ${service} at .*127\\.0\\.0\\.1:9.* is unreachable`, 'm'));
  assert.match(stderr, /deploy\/compose\.yaml starts all three/);
  const absent = await started(cluster.changedFile({ s3: { bucket: 'gyre-absent' } }));
  assert.equal(absent.code, 3, absent.stderr);
  assert.match(absent.stderr, /1 service of .*\n {2}- .*has no bucket "gyre-absent": create it/);
  const seeded = await started(cluster.file, 'https://example.org/');
  assert.equal(seeded.code, 2, seeded.stderr);
  assert.match(seeded.stderr, /a cluster has its seeds in its file; add it to "seeds"/);
});

/**
 * Creates a user of PostgreSQL with the grants of docs/cluster.md and no others. The schema exists already. Returns the URL
 * for this user, and a function that drops the user.
 */
async function openLimitedUser({ database }: TestCluster) {
  const [name, password] = [`node_${randomBytes(4).toString('hex')}`, randomBytes(8).toString('hex')];
  const { host, port, database: path } = database.options;
  const text = readFileSync(join(import.meta.dirname, '../../docs/cluster.md'), 'utf8');
  const grants = /-- The grants of a node\n([^`]+)/.exec(text)![1]!;
  await database.unsafe(`create role ${name} login password '${password}'`);
  await database.unsafe(
    grants.replaceAll('gyre_node', name).replaceAll('database gyre', `database "${path}"`),
  );
  const url = `postgres://${name}:${password}@${host[0]}:${port[0]}/${path}`;
  return { url, drop: () => database.unsafe(`drop owned by ${name}; drop role ${name}`) };
}

test('gyre up --cluster crawls and serves the search page as a user with the least grants', async (context) => {
  const web = await openWeb(context, 120);
  const cluster = await openCluster(context, web, { delayMs: 20, shards: 1 });
  const { url: postgresql, drop } = await openLimitedUser(cluster);
  const file = cluster.changedFile({ search: {}, postgresql });
  const data = temporaryDirectory(context);
  const up = new Gyre(['up', '--cluster', file, '--data', data, '--port', '0'], ENVIRONMENT);
  context.after(() => up.kill('SIGKILL'));
  const [, address] = await up.told(/gateway listens at (http:\S+)/);
  await up.printed(/^ready: \d+ documents \(Ctrl-C ends\)$/m);
  await until('every page was requested', () => missingPages(web).length === 0);
  assert.deepEqual(repeated(web), []);
  for (const { uniqueWord, url } of [...web.plan.plainPages(web.port)].slice(0, 5))
    await until(`${url} is found`, async () => {
      const response = await fetch(`${address}/api/v1/search?q=${uniqueWord}`);
      const { results = [] } = (await response.json()) as { results?: { url: string }[] };
      return results.length === 1 && results[0]!.url === url;
    });
  const { code, stderr } = await up.kill('SIGTERM');
  assert.equal(code, 0, stderr);
  assert.match(stderr, /stopped: everything is saved, and gyre up --cluster \S+ continues/);
  await drop();
});
