/**
 * The connection of a gateway to one search node: sealed messages over HTTP/1.1 with connections that are kept open.
 *
 * Errors have two kinds. A `ReplicaError` says that this node cannot answer, so another replica should be
 * asked. All other errors come from the shard itself, and every other replica would report the same error.
 */
import { type Dispatcher, Pool } from 'undici';
import { GyreError, messageOf, systemCode } from '../../base/mod.ts';
import { LateError, ShardChangedError, type ShardState } from '../../query/mod.ts';
import { decodeReplies, encodeCalls, MAX_BATCH_CALLS, type ShardCallParts } from './call-batch.ts';
import { decodePart, openMessage, sealAtEnd, sealMessage } from './shard-message.ts';
import type { ReplyHead, RequestHead } from './shard-responder.ts';

const CONNECTIONS = 64;
const CONNECT_MS = 2_000;
const MAX_REPLY_BYTES = 64 * 1024 * 1024;
export const SHARD_PATH = '/shard';
export const STATES_PATH = '/states';

/** A search node that cannot answer: unreachable, too busy, without the shard, or of another cluster. */
export class ReplicaError extends GyreError {}

/** The codes of errors that concern only this node; another replica may still answer. */
const OF_REPLICA = new Set(['no-shard', 'overloaded', 'closing', 'message-refused', 'message-version']);

/** The reply to a poll: the name of the node and the states of its open shards. */
export interface NodeStates {
  /** The name of the node, which differs from the expected one if another node has got its address. */
  node: string;
  shards: ReadonlyMap<string, ShardState>;
}

interface WaitingCall extends ShardCallParts {
  timeoutMs: number;
  onState(state: ShardState): void;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export class NodeConnection {
  readonly address: string;
  readonly #key: Buffer;
  readonly #pool: Pool;
  /** The messages in flight, the oldest first, with the times when they were sent. Aborting one ends its calls. */
  readonly #calls = new Map<AbortController, number>();
  #lastReplyMs = Number.NEGATIVE_INFINITY;
  /**
   * The calls that are collected during the present step of the event loop and are then sent in one message.
   */
  #batch: WaitingCall[] = [];

  /** `address` is the base URL of the node: `http://10.0.0.7:4100`. */
  constructor(address: string, key: Buffer) {
    this.address = address;
    this.#key = key;
    this.#pool = new Pool(address, {
      connections: CONNECTIONS,
      pipelining: 1,
      connect: { timeout: CONNECT_MS },
      // The signal of each call limits its time.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: MAX_REPLY_BYTES,
    });
  }

  /** The number of messages that wait for a reply. */
  get inFlight(): number {
    return this.#calls.size;
  }

  /** The time for which messages have been in flight without any reply; 0 if none is in flight. */
  get silentMs(): number {
    const [oldestMs] = this.#calls.values();
    return oldestMs === undefined ? 0 : performance.now() - Math.max(oldestMs, this.#lastReplyMs);
  }

  /**
   * Calls a method of a shard. Rejects with a `LateError` after `timeoutMs`. `onState` is called if the shard has
   * another view than the request. Calls that are made at the same moment are sent together.
   */
  call(
    head: RequestHead,
    parts: readonly Buffer[],
    timeoutMs: number,
    onState: (state: ShardState) => void,
  ): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#batch.length === MAX_BATCH_CALLS) void this.#sendBatch();
    if (this.#batch.length === 0) queueMicrotask(() => void this.#sendBatch());
    this.#batch.push({ head, parts, timeoutMs, onState, resolve, reject });
    return promise;
  }

  /** Asks for the shards that the node has open. */
  async states(timeoutMs: number): Promise<NodeStates> {
    const [states] = await this.#exchange(STATES_PATH, [], timeoutMs);
    return decodePart(states!) as NodeStates;
  }

  /** Gives up all calls in flight, because the node has stopped answering. */
  abortCalls(): void {
    const error = new ReplicaError('node-dead', `the search node at ${this.address} does not answer`);
    for (const call of this.#calls.keys()) call.abort(error);
  }

  async close(): Promise<void> {
    this.abortCalls();
    await this.#pool.destroy();
  }

  async #sendBatch(): Promise<void> {
    const calls = this.#batch;
    this.#batch = [];
    if (calls.length === 0) return;
    try {
      const timeoutMs = Math.max(...calls.map((call) => call.timeoutMs));
      const replies = decodeReplies(await this.#exchange(SHARD_PATH, encodeCalls(calls), timeoutMs));
      for (const [at, call] of calls.entries()) this.#settle(call, replies[at]!);
    } catch (error) {
      // This does nothing for calls that are already settled.
      for (const { reject } of calls) reject(this.#asFailure(error));
    }
  }

  #settle({ onState, resolve, reject }: WaitingCall, [first, value]: readonly Buffer[]): void {
    const reply = decodePart(first!) as ReplyHead;
    if (reply.kind === 'value') {
      resolve(decodePart(value!));
      return;
    }
    if (reply.state) onState(reply.state);
    reject(this.#errorOf(reply));
  }

  async #exchange(path: string, parts: readonly Buffer[], timeoutMs: number): Promise<Buffer[]> {
    const body = sealMessage(parts, this.#key);
    const bytes = await this.#send(path, body, timeoutMs);
    return this.#blaming(() => openMessage(bytes, this.#key, sealAtEnd(body)));
  }

  async #send(path: string, body: Buffer, timeoutMs: number): Promise<Buffer> {
    const call = new AbortController();
    const timer = setTimeout(() => call.abort(new LateError()), timeoutMs);
    this.#calls.set(call, performance.now());
    try {
      const { signal } = call;
      const response = await this.#pool.request({ path, method: 'POST', body, signal });
      const bytes = Buffer.from(await response.body.arrayBuffer());
      this.#lastReplyMs = performance.now();
      this.#checkStatus(response, bytes);
      return bytes;
    } catch (error) {
      throw call.signal.aborted ? call.signal.reason : this.#asReplicaError(error);
    } finally {
      clearTimeout(timer);
      this.#calls.delete(call);
    }
  }

  #checkStatus({ statusCode }: Dispatcher.ResponseData, bytes: Buffer): void {
    if (statusCode === 200) return;
    if (statusCode === 503)
      throw new ReplicaError('overloaded', `the search node at ${this.address} is overloaded`);
    throw new ReplicaError('node-refused', `the search node at ${this.address}: ${bytes.toString()}`);
  }

  #blaming<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#asReplicaError(error);
    }
  }

  /** Converts an error of a call, such as an unreadable reply, to a failure of the node. A `LateError` stays as it is. */
  #asFailure(error: unknown): unknown {
    return error instanceof LateError ? error : this.#asReplicaError(error);
  }

  #asReplicaError(error: unknown): unknown {
    if (error instanceof ReplicaError) return error;
    const code = systemCode(error) || 'unreachable';
    const message = `the search node at ${this.address} cannot be used (${code}: ${messageOf(error)})`;
    return new ReplicaError('node-unreachable', message, { cause: error });
  }

  #errorOf({ code, message }: Extract<ReplyHead, { kind: 'failed' }>): GyreError {
    if (code === 'shard-changed') return new ShardChangedError();
    if (code === 'query-late') return new LateError();
    const Kind = OF_REPLICA.has(code) ? ReplicaError : GyreError;
    return new Kind(code, `the search node at ${this.address}: ${message}`);
  }
}
