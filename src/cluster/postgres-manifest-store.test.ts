import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifestStoreConformance } from '../index/manifest-store-conformance.fixture.ts';
import { EMPTY_MANIFEST } from '../index/mod.ts';
import { postgresManifestStore } from './postgres-manifest-store.ts';
import { openDatabases } from './test-database.fixture.ts';

manifestStoreConformance('a manifest in PostgreSQL', async (t) => {
  const [first, second] = await openDatabases(t, 2);
  return [postgresManifestStore(first!, 'main'), postgresManifestStore(second!, 'main')];
});

test('indexes of different names have different manifests', async (t) => {
  const [sql] = await openDatabases(t, 1);
  const [news, web] = ['news', 'web'].map((name) => postgresManifestStore(sql!, name));
  assert.equal(
    await news!.compareAndSwap(EMPTY_MANIFEST, { ...EMPTY_MANIFEST, id: 'n', generation: 1 }),
    true,
  );
  assert.deepEqual(await web!.read(), EMPTY_MANIFEST);
});

test('a damaged manifest in PostgreSQL is reported with its index', async (t) => {
  const [sql] = await openDatabases(t, 1);
  await sql!`insert into gyre.manifests (name, id, generation, body) values ('main', 'one', 1, '{')`;
  await assert.rejects(postgresManifestStore(sql!, 'main').read(), {
    code: 'corrupt-file',
    message: /^PostgreSQL, index "main" at byte 1/,
  });
});

test('a watch continues after its connection was ended', { timeout: 20_000 }, async (t) => {
  const [sql, other] = await openDatabases(t, 2);
  const store = postgresManifestStore(other!, 'main');
  const seen: number[] = [];
  const stop = postgresManifestStore(sql!, 'main').watch(
    ({ generation }) => {
      seen.push(generation);
    },
    () => {},
  );
  t.after(stop);
  while (seen.at(-1) !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await other!`select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and query ilike 'listen%' and datname = current_database()`;
  await store.compareAndSwap(EMPTY_MANIFEST, { ...EMPTY_MANIFEST, id: 'one', generation: 1 });
  while (seen.at(-1) !== 1) await new Promise((resolve) => setTimeout(resolve, 5));
});
