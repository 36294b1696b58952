/** Searches a cluster with nodes as processes, on real services, while a search node is killed and the index changes. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../bench/free-port.ts';
import { silentLog, sleep } from '../../src/base/mod.ts';
import { type IndexDocument, IndexWriter } from '../../src/index/mod.ts';
import { addSegment, makeDocument, temporaryDirectory } from '../../src/query/matching/naive.fixture.ts';
import { partOfDocuments } from '../../src/query/gateway/divided-corpus.fixture.ts';
import { type Gyre, gyre } from '../helpers/gyre.ts';
import { createTestCluster, type TestCluster } from '../helpers/test-cluster.ts';

const SHARDS = 2;
const DOCUMENTS = Array.from({ length: 60 }, (_, n) =>
  makeDocument(`https://host${n % 7}.example/${n}`, `word number${n} about ${n % 2 ? 'cats' : 'dogs'}`),
);
const LATER = makeDocument('https://later.example/', 'word latecomer');
/** The number of queries that are in progress all the time. */
const CLIENTS = 2;
/** The maximum time to wait for a result. After it the test fails, so that it does not wait forever. */
const PATIENCE_MS = 60_000;

interface Reply {
  status: number;
  total: number;
  partial: boolean;
}

async function search(address: string, query: string): Promise<Reply> {
  const response = await fetch(`${address}/api/v1/search?q=${encodeURIComponent(query)}`);
  const { total, partial } = (await response.json()) as Reply;
  return { status: response.status, total, partial };
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const endAt = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    assert.ok(performance.now() < endAt, `waited too long: ${what}`);
    await sleep(100);
  }
}

/** Publishes the documents of each shard, in one more segment. */
async function publisher(t: TestContext, cluster: TestCluster) {
  const directories = Array.from({ length: SHARDS }, () => temporaryDirectory(t));
  const writers = directories.map((directory) => new IndexWriter(directory, silentLog));
  t.after(() => writers.forEach((writer) => void writer.close()));
  return async (documents: readonly IndexDocument[]) => {
    for (const [shard, writer] of writers.entries()) {
      const own = partOfDocuments(documents, shard, SHARDS);
      if (own.length === 0) continue;
      await addSegment(directories[shard]!, writer, own);
      writer.commit();
      await cluster.publish(shard, directories[shard]!);
    }
  };
}

async function startSearchNode(cluster: TestCluster): Promise<Gyre> {
  const node = await cluster.start('search', [
    ...['--log-level', 'info'],
    ...['--listen', `127.0.0.1:${await freePort()}`],
  ]);
  await node.told(/search node listens/);
  return node;
}

async function startGateway(cluster: TestCluster): Promise<{ gateway: Gyre; address: string }> {
  const gateway = await cluster.start('gateway', ['--port', String(await freePort())]);
  const [, address] = await gateway.told(/gateway listens.*?(http:\/\/[\d.]+:\d+)/);
  return { gateway, address: address! };
}

/** Sends queries until `stop` is called. `answered` resolves after some more replies. */
function queryAllTheTime(address: string) {
  const replies: Reply[] = [];
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = 0; !isOver; n++) replies.push(await search(address, `word nothing${client}x${n}`));
  });
  return {
    answered: async (count: number) => {
      const enough = replies.length + count;
      await until('queries are answered', async () => replies.length >= enough);
    },
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      return replies;
    },
  };
}

function failed(replies: readonly Reply[]): Reply[] {
  return replies.filter(
    ({ status, total, partial }) => status !== 200 || partial || total < DOCUMENTS.length,
  );
}

test('no query fails when a search node is killed, joins or stops, or the index changes', async (t) => {
  const cluster = await createTestCluster(t, { seeds: [], shards: SHARDS });
  const publish = await publisher(t, cluster);
  await publish(DOCUMENTS);
  const [victim] = [await startSearchNode(cluster), await startSearchNode(cluster)];
  const { gateway, address } = await startGateway(cluster);
  const isWhole = async () => {
    const { status, total, partial } = await search(address, 'word');
    return status === 200 && !partial && total === DOCUMENTS.length;
  };
  await until('all shards are open', isWhole);
  await until('both nodes have both shards', async () => (await openedShards(cluster)) === 2 * SHARDS);
  await assertReplicas(cluster);
  await assertAdmin(address);

  const aroundKill = queryAllTheTime(address);
  await aroundKill.answered(10);
  await victim!.kill('SIGKILL');
  await aroundKill.answered(20);
  assert.deepEqual(failed(await aroundKill.stop()), []);

  const aroundChanges = queryAllTheTime(address);
  const third = await startSearchNode(cluster);
  await third.told(/shard opened[\s\S]*shard opened/);
  await publish([LATER]);
  await until('the new document is found', async () => (await search(address, 'latecomer')).total === 1);
  const { code, stderr } = await third.kill('SIGTERM');
  assert.equal(code, 0, stderr);
  assert.deepEqual(failed(await aroundChanges.stop()), []);

  const page = await fetch(`${address}/search?q=cats`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /host\d\.example/);
  const stopped = await gateway.kill('SIGTERM');
  assert.equal(stopped.code, 0, stopped.stderr);
});

/** Checks that the status of the cluster shows both search nodes, and two replicas of each shard. */
async function assertReplicas({ file }: TestCluster): Promise<void> {
  const { code, stdout, stderr } = await gyre(['status', '--cluster', file]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^! 256 of 256 vnodes have no owner, and no crawl node is alive/m);
  assert.equal(stdout.match(/^ {2}[01] .* 2 of 2$/gm)?.length, SHARDS, stdout);
  assert.equal(stdout.match(/^ {2}\S+ +http:\/\/127\.0\.0\.1:\d+ +0 1$/gm)?.length, 2, stdout);
}

/** Checks that the admin API of the gateway returns the state of the cluster, and refuses wrong settings. */
async function assertAdmin(address: string): Promise<void> {
  const response = await fetch(`${address}/api/v1/admin/cluster`);
  const { nodes, searchNodes, queues } = (await response.json()) as Record<string, object[]>;
  assert.deepEqual([nodes!.length, searchNodes!.length], [3, 2]);
  assert.ok(queues);
  const wrong = await fetch(`${address}/api/v1/admin/cluster/settings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seeds: [], crawl: { delay: 'soon' } }),
  });
  assert.equal(wrong.status, 400);
  assert.match(JSON.stringify(await wrong.json()), /crawl\.delay/);
}

/** Counts the shards that the logs of all nodes report as open. */
async function openedShards({ nodes }: TestCluster): Promise<number> {
  return nodes.reduce((sum, { stderr }) => sum + new Set(stderr.match(/shard opened.*?shard-\d+/g)).size, 0);
}
