/** The role `search`: has the shards that are placed on this node, and answers the requests of gateways. */
import { availableParallelism } from 'node:os';
import { sleep } from '../../base/mod.ts';
import {
  announceSearchNode,
  SearchNode,
  SearchNodes,
  ShardServer,
  ShardThreads,
  whileServicesHeal,
  withdrawSearchNode,
} from '../../cluster/mod.ts';
import { CacheSpace } from '../../index/mod.ts';
import type { RoleHealth } from '../node-health/mod.ts';
import { tell } from '../output.ts';
import type { NodeContext, NodeRole } from './node-role.ts';
import { followMembers, messageKeyOf, publishedIndexes, shardNamesOf } from './search-cluster.ts';

/** The time in which all gateways notice that this node is stopping. They poll twice a second. */
const DRAIN_MS = 1_500;
/** The time that requests in flight then get to finish. */
const FINISH_MS = 3_000;

export const searchRole: NodeRole = {
  async run(context) {
    const { cluster, database, node, signal, log, waiting, listen } = context;
    const key = messageKeyOf(cluster);
    const others = new SearchNodes(key, log);
    const threads = openThreads(context, (shard) => served.repair(shard));
    const served = new SearchNode({
      node,
      shards: shardNamesOf(cluster),
      replicas: cluster.search.replicas,
      ...(await publishedIndexes(context)),
      directory: context.directory.directory('search'),
      space: new CacheSpace(cluster.search.cacheBytes),
      threads,
      others,
      log,
    });
    const server = new ShardServer(key, served, log);
    try {
      const port = await server.listen(listen);
      const address = `http://${listen.host}:${port}`;
      await whileServicesHeal(() => announceSearchNode(database, node, address), waiting);
      tell(`search node listens at ${address}`);
      context.health.set('search', searchHealth(served, server, signal));
      await followMembers(context, async (members) => {
        await others.update(members.filter((member) => member.node !== node));
        await served.place(members);
      });
      await withdraw(context);
      served.drain();
      if (signal.aborted) await sleep(DRAIN_MS);
    } finally {
      await server.close(FINISH_MS);
      await served.close();
      await threads.close();
      await others.close();
    }
  },
};

function searchHealth(served: SearchNode, server: ShardServer, signal: AbortSignal): RoleHealth {
  const shards = () => [...served.states().shards.values()];
  return {
    notReady: () => (signal.aborted ? 'the node is stopping' : null),
    gauges: () => [
      { name: 'gyre_search_shards', help: 'Shards that the node has open.', value: shards().length },
      {
        name: 'gyre_search_documents',
        help: 'Live documents of the shards that the node has open.',
        value: shards().reduce((sum, { docCount }) => sum + docCount, 0),
      },
      {
        name: 'gyre_search_messages_total',
        help: 'Messages of gateways.',
        value: server.load.messages,
      },
      {
        name: 'gyre_search_messages_in_flight',
        help: 'Messages of gateways that are being answered.',
        value: server.load.inFlight,
      },
      {
        name: 'gyre_search_messages_refused_total',
        help: 'Messages of gateways that were refused because of overload.',
        value: server.load.refused,
      },
    ],
  };
}

function openThreads({ config, cluster, log }: NodeContext, onDamage: (shard: string) => void): ShardThreads {
  const { threads, postingsCacheBytes, familyFilter, familyLists } = config.serve;
  const count = Math.min(Math.max(threads, 1), availableParallelism());
  return new ShardThreads({
    threads: count,
    cacheBytes: Math.floor(postingsCacheBytes / count / cluster.shards),
    familyLevel: familyFilter,
    familyLists,
    log,
    onDamage,
  });
}

/**
 * Removes the address of this node. If PostgreSQL is unreachable, gateways forget the address when the lease
 * has expired.
 */
async function withdraw({ database, node, log }: NodeContext): Promise<void> {
  try {
    await withdrawSearchNode(database, node);
  } catch (error) {
    log.warn('address not withdrawn, the lease expires', { reason: String(error) });
  }
}
