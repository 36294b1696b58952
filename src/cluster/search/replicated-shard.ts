/**
 * A shard with replicas on several search nodes, as the gateway sees it.
 *
 * The state of the shard is the state that most replicas have. If two states are equally frequent, it is the
 * state with the newer index. Only replicas with the view of a request are asked, so all replies to a query are
 * about the same documents. If the last replica with the view fails, the request fails with a
 * ShardChangedError, and the gateway starts the query again with the present state. If there is no replica, the
 * shard is absent.
 */
import { GyreError, systemCode } from '../../base/mod.ts';
import { type SearchShard, ShardChangedError, type ShardState } from '../../query/mod.ts';
import { firstReply, ReplyTimes, SILENT_MS } from './first-reply.ts';
import { ReplicaError } from './node-connection.ts';
import type { RemoteShard } from './remote-shard.ts';
import type { SearchNodes } from './search-nodes.ts';
import { type AnyShardRequest, routeOf, type ShardMethod, shardCalling } from './shard-calls.ts';

const ABSENT: ShardState = {
  view: '',
  isAbsent: true,
  generation: 0,
  docCount: 0,
  indexedDocs: 0,
  segmentCount: 0,
  sizeBytes: 0,
  isDamaged: false,
  hasFeeds: false,
  family: 'off',
  familyHidden: { off: 0, moderate: 0, strict: 0 },
  embeddedDocs: 0,
  embeddableDocs: 0,
  stemmings: new Map(),
};

/** A replica gets a query later than another one if it has at least this many more calls in flight. */
const UNEVEN_CALLS = 4;

/**
 * Returns the shard `name`, whose replicas are found through `nodes`. Closing the shard does nothing; the
 * caller closes `nodes`.
 */
export function replicatedShard(name: string, nodes: SearchNodes): SearchShard {
  const times = new Map<ShardMethod, ReplyTimes>();
  const timesOf = (method: ShardMethod) => {
    const known = times.get(method) ?? new ReplyTimes();
    times.set(method, known);
    return known;
  };
  return shardCalling(
    (method, request) => callReplicas(nodes, name, method, request, timesOf(method)),
    () => chooseState(nodes.replicasOf(name)),
    () => {},
  );
}

async function callReplicas(
  nodes: SearchNodes,
  name: string,
  method: ShardMethod,
  request: AnyShardRequest,
  times: ReplyTimes,
): Promise<unknown> {
  const replicas = nodes.replicasOf(name).filter(({ state }) => state.view === request.view);
  if (replicas.length === 0) throw new ShardChangedError();
  const call = (replica: RemoteShard) =>
    replica.call(method, request).catch((error) => {
      if (error instanceof ReplicaError && !isBusy(error)) nodes.failed(replica, error);
      throw error;
    });
  try {
    return await firstReply(inOrder(replicas, routeOf(request)), call, times, isOfReplica, isSilent);
  } catch (error) {
    if (isBusy(error))
      throw new GyreError('overloaded', `all replicas of the shard "${name}" are overloaded`);
    if (error instanceof ReplicaError) throw new ShardChangedError();
    throw error;
  }
}

/**
 * Returns the replicas in the order in which to ask them. `route` selects the first one, so that queries are
 * spread evenly. If the first one has many more calls in flight than another, the other comes first. Replicas of
 * silent nodes come last.
 */
function inOrder(all: readonly RemoteShard[], route: number): RemoteShard[] {
  const replicas = all.filter((replica) => !isSilent(replica));
  if (replicas.length === 0 || replicas.length === all.length) return byLoad(all, route);
  return [...byLoad(replicas, route), ...all.filter(isSilent)];
}

function isSilent({ connection }: RemoteShard): boolean {
  return connection.silentMs > SILENT_MS;
}

function byLoad(replicas: readonly RemoteShard[], route: number): RemoteShard[] {
  const first = route % replicas.length;
  const rotated = [...replicas.slice(first), ...replicas.slice(0, first)];
  const [chosen, ...others] = rotated;
  const idle = others.findIndex(
    ({ connection }) => connection.inFlight + UNEVEN_CALLS <= chosen!.connection.inFlight,
  );
  if (idle < 0) return rotated;
  return [others[idle]!, chosen!, ...others.filter((_, at) => at !== idle)];
}

function chooseState(replicas: readonly RemoteShard[]): ShardState {
  const byView = Map.groupBy(replicas, ({ state }) => state.view);
  const states = [...byView.values()].map((same) => ({ count: same.length, state: same[0]!.state }));
  const best = states.reduce<(typeof states)[number] | null>(
    (a, b) => (a === null || isBetter(b, a) ? b : a),
    null,
  );
  return best?.state ?? ABSENT;
}

interface ViewOfReplicas {
  count: number;
  state: ShardState;
}

function isBetter(a: ViewOfReplicas, b: ViewOfReplicas): boolean {
  if (a.state.isDamaged !== b.state.isDamaged) return b.state.isDamaged;
  return a.count === b.count ? a.state.generation > b.state.generation : a.count > b.count;
}

function isBusy(error: unknown): boolean {
  return systemCode(error) === 'overloaded';
}

function isOfReplica(error: unknown): boolean {
  return error instanceof ReplicaError || error instanceof ShardChangedError;
}
