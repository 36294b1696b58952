/**
 * Threads that read answers, so that the crawl's own thread is left to fetching and deciding.
 *
 *   answer -> read: parse, sketch, digests -> Reading -> the crawl decides -> write: WARC and journal bytes
 *
 * An answer's body is put into memory that the thread sees, and stays there until its verdict comes: what
 * travels back is little. A thread gets one batch of answers at a time, of what has gathered while it was
 * busy, so that the cost of a message is shared when there is much to do and nobody waits when there is not.
 *
 * `heldBytes` is what the threads have of bodies that are not written yet: the crawl sends no request while
 * it is above its limit.
 *
 * A thread that dies, or is stuck with a page for longer than the limit, is replaced. The page that it was
 * at has failed; all others that it had are read again by the new one. If it was at no page, each may have
 * been the cause: what has been in three such threads is read without extractors. Only threads that die
 * before they have done anything end the crawl.
 */
import type { WarcCompression } from '../archive/mod.ts';
import { deathReason, freeBytes, GyreError, type Log, type ThreadDeath, WatchedThread } from '../base/mod.ts';
import { Arena, type HeldPiece } from './arena.ts';
import type { ReaderOptions, ReaderReply, ReaderRequest, Verdict, Written } from './reader-messages.ts';
import type { Answer, Reading } from './reading.ts';

const BATCH_ANSWERS = 16;
const BATCH_BYTES = 1024 * 1024;
/** What a thread makes for a page it soon forgets; room for more than a few pages is never used well. */
const YOUNG_MB = 12;
/** Far more than pages take, whatever they are. */
const MIN_OLD_MB = 512;
const OLD_PER_BODY = 48;
const MIB = 1024 * 1024;
/** Deaths of no page in particular, after which those that were there are read without extractors. */
const MAX_UNEXPLAINED = 3;
/** Deaths in a row without any reply. */
const MAX_FRUITLESS = 6;

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

export interface ReadersOptions extends ReaderOptions {
  threads: number;
  /** For reading one page. */
  limitMs: number;
  log: Log;
}

export class Readers {
  readonly #threads: ReaderThread[];

  constructor({ threads, ...options }: ReadersOptions) {
    this.#threads = Array.from({ length: threads }, () => new ReaderThread(options));
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

/** An answer from when it comes until it is written. */
interface Held {
  answer: Answer;
  /** Its payload. */
  piece: HeldPiece;
  ticket: Ticket;
  plain: boolean;
  unexplained: number;
  /** Null when it has been called. */
  resolve: ((result: TicketedReading) => void) | null;
  reject(error: Error): void;
}

/** Bytes that have a buffer to themselves; others may be a part of what a socket received. */
function freeWhole(bytes: Uint8Array): void {
  const { buffer, length } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) freeBytes(new Uint8Array(buffer));
}

/** What a thread owes us; it replies in this order. */
type Sent =
  | { kind: 'read'; batch: Held[] }
  | { kind: 'write'; request: ReaderRequest; tickets: Ticket[]; written: PromiseWithResolvers<Written> };

export class ReaderThread {
  readonly #options: Omit<ReadersOptions, 'threads'>;
  readonly #held = new Map<number, Held>();
  readonly #arena = new Arena({ isShared: true });
  readonly #complaints = new Set<string>();
  #thread: WatchedThread<ReaderRequest, ReaderReply>;
  #sent: Sent[] = [];
  #waiting: Held[] = [];
  #nextId = 0;
  #fruitless = 0;
  #broken: GyreError | null = null;
  #heldBytes = 0;

  constructor(options: Omit<ReadersOptions, 'threads'>) {
    this.#options = options;
    this.#thread = this.#start();
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The payload is not to be used any more. */
  read(answer: Answer): Promise<TicketedReading> {
    const { promise, resolve, reject } = Promise.withResolvers<TicketedReading>();
    const ticket = { thread: this, id: this.#nextId++, sizeBytes: answer.payload.length };
    this.#heldBytes += ticket.sizeBytes;
    const piece = this.#arena.hold(answer.payload);
    const copy = { ...answer, payload: piece.bytes };
    freeWhole(answer.payload);
    this.#waiting.push({ answer: copy, piece, ticket, plain: false, unexplained: 0, resolve, reject });
    if (this.#broken) this.#break(this.#broken);
    else this.#sendBatch();
    return promise;
  }

  write(entries: readonly [Ticket, Omit<Verdict, 'id'>][], compression: WarcCompression): Promise<Written> {
    const written = Promise.withResolvers<Written>();
    const tickets = entries.map(([ticket]) => ticket);
    for (const { sizeBytes } of tickets) this.#heldBytes -= sizeBytes;
    const verdicts = entries.map(([{ id }, verdict]) => ({ ...verdict, id }));
    const request = { kind: 'write' as const, verdicts, compression };
    this.#sent.push({ kind: 'write', request, tickets, written });
    if (this.#broken) this.#break(this.#broken);
    else this.#thread.post(request);
    return written.promise;
  }

  close(): void {
    this.#thread.close();
  }

  #start(): WatchedThread<ReaderRequest, ReaderReply> {
    const { limitMs, log: _, ...data } = this.#options;
    const maxOldGenerationSizeMb = Math.max(MIN_OLD_MB, (OLD_PER_BODY * data.maxBodyBytes) / MIB);
    return new WatchedThread({
      file: new URL('reader-thread.ts', import.meta.url),
      data,
      limitMs,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb },
      isAwaited: () => this.#sent.length > 0,
      onReply: (reply) => this.#take(reply),
      onDeath: (death) => this.#replace(death),
    });
  }

  #sendBatch(): void {
    if (this.#sent.some(({ kind }) => kind === 'read')) return;
    const count = batchLength(this.#waiting);
    if (count > 0) this.#send(this.#waiting.splice(0, count));
  }

  #send(batch: Held[]): void {
    for (const each of batch) this.#held.set(each.ticket.id, each);
    this.#sent.push({ kind: 'read', batch });
    const answers = batch.map(({ answer, ticket: { id }, plain }) => ({ ...answer, id, plain }));
    this.#thread.post({ kind: 'read', answers });
  }

  #take(reply: ReaderReply): void {
    if (reply.kind === 'extractor') this.#complain(reply);
    else if (reply.kind === 'failed') this.#break(readerError(reply.message));
    else this.#settle(this.#sent.shift()!, reply);
  }

  #settle(sent: Sent, reply: Extract<ReaderReply, { kind: 'read' | 'written' }>): void {
    this.#fruitless = 0;
    if (sent.kind === 'read' && reply.kind === 'read') this.#takeReadings(sent.batch, reply.readings);
    else if (sent.kind === 'write' && reply.kind === 'written') {
      for (const ticket of sent.tickets) this.#forget(ticket);
      sent.written.resolve(reply.written);
    }
  }

  #takeReadings(batch: readonly Held[], readings: readonly Reading[]): void {
    this.#sendBatch();
    for (const [at, held] of batch.entries()) this.#deliver(held, readings[at]!);
  }

  /** Once: of what is read again after a death, the first reading holds. */
  #deliver(held: Held, reading: Reading): void {
    const { ticket, resolve } = held;
    if (!resolve) return;
    held.resolve = null;
    if (reading.kind === 'failed') {
      this.#forget(ticket);
      this.#heldBytes -= ticket.sizeBytes;
    }
    resolve({ ticket, reading });
  }

  #forget({ id }: Ticket): void {
    this.#arena.release(this.#held.get(id)!.piece);
    this.#held.delete(id);
  }

  #complain({ name, url, message }: Extract<ReaderReply, { kind: 'extractor' }>): void {
    if (this.#complaints.has(name)) return;
    this.#complaints.add(name);
    this.#options.log.warn('extractor failed', { extractor: name, url, message });
  }

  #replace(death: ThreadDeath): void {
    const culprit = death.piece === null ? undefined : this.#held.get(death.piece);
    const { message } = death;
    this.#options.log.warn('thread that reads pages replaced', { url: culprit?.answer.url, message });
    const isHopeless = culprit?.plain && !culprit.resolve;
    if (++this.#fruitless > MAX_FRUITLESS || isHopeless) this.#break(readerError(message));
    else this.#resend(death, culprit);
  }

  /** All that the last thread had, in an order in which it is there when it is to be written. */
  #resend(death: ThreadDeath, culprit: Held | undefined): void {
    if (culprit?.resolve)
      this.#deliver(culprit, { kind: 'failed', reason: deathReason(death, this.#options.limitMs) });
    else if (culprit) culprit.plain = true;
    else for (const held of this.#held.values()) held.plain = ++held.unexplained >= MAX_UNEXPLAINED;
    const writes = this.#sent.filter((sent) => sent.kind === 'write');
    this.#sent = [];
    this.#thread = this.#start();
    for (let rest = [...this.#held.values()]; rest.length > 0; ) {
      this.#send(rest.splice(0, batchLength(rest)));
    }
    for (const write of writes) {
      this.#sent.push(write);
      this.#thread.post(write.request);
    }
    this.#sendBatch();
  }

  #break(error: GyreError): void {
    this.#broken = error;
    this.#thread.close();
    for (const each of [...this.#held.values(), ...this.#waiting]) each.reject(error);
    for (const sent of this.#sent) if (sent.kind === 'write') sent.written.reject(error);
    this.#held.clear();
    this.#waiting = [];
    this.#sent = [];
  }
}

function readerError(why: string): GyreError {
  return new GyreError('reader-thread', `threads that read pages fail: ${why}`);
}

function batchLength(waiting: readonly Held[]): number {
  let sizeBytes = 0;
  let count = 0;
  while (count < waiting.length && count < BATCH_ANSWERS && sizeBytes < BATCH_BYTES) {
    sizeBytes += waiting[count++]!.ticket.sizeBytes;
  }
  return count;
}
