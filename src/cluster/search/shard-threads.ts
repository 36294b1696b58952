/**
 * The threads of a search node. Each has all shards of the node open, so any of them can run any request. The main
 * thread accepts connections, and never waits for an index.
 *
 * Requests of one query go to the same thread, because it has already looked up the terms of the query. They go
 * to an idle thread if this thread is busy.
 */
import { GyreError, type Log, systemCode, WorkerChannel } from '../../base/mod.ts';
import type { ShardState } from '../../query/mod.ts';
import { failedReply, type RequestHead } from './shard-responder.ts';
import type { ShardThreadEvent, ShardThreadInput, ShardThreadReply, ToShardThread } from './shard-thread.ts';

const THREAD = new URL('./shard-thread.ts', import.meta.url);
/** The number of requests that may wait for a thread. */
const MAX_WAITING = 200;
/** Delay before a thread that has ended is replaced, because the new thread may also end at once. */
const REPLACE_MS = 500;

interface ShardThread {
  channel: WorkerChannel<ToShardThread, ShardThreadReply, ShardThreadEvent>;
  inFlight: number;
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
    const thread = this.#choose(head.route);
    if (thread.inFlight >= MAX_WAITING)
      return failedReply(new GyreError('overloaded', 'too many requests are waiting'));
    thread.inFlight++;
    try {
      // The parts are copied, because several requests share them, and memory can be moved to one thread only.
      const copies = parts.map((part) => new Uint8Array(part));
      const buffers = copies.map(({ buffer }) => buffer);
      const sentMs = Date.now();
      const reply = await thread.channel.ask({ kind: 'call', head, sentMs, parts: copies }, buffers);
      return (reply as Uint8Array[]).map((part) => Buffer.from(part.buffer));
    } catch (error) {
      return failedReply(error);
    } finally {
      thread.inFlight--;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { channel } of this.#threads) channel.ask({ kind: 'close' }).catch(() => {});
    await Promise.all(this.#threads.map(({ channel }) => channel.ended));
  }

  #choose(route: number): ShardThread {
    const chosen = this.#threads[route % this.#threads.length]!;
    if (chosen.inFlight === 0) return chosen;
    return this.#threads.find(({ inFlight }) => inFlight === 0) ?? chosen;
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
    return { channel, inFlight: 0 };
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
