/**
 * Crawls the synthetic web with two nodes, one of which is a gateway. Requests data from the gateway that is not in
 * the index, such as archived copies, and removes pages from the whole cluster.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../bench/free-port.ts';
import type { SyntheticWeb } from '../../src/synthetic-web/server.ts';
import { isDone, openCluster, openWeb, until } from '../helpers/cluster-crawl.ts';
import { filesWith } from '../helpers/file-search.ts';
import { gyre } from '../helpers/gyre.ts';
import type { TestCluster } from '../helpers/test-cluster.ts';

const PAGES = 48;
/** More than a gateway lets wait. */
const STORM_CLIENTS = 400;

test('a gateway shows, inspects and removes pages that another node has fetched', async (context) => {
  const web = await openWeb(context, PAGES);
  const cluster = await openCluster(context, web, { shards: 1 });
  const port = await freePort();
  const health = `127.0.0.1:${port - 1}`;
  const roles = 'crawl,index,rank,search';
  const crawler = await cluster.start(roles, ['--listen', `127.0.0.1:${port}`, '--health', health]);
  await crawler.told(/search node listens/);
  const gateway = await cluster.start('gateway', ['--port', String(await freePort())]);
  const [, address] = await gateway.told(/gateway listens.*?(http:\/\/[\d.]+:\d+)/);
  await until('every page is indexed', () => isDone(cluster, web));
  for (const { url, uniqueWord } of [...web.plan.plainPages(web.port)].slice(0, 5)) {
    const copy = await fetch(`${address}/cached/copy?url=${encodeURIComponent(url)}`);
    assert.equal(copy.status, 200, url);
    assert.match(await copy.text(), new RegExp(uniqueWord));
  }
  const missing = await fetch(`${address}/cached?url=${encodeURIComponent('http://unknown.test/')}`);
  assert.equal(missing.status, 404);
  await assertHealth(`http://${health}`);
  const [, password] = await gateway.told(/administration at .*, password (\S+)/);
  await assertAdminPage(address!, password!);
  await assertInspection(address!, web);
  await assertRemoval(address!, { cluster, web });
  for (const node of [crawler, gateway]) {
    const { code, stderr } = await node.kill('SIGTERM');
    assert.equal(code, 0, stderr);
  }
});

/** Signs in at the gateway, and checks that the page shows the nodes and shards of the cluster. */
async function assertAdminPage(address: string, password: string): Promise<void> {
  const signedOut = await fetch(`${address}/admin`, { redirect: 'manual' });
  assert.equal(signedOut.status, 303);
  const body = new URLSearchParams({ name: 'operator', password });
  const headers = { origin: address, 'content-type': 'application/x-www-form-urlencoded' };
  const signedIn = await fetch(`${address}/admin/sign-in`, {
    method: 'POST',
    body,
    headers,
    redirect: 'manual',
  });
  assert.equal(signedIn.status, 303);
  const cookie = signedIn.headers.get('set-cookie')!.split(';', 1)[0]!;
  const page = await (await fetch(`${address}/admin`, { headers: { cookie } })).text();
  assert.match(page, /<td>crawl, index, rank, search<\/td>/);
  assert.match(page, /<dt>Vnodes without owner<\/dt><dd>0 of 256<\/dd>/);
  assert.match(page, /<dt>Dead letters<\/dt><dd>0<\/dd>/);
  assert.match(await (await fetch(`${address}/admin/audit`, { headers: { cookie } })).text(), /sign-in/);
}

/** Checks the health checks and metrics of a node without the role gateway. */
async function assertHealth(address: string): Promise<void> {
  for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(address + path)).status, 200, path);
  const text = await (await fetch(`${address}/metrics`)).text();
  const gaugeOf = (name: string) => Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1]);
  assert.equal(gaugeOf('gyre_search_shards'), 1);
  assert.equal(gaugeOf('gyre_crawler_vnodes'), 256);
  assert.ok(gaugeOf('gyre_crawler_fetched_total') >= PAGES);
  assert.ok(gaugeOf('gyre_indexer_documents') > 0);
  assert.ok(gaugeOf('gyre_node_lease_age_seconds') < 6);
  assert.ok(gaugeOf('gyre_rank_runs_total') >= 0);
  assert.equal((await fetch(`${address}/search`)).status, 404);
}

/** Sends queries from many clients until `stop` is called. Every response must be a list or a refusal that names a time. */
function storm(address: string) {
  let isOver = false;
  const statuses = new Map<number, number>();
  const clients = Array.from({ length: STORM_CLIENTS }, async (_, client) => {
    for (let n = 0; !isOver; n++) {
      const response = await fetch(`${address}/api/v1/search?q=storm${client}x${n}+page`);
      await response.arrayBuffer();
      if (response.status === 503) assert.ok(response.headers.get('retry-after'), 'a refusal names a time');
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(clients);
    return statuses;
  };
}

interface Inspected {
  cause: { code: string };
  removedBy: string | null;
  visits: { status: number }[];
  index: { document: { title: string } | null };
  query: { place: number | null };
}

async function inspect(address: string, url: string, query = ''): Promise<Inspected> {
  const asked = `${address}/api/v1/admin/inspect?url=${encodeURIComponent(url)}`;
  const response = await fetch(query === '' ? asked : `${asked}&query=${query}`);
  assert.equal(response.status, 200, url);
  return (await response.json()) as Inspected;
}

/** Checks what the gateway knows about a page of another node, and about an unknown URL. */
async function assertInspection(address: string, web: SyntheticWeb): Promise<void> {
  const [page] = [...web.plan.plainPages(web.port)];
  const { cause, visits, index, query } = await inspect(address, page!.url, page!.uniqueWord);
  assert.deepEqual([cause.code, visits[0]!.status, query.place], ['found', 200, 1]);
  assert.equal(index.document!.title, page!.title);
  const unknown = await inspect(address, 'http://unknown.test/');
  assert.deepEqual([unknown.cause.code, unknown.visits], ['never-linked', []]);
}

async function found(address: string, word: string): Promise<number> {
  const response = await fetch(`${address}/api/v1/search?q=${word}`);
  return ((await response.json()) as { total: number }).total;
}

/** Checks that pages are removed, purged and allowed again in the whole cluster. */
async function assertRemoval(address: string, { cluster, web }: { cluster: TestCluster; web: SyntheticWeb }) {
  const [, hidden, purged, other] = [...web.plan.plainPages(web.port)];
  const act = async (...args: string[]) => {
    const { code, stdout, stderr } = await gyre(['remove', '--cluster', cluster.file, ...args]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const fetches = () =>
    web.log.entries().filter(({ host, path }) => host + path === hidden!.host + hidden!.path).length;
  const before = fetches();
  await act(hidden!.url);
  await act('--purge', purged!.url);
  await until('searches no longer find the pages', async () => {
    const counts = [await found(address, hidden!.uniqueWord), await found(address, purged!.uniqueWord)];
    return counts.every((count) => count === 0);
  });
  assert.equal(await found(address, other!.uniqueWord), 1);
  const copy = await fetch(`${address}/cached/copy?url=${encodeURIComponent(hidden!.url)}`);
  assert.equal(copy.status, 404);
  const inspected = await inspect(address, hidden!.url);
  assert.deepEqual([inspected.cause.code, inspected.removedBy], ['removed', hidden!.url]);
  await until('the removals are settled', async () => {
    const response = await fetch(`${address}/api/v1/admin/removals`);
    return ((await response.json()) as { settled: boolean }).settled;
  });
  assert.match(await act('--list'), new RegExp(`${purged!.path}\\s.*, purged`));
  assert.deepEqual(await objectsWith(cluster, purged!.uniqueWord), []);
  assert.notDeepEqual(await objectsWith(cluster, other!.uniqueWord), []);
  const audit = await cluster.database<{ entry: string }[]>`select entry from gyre.audit_log`;
  const actions = audit.map(({ entry }) => (JSON.parse(entry) as { action: string }).action);
  assert.deepEqual(actions.filter((action) => action === 'remove').length, 2);
  // A storm of queries must not stop the crawl: the allowed page is fetched meanwhile.
  const stop = storm(address);
  await act('--allow', hidden!.url);
  await until('the allowed page is fetched during the storm', () => fetches() > before);
  const statuses = await stop();
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status !== 200 && status !== 503),
    [],
  );
  assert.ok((statuses.get(200) ?? 0) > 0 && (statuses.get(503) ?? 0) > 0, 'some queries are refused');
  const isFound = async () => (await found(address, hidden!.uniqueWord)) === 1;
  await until('the allowed page is found', isFound);
}

/**
 * Returns the names of the objects of archive, journal and index that contain a word. Objects that the index no longer
 * lists are left out, because they are deleted some minutes later.
 */
async function objectsWith({ openBlobs, database }: TestCluster, word: string): Promise<string[]> {
  const path = mkdtempSync(join(tmpdir(), 'gyre-objects-'));
  try {
    const retired = await database<{ name: string }[]>`select name from gyre.retired_blobs`;
    const unlisted = new Set(retired.map(({ name }) => name));
    for (const prefix of ['archive/', 'journal/', 'index/0/']) {
      const blobs = await openBlobs(prefix);
      for (const name of await blobs.list(''))
        if (!unlisted.has(`shard-0/${name}`)) writeFileSync(join(path, name), await blobs.get(name));
    }
    return await filesWith(path, word);
  } finally {
    rmSync(path, { recursive: true });
  }
}
