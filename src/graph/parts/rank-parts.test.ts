import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { type BlobStore, type Directory, Random, silentLog, sleep } from '../../base/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { openAnchors } from '../anchors/mod.ts';
import { temporaryDirectory } from '../graph.fixture.ts';
import { openHosts } from '../hosts/mod.ts';
import { type LinkTable, openLinks } from '../links-reader.ts';
import { rankPages } from '../rank-pages.ts';
import { openRanks } from '../ranks-reader.ts';
import { MemoryBoards, memoryBlobs } from './memory-board.fixture.ts';
import { fetchRankedParts, openRankedParts, type RankBoard, workOnRanks } from './mod.ts';
import { WRITERS, writeRandomWeb } from './random-web.fixture.ts';

interface Cluster {
  root: Directory;
  boards: MemoryBoards;
  blobs: BlobStore;
  parts: number;
}

function openCluster(root: Directory, parts: number): Cluster {
  const name = `cluster-${parts}`;
  const boards = new MemoryBoards({ name: 'ranks-00000001', generation: 1, writers: WRITERS, parts });
  return { root: root.directory(name), boards, blobs: memoryBlobs(), parts };
}

async function work(
  { root, blobs }: Cluster,
  worker: string,
  board: RankBoard,
  journal: Directory,
  tileBytes?: number,
): Promise<void> {
  const scratch = root.directory(worker);
  await workOnRanks({
    ...{ board, blobs, scratch, journalOf: async () => journal, log: silentLog },
    ...(tileBytes !== undefined && { tileBytes }),
  });
}

/** Checks that the ranking of the cluster equals the ranking on one node, which is in `graph`. */
async function assertSame(
  cluster: Cluster,
  graph: Directory,
  urls: CanonicalUrl[],
  message: string,
): Promise<void> {
  const directories = Array.from({ length: cluster.parts }, (_, part) =>
    cluster.root.directory(`result-${part}`),
  );
  const nodeCount = await fetchRankedParts(
    cluster.boards.boardOf('reader'),
    cluster.blobs,
    (part) => directories[part]!,
    true,
  );
  const ours = openRankedParts(directories, nodeCount)!;
  const [links, linksAlone] = [openLinks(directories, 0)!, openLinks(graph)!];
  const sourcesOf = (table: LinkTable, url: CanonicalUrl) =>
    table
      .linksTo(url)
      .map((source) => source.url)
      .sort();
  const [ranks, anchors, hosts] = [openRanks(graph)!, openAnchors(graph)!, openHosts(graph)!];
  for (const url of urls) {
    const key = fingerprint(url);
    const difference = Math.abs(ours.ranks.rankOf(key) - ranks.rankOf(key));
    assert.ok(
      difference < 1e-7,
      `${message}: ${url} has ${ours.ranks.rankOf(key)}, not ${ranks.rankOf(key)}`,
    );
    const relative = ours.ranks.relativeRankOf(key);
    assert.ok(Math.abs(relative - ranks.relativeRankOf(key)) < 1e-3, `${message}: ${url}: ${relative}`);
    assert.deepEqual(ours.anchors.textsOf(key), anchors.textsOf(key), `${message}: ${url}`);
    assert.deepEqual(sourcesOf(links, url), sourcesOf(linksAlone, url), `${message}: links to ${url}`);
    assert.equal(links.documentOf(url), linksAlone.documentOf(url), message);
  }
  assert.equal(ours.ranks.count, ranks.count, message);
  assert.equal(ours.anchors.count, anchors.count, message);
  assert.deepEqual([...ours.hosts.entries()], [...hosts.entries()], message);
  for (const table of [ours, anchors, links, linksAlone]) table.close();
}

async function openWeb(t: TestContext, random: Random, hostCount: number) {
  const root = temporaryDirectory(t);
  const journal = root.directory('journal');
  const urls = await writeRandomWeb(journal, random, hostCount);
  rankPages({ journal, output: root.directory('alone'), log: silentLog });
  return { root, journal, alone: root.directory('alone'), urls };
}

test('a worker that was stopped in a task and continues later does not change the result', async (t) => {
  const random = new Random(testSeed());
  const { root, journal, alone, urls } = await openWeb(t, random, 20);
  for (const stopAfter of [0, 9, 20, 33]) {
    const cluster = openCluster(root, 3);
    // The stopped worker has a blob store that waits, at one of its writes, until the others have finished.
    let writes = 0;
    let release = () => {};
    const finished = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow: BlobStore = {
      ...cluster.blobs,
      put: async (name, bytes) => {
        if (writes++ === stopAfter) {
          cluster.boards.expire('stopped');
          await finished;
        }
        // The blobs that a stopped worker writes later may be wrong: they have other bytes here.
        await cluster.blobs.put(name, writes > stopAfter ? Buffer.alloc(bytes.length) : bytes);
      },
    };
    const stopped = work({ ...cluster, blobs: slow }, 'stopped', cluster.boards.boardOf('stopped'), journal);
    while (writes <= stopAfter) await sleep(1);
    await work(cluster, 'other', cluster.boards.boardOf('other'), journal);
    release();
    await stopped;
    await assertSame(cluster, alone, urls, `stopped after ${stopAfter} writes`);
  }
});

test('any number of parts and workers gives the ranks, anchors and hosts of a ranking on one node', async (t) => {
  const seed = testSeed();
  for (let round = 0; round < 2; round++) {
    const random = new Random(seed + round);
    const { root, journal, alone, urls } = await openWeb(t, random, random.between(1, 60));
    for (const parts of [1, 2, 4]) {
      const cluster = openCluster(root, parts);
      const workers = Array.from({ length: random.between(1, parts) }, (_, worker) => `worker-${worker}`);
      const tileBytes = random.chance(0.5) ? 100 : undefined;
      await Promise.all(
        workers.map((name) => work(cluster, name, cluster.boards.boardOf(name), journal, tileBytes)),
      );
      await assertSame(
        cluster,
        alone,
        urls,
        `seed ${seed + round}, ${parts} parts, ${workers.length} workers`,
      );
    }
  }
});
