/** Answers the calls of gateways: decodes a request, runs it on a shard of this thread, and encodes the reply. */
import { GyreError, messageOf, systemCode } from '../../base/mod.ts';
import { LateError, type SearchShard, type ShardState } from '../../query/mod.ts';
import { type AnyShardRequest, isShardMethod, RequestDecoder, type ShardMethod } from './shard-calls.ts';
import { encodePart } from './shard-message.ts';

/** The shard, the method and the route of a request. */
export interface RequestHead {
  shard: string;
  method: ShardMethod;
  /** Requests with the same route go to the same thread, if it is free. */
  route: number;
}

/** The first part of a reply: says whether the call succeeded or failed. */
export type ReplyHead =
  | { kind: 'value' }
  /** `state` is the present state of the shard if the request named an old view. */
  | { kind: 'failed'; code: string; message: string; state?: ShardState };

type AnyMethod = (request: AnyShardRequest) => Promise<unknown>;

/** Checks a decoded head. Throws a `GyreError` if it names no method. */
export function readRequestHead(head: unknown): RequestHead {
  const { shard, method, route } = (head ?? {}) as Partial<RequestHead>;
  if (typeof shard !== 'string' || !Number.isSafeInteger(route) || !isShardMethod(method))
    throw new GyreError('message-refused', `expected a shard and a method, got "${shard}" and "${method}"`);
  return { shard, method, route: route! };
}

export class ShardResponder {
  readonly #decoder = new RequestDecoder();
  readonly #shardOf: (name: string) => SearchShard | undefined;

  constructor(shardOf: (name: string) => SearchShard | undefined) {
    this.#shardOf = shardOf;
  }

  /**
   * Runs a call. `parts` are the parts of its request. Returns the parts of the reply; an error also becomes a
   * reply, so the promise never rejects. `waitedMs` is the time for which the request has waited in this process: a
   * request that has waited longer than its query may take is not carried out.
   */
  async respond(head: RequestHead, parts: readonly Buffer[], waitedMs = 0): Promise<Buffer[]> {
    const shard = this.#shardOf(head.shard);
    try {
      if (!shard) throw new GyreError('no-shard', `this node has no shard "${head.shard}"`);
      const method = shard[head.method] as AnyMethod;
      const request = this.#decoder.decode(parts);
      const leftMs = request.leftMs - waitedMs;
      // A request that was late when it was sent gets the grace period of its query.
      if (leftMs <= 0 && request.leftMs > 0) throw new LateError();
      const value = await method.call(shard, { ...request, leftMs });
      return [encodePart({ kind: 'value' } satisfies ReplyHead), encodePart(value)];
    } catch (error) {
      return failedReply(error, shard?.state);
    }
  }
}

/** Returns the parts of a reply that reports an error. */
export function failedReply(error: unknown, state?: ShardState): Buffer[] {
  const code = systemCode(error) || 'internal';
  const failed: ReplyHead = { kind: 'failed', code, message: messageOf(error) };
  return [encodePart(code === 'shard-changed' && state ? { ...failed, state } : failed)];
}
