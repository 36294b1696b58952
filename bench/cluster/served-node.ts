/**
 * node bench/cluster/served-node.ts PORT SECRET THREADS DIR... — a search node over existing indexes, without the services
 * of a cluster. It serves the index in each directory as a shard; the first is `shard-0`.
 */
import { silentLog } from '../../src/base/mod.ts';
import { messageKey, ShardServer, ShardThreads } from '../../src/cluster/mod.ts';
import type { ServedShards } from '../../src/cluster/search/shard-server.ts';
import type { ShardState } from '../../src/query/mod.ts';

const CACHE_BYTES = 128 * 1024 * 1024;

const [port, secret, count, ...directories] = process.argv.slice(2);
const threads = new ShardThreads({
  threads: Number(count),
  cacheBytes: CACHE_BYTES,
  familyLevel: 'off',
  familyLists: [],
  log: silentLog,
  onDamage: () => {},
});
const shards = new Map<string, ShardState>();
for (const [shard, path] of directories.entries())
  shards.set(`shard-${shard}`, await threads.open(`shard-${shard}`, path));
const served: ServedShards = {
  states: () => ({ node: 'bench', shards }),
  respond: (head, parts) => threads.respond(head, parts),
};
await new ShardServer(messageKey(secret!), served, silentLog).listen({
  host: '127.0.0.1',
  port: Number(port),
});
process.stdout.write('ready\n');
