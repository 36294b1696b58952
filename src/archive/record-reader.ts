/**
 * Reads archived records in a thread that is watched, as the crawl reads answers: an extractor that never comes back, or
 * ends its thread, costs the page that it was at and no other.
 *
 *   read(record) -> thread: parse -> Meaning; `failed`, with the reason, for the record that a thread has died of
 *
 * After a death a new thread is given all that the old one had. If it was at no record, any of them may have been the
 * cause: one that was there three times has failed. Only threads that cannot begin, or die of nothing
 * again and again, end the work.
 */
import { deathReason, GyreError, type Log, type ThreadDeath, WatchedThread } from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import type { Meaning } from './archived-page.ts';
import type { WarcRecord } from './warc-parser.ts';

/** Far more than records take, whatever they are. */
const MAX_OLD_MB = 1024;
const MAX_UNEXPLAINED = 3;
const MAX_FRUITLESS = 6;

export interface RecordReaderOptions {
  /** The paths of modules with extractors. */
  extractors: readonly string[];
  /** For reading one record. */
  limitMs: number;
  log: Log;
}

export interface RecordRequest {
  id: number;
  url: CanonicalUrl;
  /** Its block has a buffer to itself. */
  record: Omit<WarcRecord, 'block'> & { block: Uint8Array };
}

export type RecordReply =
  | { kind: 'read'; id: number; meaning: Meaning }
  /** No thread can begin. */
  | { kind: 'broken'; message: string }
  | { kind: 'extractor'; name: string; url: string; message: string };

interface Pending {
  request: RecordRequest;
  unexplained: number;
  resolve(meaning: Meaning): void;
  reject(error: Error): void;
}

export class RecordReader {
  readonly #options: RecordReaderOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #complaints = new Set<string>();
  #thread: WatchedThread<RecordRequest, RecordReply>;
  #nextId = 0;
  #fruitless = 0;
  #broken: GyreError | null = null;

  constructor(options: RecordReaderOptions) {
    this.#options = options;
    this.#thread = this.#start();
  }

  read({ type, targetUri, date, fields, block }: WarcRecord, url: CanonicalUrl): Promise<Meaning> {
    if (this.#broken) return Promise.reject(this.#broken);
    const { promise, resolve, reject } = Promise.withResolvers<Meaning>();
    const id = this.#nextId++;
    const request = { id, url, record: { type, targetUri, date, fields, block: new Uint8Array(block) } };
    this.#pending.set(id, { request, unexplained: 0, resolve, reject });
    this.#thread.post(request);
    // Whoever asked may come for it later, or not at all.
    promise.catch(() => {});
    return promise;
  }

  close(): void {
    this.#thread.close();
  }

  #start(): WatchedThread<RecordRequest, RecordReply> {
    const { extractors, limitMs } = this.#options;
    return new WatchedThread({
      file: new URL('record-reader-thread.ts', import.meta.url),
      data: { extractors },
      limitMs,
      resourceLimits: { maxOldGenerationSizeMb: MAX_OLD_MB },
      isAwaited: () => this.#pending.size > 0,
      onReply: (reply) => this.#take(reply),
      onDeath: (death) => this.#replace(death),
    });
  }

  #take(reply: RecordReply): void {
    if (reply.kind === 'extractor') this.#complain(reply);
    else if (reply.kind === 'broken') this.#break(reply.message);
    else {
      this.#fruitless = 0;
      this.#settle(reply.id, reply.meaning);
    }
  }

  #settle(id: number, meaning: Meaning): void {
    this.#pending.get(id)?.resolve(meaning);
    this.#pending.delete(id);
  }

  #complain({ name, url, message }: Extract<RecordReply, { kind: 'extractor' }>): void {
    if (this.#complaints.has(name)) return;
    this.#complaints.add(name);
    this.#options.log.warn('extractor failed', { extractor: name, url, message });
  }

  #replace(death: ThreadDeath): void {
    const { message, piece } = death;
    const url = piece === null ? undefined : this.#pending.get(piece)?.request.url;
    this.#options.log.warn('thread that reads pages replaced', { url, message });
    // A death that has a cause settles a record, so it is no standstill.
    if (piece === null && ++this.#fruitless > MAX_FRUITLESS) this.#break(message);
    else this.#resend(death);
  }

  /** All that the last thread had, but for what it died of. */
  #resend(death: ThreadDeath): void {
    const { piece } = death;
    const failed: Meaning = { kind: 'failed', reason: deathReason(death, this.#options.limitMs) };
    for (const [id, pending] of this.#pending) {
      const isCause = piece === null ? ++pending.unexplained >= MAX_UNEXPLAINED : piece === id;
      if (isCause) this.#settle(id, failed);
    }
    this.#thread = this.#start();
    for (const { request } of this.#pending.values()) this.#thread.post(request);
  }

  #break(why: string): void {
    const error = new GyreError('reader-thread', `threads that read pages fail: ${why}`);
    this.#broken = error;
    this.#thread.close();
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
