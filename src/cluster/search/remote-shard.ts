/** A replica of a shard on a search node. */
import type { SearchShard, ShardState } from '../../query/mod.ts';
import type { NodeConnection } from './node-connection.ts';
import {
  type AnyShardRequest,
  encodeRequest,
  routeOf,
  type ShardMethod,
  shardCalling,
} from './shard-calls.ts';

/**
 * The time that a reply may take after the limit of the query: the grace period of the shard, and the way there and
 * back.
 */
const AFTER_LIMIT_MS = 1_000;
/** The limit of a call without a time limit. */
const MAX_CALL_MS = 60_000;

export class RemoteShard {
  readonly name: string;
  readonly connection: NodeConnection;
  #state: ShardState;

  constructor(connection: NodeConnection, name: string, state: ShardState) {
    this.connection = connection;
    this.name = name;
    this.#state = state;
  }

  get state(): ShardState {
    return this.#state;
  }

  /** Replaces the known state of the shard by one that the node has reported. */
  changed(state: ShardState): void {
    this.#state = state;
  }

  call(method: ShardMethod, request: AnyShardRequest): Promise<unknown> {
    const head = { shard: this.name, method, route: routeOf(request) };
    const timeoutMs = Math.min(Math.max(request.leftMs, 0) + AFTER_LIMIT_MS, MAX_CALL_MS);
    return this.connection.call(head, encodeRequest(request), timeoutMs, (state) => this.changed(state));
  }

  /** Returns this replica as a shard of its own. */
  asShard(): SearchShard {
    return shardCalling(
      (method, request) => this.call(method, request),
      () => this.state,
      () => void this.connection.close(),
    );
  }
}
