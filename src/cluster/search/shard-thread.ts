/**
 * A thread of a search node, with a reader of each shard that the node has open. Requests run one after the other, like
 * those of a search thread.
 */
import { workerData } from 'node:worker_threads';
import { directoryAt, type Log, messageOf, sendEvent, serveChannel, systemClock } from '../../base/mod.ts';
import { type FamilyLevel, IndexReader } from '../../index/mod.ts';
import { LocalShard, type ShardState, WarmUp } from '../../query/mod.ts';
import { readDomainLists } from '../../url/mod.ts';
import { type RequestHead, ShardResponder } from './shard-responder.ts';

export interface ShardThreadInput {
  /** The memory limit of the postings of each shard, in bytes. */
  cacheBytes: number;
  familyLevel: FamilyLevel;
  /** The files with lists of domains for the family filter. */
  familyLists: readonly string[];
}

export type ToShardThread =
  /**
   * Opens a shard, or switches to its newest manifest. `isNew` is true if the files of the shard were replaced,
   * so that all of them must be opened again.
   */
  | { kind: 'open'; shard: string; path: string; isNew: boolean }
  | { kind: 'drop'; shard: string }
  /**
   * Calls that arrived at the same moment. The parts of each are numbers of `parts`. `sentMs` is the time at which they
   * were handed to the thread.
   */
  | {
      kind: 'calls';
      calls: { head: RequestHead; parts: number[] }[];
      parts: Uint8Array[];
      sentMs: number;
    }
  | { kind: 'close' };

/** The reply to calls has the parts of the reply to each. */
export type ShardThreadReply = ShardState | Uint8Array<ArrayBuffer>[][] | null;

export type ShardThreadEvent =
  /** A reader has found a damaged file. */
  | { kind: 'damaged'; shard: string }
  | { kind: 'warning'; message: string; fields: Parameters<Log['warn']>[1] };

const { cacheBytes, familyLevel, familyLists } = workerData as ShardThreadInput;
const family = { level: familyLevel, isListed: readDomainLists(familyLists) };
const log: Log = {
  debug: () => {},
  info: () => {},
  warn: (message, fields) => tell({ kind: 'warning', message, fields }),
  error: (message, fields) => tell({ kind: 'warning', message, fields }),
};
/** The duration of the warm-up in milliseconds. */
const WARM_UP_MS = 1000;
const shards = new Map<string, LocalShard>();
let isWarm = false;
const damaged = new Set<string>();
const responder = new ShardResponder((name) => shards.get(name));

serveChannel<ToShardThread, ShardThreadReply>({
  handle: async (request) => {
    switch (request.kind) {
      case 'open':
        return open(request.shard, request.path, request.isNew);
      case 'calls':
        return call(request);
      case 'drop':
        drop(request.shard);
        return null;
      case 'close':
        for (const name of [...shards.keys()]) drop(name);
        return null;
    }
  },
  transferOf: (reply) => (Array.isArray(reply) ? reply.flat().map(({ buffer }) => buffer) : []),
  isLast: ({ kind }) => kind === 'close',
});

/** Opens a shard, or switches to its newest manifest. */
async function open(name: string, path: string, isNew: boolean): Promise<ShardState> {
  if (isNew) drop(name);
  const known = shards.get(name);
  if (known) {
    known.refresh();
    return known.state;
  }
  const index = new IndexReader(directoryAt(path), log, { verifiesLater: true, family });
  const shard = new LocalShard(index, { cacheBytes });
  shards.set(name, shard);
  await warmUp(shard);
  return shard.state;
}

/**
 * Runs queries, so that their code is compiled before the first query arrives. One shard per thread is enough
 * for this.
 */
async function warmUp(shard: LocalShard): Promise<void> {
  const endsAt = performance.now() + WARM_UP_MS;
  try {
    if (!isWarm) await new WarmUp(shard, { clock: systemClock }).run(() => performance.now() > endsAt);
    isWarm ||= shard.state.docCount > 0;
  } catch (error) {
    log.warn('warm-up failed', { reason: messageOf(error) });
  }
}

async function call({
  calls,
  parts,
  sentMs,
}: Extract<ToShardThread, { kind: 'calls' }>): Promise<Uint8Array<ArrayBuffer>[][]> {
  const buffers = parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength));
  const replies: Buffer[][] = [];
  for (const { head, parts: numbers } of calls) {
    const own = numbers.map((number) => buffers[number]!);
    replies.push(await responder.respond(head, own, Date.now() - sentMs));
    if (!shards.get(head.shard)?.state.isDamaged || damaged.has(head.shard)) continue;
    damaged.add(head.shard);
    tell({ kind: 'damaged', shard: head.shard });
  }
  return replies as Buffer<ArrayBuffer>[][];
}

function drop(name: string): void {
  shards.get(name)?.close();
  shards.delete(name);
  damaged.delete(name);
}

function tell(event: ShardThreadEvent): void {
  sendEvent(event);
}
