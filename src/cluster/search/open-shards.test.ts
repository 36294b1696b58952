import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../../bench/free-port.ts';
import { askOpenShards } from './open-shards.ts';
import { KEY, serveShards } from './served-shards.fixture.ts';
import { messageKey } from './shard-message.ts';
import type { ServedShards } from './shard-server.ts';

const STATE = { generation: 1, docCount: 1 } as never;

function serving(node: string, ...shards: string[]): ServedShards {
  return {
    states: () => ({ node, shards: new Map(shards.map((name) => [name, STATE])) }),
    respond: () => Promise.reject(new Error('no request is expected')),
  };
}

test('each node is reported with its open shards, or with the reason why it does not answer', async (t) => {
  const members = [
    { node: 'a', address: await serveShards(t, serving('a', 'shard-0', 'shard-1')), weight: 1 },
    { node: 'b', address: await serveShards(t, serving('other')), weight: 1 },
    { node: 'c', address: await serveShards(t, serving('c'), messageKey('another secret of 16')), weight: 1 },
    { node: 'd', address: `http://127.0.0.1:${await freePort()}`, weight: 1 },
  ];
  const [a, b, c, d] = await askOpenShards(members, KEY);
  assert.deepEqual(a, {
    node: 'a',
    address: members[0]!.address,
    shards: ['shard-0', 'shard-1'],
    problem: null,
  });
  assert.deepEqual([b!.shards, b!.problem], [[], 'its address belongs to other']);
  assert.match(c!.problem!, /the search node at http:\S+: /);
  assert.match(d!.problem!, /cannot be used \(ECONNREFUSED/);
});
