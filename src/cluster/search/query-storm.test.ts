/** Tests that more messages than a search node can answer are refused at once, and delay neither polls nor other work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../../bench/free-port.ts';
import { silentLog } from '../../base/mod.ts';
import { NodeConnection } from './node-connection.ts';
import { KEY } from './served-shards.fixture.ts';
import { encodePart } from './shard-message.ts';
import { ShardServer } from './shard-server.ts';

const HEAD = { shard: 's', method: 'urls', route: 1 } as const;
const LIMIT = 4;

test('a search node refuses messages above its limit, and still answers polls', async (t) => {
  const started: (() => void)[] = [];
  const served = {
    states: () => ({ node: 'node', shards: new Map() }),
    respond: () =>
      new Promise<Buffer[]>((resolve) => {
        started.push(() => resolve([encodePart({ kind: 'value' }), encodePart('done')]));
      }),
  };
  const server = new ShardServer(KEY, served, silentLog, { maxMessages: LIMIT });
  const port = await server.listen({ host: '127.0.0.1', port: await freePort() });
  const connection = new NodeConnection(`http://127.0.0.1:${port}`, KEY);
  t.after(async () => {
    await connection.close();
    await server.close(0);
  });
  const send = async () => {
    // Calls of the same moment travel in one message; each of these is a message of its own.
    await new Promise((resolve) => setImmediate(resolve));
    return connection.call(HEAD, [encodePart({ names: [], rest: {} })], 30_000, () => {});
  };
  const sent: Promise<unknown>[] = [];
  for (let n = 0; n < 5 * LIMIT; n++) {
    const call = send();
    call.catch(() => {});
    sent.push(call);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  while (server.load.messages + server.load.refused < sent.length)
    await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await connection.states(5_000)).node, 'node');
  assert.deepEqual([started.length, server.load.refused], [LIMIT, 4 * LIMIT]);
  for (const finish of started) finish();
  const results = await Promise.allSettled(sent);
  const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : result.value));
  assert.equal(codes.filter((code) => code === 'done').length, LIMIT);
  assert.equal(codes.filter((code) => code === 'overloaded').length, 4 * LIMIT);
  assert.equal(await Promise.race([finishNext(started, LIMIT), send()]), 'done');
});

/** Finishes the next call when it has started. */
async function finishNext(started: (() => void)[], count: number): Promise<never> {
  while (started.length === count) await new Promise((resolve) => setTimeout(resolve, 5));
  started[count]!();
  return await new Promise<never>(() => {});
}
