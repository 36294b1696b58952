/**
 * Threads that read answers, so that the crawl's own thread is left to fetching and deciding.
 *
 *   answer -> read: parse, sketch, digests -> Reading -> the crawl decides -> write: WARC and journal bytes
 *
 * An answer's body goes to a thread once and stays there until its verdict comes: what travels back is
 * little. A thread gets one batch of answers at a time, of what has gathered while it was busy, so that the
 * cost of a message is shared when there is much to do and nobody waits when there is not.
 *
 * `heldBytes` is what the threads have of bodies that are not written yet: the crawl sends no request while
 * it is above its limit. A thread that ends before it is closed is a bug or a lack of memory; what waits for
 * it is rejected, the crawl ends, and the next start repeats what was not committed.
 */
import { Worker } from 'node:worker_threads';
import type { WarcCompression } from '../archive/mod.ts';
import { GyreError } from '../base/mod.ts';
import type {
  HeldAnswer,
  ReaderOptions,
  ReaderReply,
  ReaderRequest,
  Verdict,
  Written,
} from './reader-messages.ts';
import type { Answer, Reading } from './reading.ts';

const BATCH_ANSWERS = 16;
const BATCH_BYTES = 1024 * 1024;
/** What a thread makes for a page it soon forgets; room for more than a few pages is never used well. */
const YOUNG_MB = 24;

/** Where an answer is held: give it back with a verdict. */
export interface Ticket {
  readonly thread: ReaderThread;
  readonly id: number;
  readonly sizeBytes: number;
}

export interface TicketedReading {
  ticket: Ticket;
  reading: Reading;
}

export class Readers {
  readonly #threads: ReaderThread[];

  constructor(options: ReaderOptions & { threads: number }) {
    const { threads, ...rest } = options;
    this.#threads = Array.from({ length: threads }, () => new ReaderThread(rest));
  }

  get heldBytes(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.heldBytes, 0);
  }

  /** Has it read by the thread that holds the least. */
  read(answer: Answer): Promise<TicketedReading> {
    return this.#threads
      .reduce((least, each) => (each.heldBytes < least.heldBytes ? each : least))
      .read(answer);
  }

  /** What is to be appended to archive and journal. */
  write(
    verdicts: ReadonlyMap<Ticket, Omit<Verdict, 'id'>>,
    compression: WarcCompression,
  ): Promise<Written[]> {
    const byThread = Map.groupBy(verdicts, ([ticket]) => ticket.thread);
    return Promise.all([...byThread].map(([thread, entries]) => thread.write(entries, compression)));
  }

  close(): void {
    for (const thread of this.#threads) thread.close();
  }
}

interface Waiting {
  answer: Answer;
  ticket: Ticket;
  resolve(result: TicketedReading): void;
  reject(error: Error): void;
}

export class ReaderThread {
  readonly #worker: Worker;
  readonly #writes: PromiseWithResolvers<Written>[] = [];
  #waiting: Waiting[] = [];
  #reading: Waiting[] = [];
  #nextId = 0;
  #broken: GyreError | null = null;
  #heldBytes = 0;

  constructor(options: ReaderOptions) {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    this.#worker = new Worker(new URL('reader-thread.ts', import.meta.url), {
      workerData: options,
      resourceLimits,
    });
    this.#worker.on('message', (reply: ReaderReply) => this.#take(reply));
    this.#worker.on('error', (error) => this.#break(String(error)));
    this.#worker.on('exit', () => this.#break('it has ended'));
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  read(answer: Answer): Promise<TicketedReading> {
    const { promise, resolve, reject } = Promise.withResolvers<TicketedReading>();
    const ticket = { thread: this, id: this.#nextId++, sizeBytes: answer.payload.length };
    this.#heldBytes += ticket.sizeBytes;
    this.#waiting.push({ answer, ticket, resolve, reject });
    if (this.#broken) this.#break('');
    else if (this.#reading.length === 0) this.#sendBatch();
    return promise;
  }

  write(entries: readonly [Ticket, Omit<Verdict, 'id'>][], compression: WarcCompression): Promise<Written> {
    const written = Promise.withResolvers<Written>();
    this.#writes.push(written);
    for (const [ticket] of entries) this.#heldBytes -= ticket.sizeBytes;
    const verdicts = entries.map(([{ id }, verdict]) => ({ ...verdict, id }));
    if (this.#broken) this.#break('');
    else this.#send({ kind: 'write', verdicts, compression });
    return written.promise;
  }

  close(): void {
    this.#worker.removeAllListeners('exit');
    void this.#worker.terminate();
  }

  #sendBatch(): void {
    let sizeBytes = 0;
    let count = 0;
    while (count < this.#waiting.length && count < BATCH_ANSWERS && sizeBytes < BATCH_BYTES) {
      sizeBytes += this.#waiting[count++]!.ticket.sizeBytes;
    }
    if (count === 0) return;
    this.#reading = this.#waiting.splice(0, count);
    this.#send(packed(this.#reading, sizeBytes));
  }

  #send(request: ReaderRequest): void {
    const transfer = request.kind === 'read' ? [request.payloads.buffer] : [];
    this.#worker.postMessage(request, transfer);
  }

  #take(reply: ReaderReply): void {
    if (reply.kind === 'failed') this.#break(reply.message);
    else if (reply.kind === 'written') this.#writes.shift()!.resolve(reply.written);
    else this.#takeReadings(reply.readings);
  }

  #takeReadings(readings: readonly Reading[]): void {
    const batch = this.#reading;
    this.#reading = [];
    this.#sendBatch();
    for (const [at, { ticket, resolve }] of batch.entries()) {
      const reading = readings[at]!;
      if (reading.kind === 'failed') this.#heldBytes -= ticket.sizeBytes;
      resolve({ ticket, reading });
    }
  }

  #break(why: string): void {
    this.#broken ??= new GyreError('reader-thread', `a thread that reads pages failed: ${why}`);
    for (const each of [...this.#reading, ...this.#waiting, ...this.#writes]) each.reject(this.#broken);
    this.#reading = [];
    this.#waiting = [];
    this.#writes.length = 0;
  }
}

/** Payloads are often small parts of large buffers, which a message would copy whole: they are gathered first. */
function packed(batch: readonly Waiting[], sizeBytes: number): ReaderRequest {
  // Not of Node's pool, whose memory cannot be handed over.
  const payloads = Buffer.allocUnsafeSlow(sizeBytes);
  let at = 0;
  const answers: HeldAnswer[] = batch.map(({ answer: { payload, ...rest }, ticket }) => {
    payloads.set(payload, at);
    at += payload.length;
    return { ...rest, id: ticket.id, payloadEnd: at };
  });
  return { kind: 'read', answers, payloads };
}
