/** Tests removals in the crawl state of a cluster, on a real PostgreSQL. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { changeClusterRemovals, markRemovalsSettled, readClusterRemovals } from '../control/removals.ts';
import { openDatabase } from '../database.ts';
import { createDatabase } from '../test-database.fixture.ts';
import { applyClusterRemovals, findRemovedKeys } from './removed-rows.ts';

const ORIGIN = 'https://example.org';

test('removed URLs are refused, their aliases and allowed URLs are ready again', async (t) => {
  const sql = await openDatabase(await createDatabase(t));
  t.after(() => sql.end({ timeout: 0 }));
  await sql`insert into gyre.crawl_hosts (origin, vnode, domain, is_held_back) values (${ORIGIN}, 1, 'example.org', false)`;
  const urls = ['/page', '/alias', '/other'].map((path) => `${ORIGIN}${path}` as CanonicalUrl);
  const keys = urls.map((url) => String(fingerprint(url)));
  for (const [at, url] of urls.entries())
    await sql`insert into gyre.crawl_urls (fingerprint, found, host, depth, vnode, verb, state, url, reason)
      values (${keys[at]!}, ${at}, 1, 0, 1, 0, 'done', ${url}, 'page')`;
  await sql`insert into gyre.crawl_verdicts (fingerprint, vnode, url, kind, of_fingerprint, of_url)
    values (${keys[1]!}, 1, ${urls[1]!}, 'redirect', ${keys[0]!}, ${urls[0]!})`;
  const stateOf = async () => {
    const rows = await sql<{ state: string }[]>`select state from gyre.crawl_urls order by found`;
    return rows.map(({ state }) => state);
  };
  const removed = {
    matches: (url: CanonicalUrl) => url === urls[0],
    mayMatch: (host: string) => host === 'example.org',
  };
  const found = await findRemovedKeys(sql, removed);
  assert.deepEqual(found.map(String), [keys[0]]);
  assert.deepEqual(await applyClusterRemovals(sql, removed, found), { urls: 1, allowed: 0, reopened: 1 });
  assert.deepEqual(await stateOf(), ['refused', 'ready', 'done']);
  assert.deepEqual(await applyClusterRemovals(sql, removed, found), { urls: 0, allowed: 0, reopened: 0 });
  const nothing = { matches: () => false, mayMatch: () => false };
  assert.deepEqual(await applyClusterRemovals(sql, nothing, []), { urls: 0, allowed: 1, reopened: 0 });
  assert.deepEqual(await stateOf(), ['ready', 'ready', 'done']);
});

test('a change of the removals is settled when the crawl state and all shards reflect it', async (t) => {
  const sql = await openDatabase(await createDatabase(t));
  t.after(() => sql.end({ timeout: 0 }));
  await sql`insert into gyre.cluster (name, shards) values ('test', 1)`;
  await sql`insert into gyre.shards (shard) values (0)`;
  const rule = { kind: 'url', value: `${ORIGIN}/page`, removedAt: 5, purge: 'pending' } as const;
  await changeClusterRemovals(sql, (list) => ({ ...list, revision: list.revision + 1, rules: [rule] }));
  assert.deepEqual(await readClusterRemovals(sql), { revision: 1, settled: 0, rules: [rule] });
  await markRemovalsSettled(sql, { revision: 1, allowed: 0 }, [rule]);
  assert.equal((await readClusterRemovals(sql)).settled, 0);
  await sql`update gyre.shards set removals = 1`;
  const settled = { revision: 1, settled: 1, rules: [{ ...rule, purge: 'done' }] };
  assert.deepEqual(await readClusterRemovals(sql), settled);
});
