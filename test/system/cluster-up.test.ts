/** Tests `gyre up --cluster`, which runs a whole cluster in one process, on real services. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isDone, missingPages, openCluster, openWeb, repeated, until } from '../helpers/cluster-crawl.ts';
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

test('gyre node --prepare gives a user what a node needs', async (context) => {
  const web = await openWeb(context, 24);
  const cluster = await openCluster(context, web, { delayMs: 20, shards: 1 });
  const { database, file } = cluster;
  const prepare = (user: string) =>
    new Gyre(['node', '--cluster', file, '--prepare', user], ENVIRONMENT).ended();
  const absent = await prepare('gyre_absent');
  assert.equal(absent.code, 2, absent.stderr);
  assert.match(absent.stderr, /^gyre: PostgreSQL has no user "gyre_absent": create it with create role/m);
  const { host, port, database: path } = database.options;
  const name = `node_${randomBytes(4).toString('hex')}`;
  await database.unsafe(`create role ${name} login password 'secret'`);
  const { code, stdout, stderr } = await prepare(name);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    new RegExp(`the tables of the cluster \\S+ are up to date, and ${name} has the grants`),
  );
  await database`create table gyre.of_a_later_version (number int)`;
  const [later] =
    await database`select has_table_privilege(${name}, 'gyre.of_a_later_version', 'insert') as may`;
  assert.equal(later!.may, true);
  const postgresql = `postgres://${name}:secret@${host[0]}:${port[0]}/${path}`;
  const node = await cluster.start('crawl,index', [], { changes: { postgresql } });
  await until('every page is indexed', () => isDone(cluster, web));
  const ended = await node.kill('SIGTERM');
  assert.equal(ended.code, 0, ended.stderr);
  await database.unsafe(`drop owned by ${name}; drop role ${name}`);
});
