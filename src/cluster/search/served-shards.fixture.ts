/** Serves shards of this process to itself through real sockets, as search nodes do. */
import type { TestContext } from 'node:test';
import { freePort } from '../../../bench/free-port.ts';
import { silentLog } from '../../base/mod.ts';
import type { SearchShard } from '../../query/mod.ts';
import { NodeConnection } from './node-connection.ts';
import { RemoteShard } from './remote-shard.ts';
import { messageKey } from './shard-message.ts';
import { ShardResponder } from './shard-responder.ts';
import { type ServedShards, ShardServer } from './shard-server.ts';

export const KEY = messageKey('secret of the test cluster');

export function servedInProcess(shards: ReadonlyMap<string, SearchShard>, node = 'node'): ServedShards {
  const responder = new ShardResponder((name) => shards.get(name));
  return {
    states: () => ({ node, shards: new Map([...shards].map(([name, { state }]) => [name, state])) }),
    respond: (head, parts) => responder.respond(head, parts),
  };
}

/** Serves shards until the test ends; returns the address. */
export async function serveShards(t: TestContext, served: ServedShards, key = KEY): Promise<string> {
  const server = new ShardServer(key, served, silentLog);
  const port = await server.listen({ host: '127.0.0.1', port: await freePort() });
  t.after(() => server.close(0));
  return `http://127.0.0.1:${port}`;
}

/** Returns a shard behind a socket. Closing it closes the connection and the shard. */
export async function remoteShard(t: TestContext, shard: SearchShard): Promise<SearchShard> {
  const address = await serveShards(t, servedInProcess(new Map([['s', shard]])));
  const connection = new NodeConnection(address, KEY);
  t.after(async () => {
    await connection.close();
    shard.close();
  });
  return new RemoteShard(connection, 's', shard.state).asShard();
}
