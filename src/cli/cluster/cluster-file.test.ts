import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readClusterFile } from './cluster-file.ts';

/** Returns the reference of a cluster file to an environment variable. */
const variable = (name: string): string => `$\{${name}}`;

const WHOLE = {
  name: 'web',
  postgresql: `postgres://gyre:${variable('DATABASE_PASSWORD')}@db.test/gyre`,
  rabbitmq: 'amqp://gyre@mq.test/gyre',
  s3: { bucket: 'gyre', endpoint: 'http://s3.test:9000' },
};

function read(t: TestContext, value: unknown, environment: Record<string, string> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-cluster-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'cluster.json');
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return readClusterFile(file, environment);
}

test('a cluster file has the services, and defaults for the rest', (t) => {
  const { file: _, ...cluster } = read(t, WHOLE, { DATABASE_PASSWORD: 'a/b' });
  assert.deepEqual(cluster, {
    ...WHOLE,
    postgresql: 'postgres://gyre:a%2Fb@db.test/gyre',
    shards: 1,
    search: { secret: null, replicas: 2, cacheBytes: Number.POSITIVE_INFINITY },
    seeds: [],
    seedLines: [],
    collections: [],
    settings: {},
  });
});

test('seeds are canonical, and an access key is taken from the environment as it is', (t) => {
  const s3 = { bucket: 'gyre', accessKeyId: 'key', secretAccessKey: variable('SECRET') };
  const value = { ...WHOLE, s3, shards: 3, seeds: ['Example.org'], postgresql: 'postgres://db.test/gyre' };
  const cluster = read(t, value, { SECRET: 'a/b' });
  assert.deepEqual(cluster.s3, {
    bucket: 'gyre',
    credentials: { accessKeyId: 'key', secretAccessKey: 'a/b' },
  });
  assert.deepEqual([cluster.shards, cluster.seeds], [3, ['https://example.org/']]);
});

const MISTAKES: [what: string, value: unknown, message: RegExp][] = [
  ['no JSON', '{', /cannot read the cluster file .*cluster\.json: /],
  ['a list', [], /"the file": expected an object with name, postgresql, .*, got a list$/],
  ['an unknown key', { ...WHOLE, shard: 2 }, /unknown key "shard"; known are name, postgresql/],
  ['an unknown key of S3', { ...WHOLE, s3: { bukket: 'b' } }, /unknown key "s3\.bukket"; known are bucket/],
  ['no name', { ...WHOLE, name: undefined }, /"name": expected a name such as "web", got nothing$/],
  [
    'a name with spaces',
    { ...WHOLE, name: 'my web' },
    /"name": expected a name such as "web", got "my web"$/,
  ],
  [
    'another protocol',
    { ...WHOLE, rabbitmq: 'http://secret@mq.test' },
    /"rabbitmq": expected a URL that begins with amqp:\/\/ or amqps:\/\/, got something else$/,
  ],
  [
    'a missing variable',
    { ...WHOLE, rabbitmq: `amqp://gyre:${variable('ABSENT')}@mq.test` },
    /"rabbitmq" names the environment variable ABSENT, which is not set$/,
  ],
  ['no shards', { ...WHOLE, shards: 0 }, /"shards": expected a number from 1 to 256, got 0$/],
  [
    'half an access key',
    { ...WHOLE, s3: { bucket: 'gyre', accessKeyId: 'key' } },
    /"s3": expected both "accessKeyId" and "secretAccessKey", or neither, got one of them$/,
  ],
  ['seeds as a text', { ...WHOLE, seeds: 'a.test' }, /"seeds": expected a list of URLs, got a string$/],
];

for (const [what, value, message] of MISTAKES) {
  test(`a cluster file with ${what} is refused with what was expected`, (t) => {
    assert.throws(() => read(t, value, { DATABASE_PASSWORD: 'x' }), { code: 'cluster-file', message });
  });
}
