/** Tests `gyre up --cluster`, which runs a whole cluster in one process, on real services. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingPages, openCluster, openWeb, repeated, until } from '../helpers/cluster-crawl.ts';
import { Gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { openLimitedUser } from '../helpers/test-cluster.ts';

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
