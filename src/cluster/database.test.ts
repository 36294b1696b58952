import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openDatabase, refusalIn } from './database.ts';
import { CLUSTER_SCHEMA_VERSION, migrate } from './migrations.ts';
import { ServiceError } from './service-error.ts';
import { createDatabase, openDatabases } from './test-database.fixture.ts';

test('several nodes that start at once migrate the schema once', async (t) => {
  const url = await createDatabase(t);
  const pools = await Promise.all([1, 2, 3].map(() => openDatabase(url)));
  const rows = await pools[0]!`select version from gyre.migrations order by version`;
  assert.deepEqual(
    [...rows],
    Array.from({ length: CLUSTER_SCHEMA_VERSION }, (_, at) => ({ version: at + 1 })),
  );
  assert.equal((await pools[1]!`select from gyre.vnodes`).length, 256);
  await Promise.all(pools.map((sql) => sql.end()));
});

test('an unreachable server is named with what to check, and may heal', async () => {
  await assert.rejects(openDatabase('postgres://gyre:secret@127.0.0.1:1/gyre'), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'service-unreachable');
    assert.equal(error.canHeal, true);
    assert.match(error.message, /^PostgreSQL at 127\.0\.0\.1:1 is unreachable \(ECONNREFUSED\): check that/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

test('a refused password is reported without the password', async (t) => {
  const url = new URL(await createDatabase(t));
  url.password = 'wrong-secret';
  await assert.rejects(openDatabase(url.href), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'service-refused');
    assert.equal(error.canHeal, false);
    assert.match(error.message, /refuses the user "gyre": expected a valid user name and password/);
    assert.doesNotMatch(error.message, /wrong-secret/);
    return true;
  });
});

test('a missing database is named', async (t) => {
  const url = new URL(await createDatabase(t));
  url.pathname = '/absent';
  await assert.rejects(openDatabase(url.href), { code: 'no-database', message: /has no database "absent"/ });
});

test('a newer schema is used if it allows this program, and refused otherwise', async (t) => {
  const url = await createDatabase(t);
  const first = await openDatabase(url);
  t.after(() => first.end());
  await first`insert into gyre.migrations (version, oldest_program) values (${CLUSTER_SCHEMA_VERSION + 1}, 1)`;
  await (await openDatabase(url)).end();
  await first`insert into gyre.migrations (version, oldest_program) values (${CLUSTER_SCHEMA_VERSION + 2}, ${CLUSTER_SCHEMA_VERSION + 1})`;
  await assert.rejects(openDatabase(url), {
    code: 'schema-version',
    canHeal: false,
    message: new RegExp(
      `has schema version ${CLUSTER_SCHEMA_VERSION + 2}, which needs a Gyre with schema version ${CLUSTER_SCHEMA_VERSION + 1} or later; this Gyre has ${CLUSTER_SCHEMA_VERSION}: upgrade Gyre`,
    ),
  });
});

test('a failed migration changes nothing', async (t) => {
  const [sql] = await openDatabases(t, 1);
  const broken = {
    version: CLUSTER_SCHEMA_VERSION + 1,
    oldestProgram: 1,
    statements: 'create table gyre.half (); select 1/0',
  };
  await assert.rejects(migrate(sql!, [broken]), /division by zero/);
  assert.deepEqual([...(await sql!`select to_regclass('gyre.half') as half`)], [{ half: null }]);
});

test('a statement without a grant, or on a missing table, is a refusal that names the grants', async (t) => {
  const [sql] = await openDatabases(t, 1);
  const refused = async (statement: string) => {
    const role = `no_grants_${randomBytes(4).toString('hex')}`;
    const error: unknown = await sql!
      .begin(async (tx) => {
        await tx.unsafe(`create role ${role}; set local role ${role}`);
        await tx.unsafe(statement);
      })
      .catch((reason: unknown) => reason);
    return refusalIn(error);
  };
  const denied = await refused('select from gyre.nodes');
  assert.equal(denied?.code, 'service-refused');
  assert.match(
    denied!.message,
    /^PostgreSQL does not allow a statement \(permission denied for schema gyre\)/,
  );
  assert.match(denied!.message, /select, insert, update and delete on all its tables/);
  const absent = await refused('select from absent');
  assert.equal(absent?.code, 'service-refused');
  assert.match(absent!.message, /^PostgreSQL lacks a table \(relation "absent" does not exist\)/);
  assert.equal(await refused('select 1/0'), null);
});
