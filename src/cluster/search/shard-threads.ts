/**
 * The threads of a search node. Each has all shards of the node open, so any of them can run any request. The main
 * thread accepts connections, and never waits for an index.
 *
 * Requests of one query about one shard go to the same thread, because it has already looked up the terms of the query.
 */
import { GyreError, type Log, systemCode, WorkerChannel } from '../../base/mod.ts';
import type { ShardState } from '../../query/mod.ts';
import { failedReply, type RequestHead } from './shard-responder.ts';
import type { ShardThreadEvent, ShardThreadInput, ShardThreadReply, ToShardThread } from './shard-thread.ts';

const THREAD = new URL('./shard-thread.ts', import.meta.url);
/** A request goes to an idle thread instead if its thread has this many other ones. */
const UNEVEN_CALLS = 8;
/** The number of requests that may wait for a thread. */
const MAX_WAITING = 200;
/** Delay before a thread that has ended is replaced, because the new thread may also end at once. */
const REPLACE_MS = 500;

interface ShardThread {
  channel: WorkerChannel<ToShardThread, ShardThreadReply, ShardThreadEvent>;
  inFlight: number;
  /** The requests that are handed to the thread at the end of the present step of the event loop. */
  waiting: HandedCall[];
}

interface HandedCall {
  head: RequestHead;
  parts: readonly Buffer[];
  resolve(reply: Uint8Array[]): void;
  reject(error: unknown): void;
}

interface ShardThreadsOptions extends ShardThreadInput {
  threads: number;
  log: Log;
  /** Called when a reader has found a damaged file of a shard. */
  onDamage(shard: string): void;
}

export class ShardThreads {
  readonly #options: ShardThreadsOptions;
  readonly #threads: ShardThread[];
  /** The directory of each open shard. */
  readonly #paths = new Map<string, string>();
  #isClosed = false;

  constructor(options: ShardThreadsOptions) {
    this.#options = options;
    this.#threads = Array.from({ length: options.threads }, (_, slot) => this.#start(slot));
  }

  /** Makes all threads open the newest manifest in a directory. Returns the state of the shard. */
  async open(shard: string, path: string, isNew = false): Promise<ShardState> {
    this.#paths.set(shard, path);
    const opened = this.#threads.map(({ channel }) => channel.ask({ kind: 'open', shard, path, isNew }));
    const [state] = await Promise.all(opened);
    return state as ShardState;
  }

  async drop(shard: string): Promise<void> {
    this.#paths.delete(shard);
    await Promise.all(this.#threads.map(({ channel }) => channel.ask({ kind: 'drop', shard })));
  }

  /** Runs a request. Returns the parts of the reply; their memory belongs to the caller. */
  async respond(head: RequestHead, parts: readonly Buffer[]): Promise<Buffer[]> {
    const thread = this.#choose(head);
    if (thread.inFlight >= MAX_WAITING)
      return failedReply(new GyreError('overloaded', 'too many requests are waiting'));
    thread.inFlight++;
    try {
      const reply = await this.#hand(thread, head, parts);
      return reply.map((part) => Buffer.from(part.buffer));
    } catch (error) {
      return failedReply(error);
    } finally {
      thread.inFlight--;
    }
  }

  /**
   * Hands a request to a thread. The requests that arrive at the same moment, such as those of one message, travel together,
   * because waking a thread costs more than most of their work.
   */
  #hand(thread: ShardThread, head: RequestHead, parts: readonly Buffer[]): Promise<Uint8Array[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array[]>();
    if (thread.waiting.length === 0) queueMicrotask(() => void this.#send(thread));
    thread.waiting.push({ head, parts, resolve, reject });
    return promise;
  }

  async #send(thread: ShardThread): Promise<void> {
    const handed = thread.waiting;
    thread.waiting = [];
    // The parts are copied, because memory can be moved to one thread only. Most requests have parts in common.
    const copies = new Map<Buffer, number>();
    for (const part of handed.flatMap(({ parts }) => parts))
      if (!copies.has(part)) copies.set(part, copies.size);
    const parts = Array.from(copies.keys(), (part) => new Uint8Array(part));
    const calls = handed.map((call) => ({
      head: call.head,
      parts: call.parts.map((part) => copies.get(part)!),
    }));
    const request = { kind: 'calls', calls, parts, sentMs: Date.now() } as const;
    try {
      const buffers = parts.map(({ buffer }) => buffer);
      const replies = (await thread.channel.ask(request, buffers)) as Uint8Array[][];
      for (const [at, { resolve }] of handed.entries()) resolve(replies[at]!);
    } catch (error) {
      for (const { reject } of handed) reject(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { channel } of this.#threads) channel.ask({ kind: 'close' }).catch(() => {});
    await Promise.all(this.#threads.map(({ channel }) => channel.ended));
  }

  /**
   * Chooses the thread for a request. All requests of a query about one shard go to the same thread, which has already looked
   * up its terms, unless many others wait there. The shards of a query are spread over the threads.
   */
  #choose({ route, shard }: RequestHead): ShardThread {
    const place = this.#placeOf(shard);
    const chosen = this.#threads[(route + place) % this.#threads.length]!;
    if (chosen.inFlight < UNEVEN_CALLS) return chosen;
    return this.#threads.find(({ inFlight }) => inFlight === 0) ?? chosen;
  }

  /** Returns the place of a shard among the open shards. */
  #placeOf(shard: string): number {
    let place = 0;
    for (const name of this.#paths.keys()) {
      if (name === shard) return place;
      place++;
    }
    return 0;
  }

  #start(slot: number): ShardThread {
    const { cacheBytes, familyLevel, familyLists } = this.#options;
    const data: ShardThreadInput = { cacheBytes, familyLevel, familyLists };
    const onEvent = (event: ShardThreadEvent) => this.#heard(event);
    const channel = new WorkerChannel<ToShardThread, ShardThreadReply, ShardThreadEvent>(THREAD, {
      data,
      onEvent,
    });
    void channel.ended.then((why) => this.#replaceLater(slot, why));
    return { channel, inFlight: 0, waiting: [] };
  }

  #heard(event: ShardThreadEvent): void {
    if (event.kind === 'damaged') this.#options.onDamage(event.shard);
    else this.#options.log.warn(event.message, event.fields);
  }

  /** Replaces a thread that ended because a request needed too much memory. */
  #replaceLater(slot: number, why: string): void {
    if (this.#isClosed) return;
    this.#options.log.error('search thread replaced', { why });
    setTimeout(() => {
      if (!this.#isClosed) void this.#replace(slot);
    }, REPLACE_MS);
  }

  async #replace(slot: number): Promise<void> {
    const thread = this.#start(slot);
    try {
      for (const [shard, path] of this.#paths)
        await thread.channel.ask({ kind: 'open', shard, path, isNew: false });
      this.#threads[slot] = thread;
    } catch (error) {
      // If the thread has died, the handler of its end starts a new thread.
      if (systemCode(error) !== 'thread-died') throw error;
    }
  }
}
