import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlState, HostRow } from '../state/crawl-state.ts';
import { frontOf } from '../state/discovery.ts';
import { FrontQueues } from './front-queues.ts';

/**
 * Fakes the front queues on disk. Each argument lists the numbers of the hosts in one front queue, in order of
 * discovery.
 */
function disk(...fronts: number[][]) {
  const frontHosts: CrawlState['frontHosts'] = async (front, after, limit) =>
    (fronts[front] ?? [])
      .filter((number) => number > numberOf(after))
      .slice(0, limit)
      .map((number) => ({ origin: `http://h${number}.test` }) as HostRow);
  return { frontHosts } as CrawlState;
}

/** Returns the number in the name of a test host, or 0 for the empty origin. */
function numberOf(origin: string): number {
  return Number(/\d+/.exec(origin)?.[0] ?? 0);
}

const nobody = () => false;

async function walk(queues: FrontQueues, reads: number, limit: number): Promise<number[]> {
  const ids: number[] = [];
  for (let read = 0; read < reads; read++)
    ids.push(...(await queues.next(limit, nobody)).map(({ origin }) => numberOf(origin)));
  return ids;
}

test('a scan restarts at the first host after 3, 6, 9 … positions and after the last host', async () => {
  const queues = new FrontQueues(disk([1, 2, 3, 4, 5, 6, 7]), 3);
  const ids = (await walk(queues, 40, 1)).join('');
  assert.ok(ids.startsWith('123' + '123456' + '1234567' + '123' + '123456'), ids);
});

test('important hosts are chosen more often, and the others are not starved', async () => {
  const fronts = [0, 1, 2, 3].map((front) => Array.from({ length: 100 }, (_, at) => front * 1000 + at + 1));
  const queues = new FrontQueues(disk(...fronts));
  const byFront = [0, 0, 0, 0];
  for (const id of await walk(queues, 80, 1)) byFront[Math.floor(id / 1000)]!++;
  assert.deepEqual(byFront, [10, 10, 20, 40]);
});

test('the queues are empty if a whole pass finds only hosts that are in memory', async () => {
  const queues = new FrontQueues(disk([1, 2], [3]));
  const held = new Set<string>();
  for (let read = 0; read < 20 && !queues.isEmpty; read++) {
    for (const { origin } of await queues.next(10, (each) => held.has(each))) held.add(origin);
  }
  assert.equal(held.size, 3);
  assert.ok(queues.isEmpty);
  assert.deepEqual(await queues.next(10, nobody), []);
  queues.mayHaveWork();
  assert.ok(!queues.isEmpty);
});

test('a host with more linking hosts is in a higher front queue', () => {
  assert.deepEqual([0, 2, 3, 14, 15, 62, 63, 1e6].map(frontOf), [0, 0, 1, 1, 2, 2, 3, 3]);
});
