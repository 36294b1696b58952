import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { blobsIn } from '../../base/files/blob-store.ts';
import { type Directory, type Log, silentLog, sleep } from '../../base/mod.ts';
import { CacheSpace, IndexWriter, openManifestStore } from '../../index/mod.ts';
import { addSegment, makeDocument, temporaryDirectory } from '../../query/matching/naive.fixture.ts';
import { SearchNode } from './search-node.ts';
import { SearchNodes } from './search-nodes.ts';
import { KEY, serveShards } from './served-shards.fixture.ts';
import { ShardThreads } from './shard-threads.ts';

const SHARD = 's0';
const POLL_MS = 20;
const weight = 1;

/** An index that a test writes, as S3 and PostgreSQL have it: blobs and a manifest. */
function publishedIndex(t: TestContext) {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  t.after(() => writer.close());
  const add = async (url: string) => {
    await addSegment(directory, writer, [makeDocument(url, 'word')]);
    writer.commit();
  };
  return { directory, add };
}

function openNode(t: TestContext, published: Directory, node: string, log: Log = silentLog) {
  const threads = new ShardThreads({
    ...{ threads: 2, cacheBytes: 1 << 20, familyLevel: 'off', familyLists: [], log },
    onDamage: (shard) => searchNode.repair(shard),
  });
  const others = new SearchNodes(KEY, silentLog, { pollMs: POLL_MS });
  const directory = temporaryDirectory(t);
  const searchNode = new SearchNode({
    ...{ node, shards: [SHARD], replicas: 1, directory, space: new CacheSpace(), threads, others, log },
    manifestsOf: () => openManifestStore(published, { pollMs: POLL_MS }),
    blobsOf: () => blobsIn(published),
  });
  t.after(async () => {
    await searchNode.close();
    await threads.close();
    await others.close();
  });
  return { searchNode, others, directory };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(POLL_MS);
}

test('a node opens the shard that is placed on it, and follows its index', async (t) => {
  const { directory, add } = publishedIndex(t);
  await add('https://a.example/1');
  const { searchNode } = openNode(t, directory, 'node');
  const docCount = () => searchNode.states().shards.get(SHARD)?.docCount;
  await searchNode.place([{ node: 'node', address: 'http://127.0.0.1:1', weight }]);
  assert.equal(docCount(), undefined, 'a shard is not reported before it is open');
  await until(() => docCount() === 1);
  await add('https://a.example/2');
  await until(() => docCount() === 2);
  searchNode.drain();
  assert.equal(searchNode.states().shards.size, 0, 'a node that stops reports no shards');
});

test('a shard that moves is kept until the other node has it open', async (t) => {
  const { directory, add } = publishedIndex(t);
  await add('https://a.example/1');
  const first = openNode(t, directory, 'first');
  const second = openNode(t, directory, 'second');
  const address = await serveShards(t, second.searchNode);
  const [old, next] = [
    [{ node: 'first', address: 'http://127.0.0.1:1', weight }],
    [{ node: 'second', address, weight }],
  ];
  await first.searchNode.place(old);
  await until(() => first.searchNode.states().shards.has(SHARD));
  await first.others.update(next);
  await first.searchNode.place(next);
  assert.ok(first.searchNode.states().shards.has(SHARD), 'the other node does not have it yet');
  await second.searchNode.place(next);
  await until(() => first.others.holdersOf(SHARD).includes('second'));
  await first.searchNode.place(next);
  assert.equal(first.searchNode.states().shards.size, 0);
  assert.deepEqual(first.directory.directory(SHARD).list(), ['manifest.json'], 'its files are removed');
});

test('a damaged copy is fetched again while the node runs', async (t) => {
  const { directory: published, add } = publishedIndex(t);
  await add('https://a.example/1');
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (_, fields) => warnings.push(fields?.file) };
  const { searchNode, directory } = openNode(t, published, 'node', log);
  await searchNode.place([{ node: 'node', address: 'http://127.0.0.1:1', weight }]);
  await until(() => searchNode.states().shards.has(SHARD));
  const copies = directory.directory(SHARD);
  const name = 'seg-00000001.seg';
  const damaged = copies.read(name);
  damaged[40]! ^= 1;
  copies.replace(name, damaged);
  searchNode.repair(SHARD);
  await until(() => copies.read(name).equals(published.read(name)));
  assert.deepEqual(warnings, [name]);
});
