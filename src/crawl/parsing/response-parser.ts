/**
 * Parses responses in worker threads, so that the crawl's own thread only fetches and decides.
 *
 *   response -> parse: text, sketch, digests -> Reading -> the crawl decides -> encode: WARC and journal bytes
 *
 * Until they are encoded or discarded, the body and the page as a journal line are in memory shared by all
 * threads. So little data is copied between threads, and a thread that dies loses nothing.
 *
 * `heldBytes` counts the bodies that are not encoded yet; the crawl sends no request while it is above its
 * limit. Bodies in the slow lane of the pool are not counted, because other hosts must not wait for them.
 * That lane has a queue limit of its own and refuses pages beyond it.
 */

import type { Capture, EncodedBatch, WarcCompression } from '../../archive/mod.ts';
import { deathReason, freeBytes, GyreError, type Lane, type Log, ParserPool } from '../../base/mod.ts';
import type { AliasRecord, GoneRecord, JournalFrame } from '../../journal/mod.ts';
import { logReadingNotes, type ReadingPlan } from '../../page/mod.ts';
import { originOf, type UrlRulesPlan } from '../../url/mod.ts';
import type { ContentOwner } from '../state/mod.ts';
import type { ClassifierData } from '../topics/mod.ts';
import { Arena, type HeldBytes, releaseBytes } from './arena.ts';
import type { FetchedResponse, Reading } from './read-response.ts';

const MIB = 1024 * 1024;
/**
 * Time after which a page is moved from the fast lane to the slow lane. Normal pages take less, even on a busy
 * machine.
 */
const FAST_LIMIT_MS = 1000;
/**
 * Limits of the queue of the slow lane: at most SLOW_PAGES pages, with at most SLOW_BODIES times `maxBodyBytes` in
 * total.
 */
const SLOW_PAGES = 32;
const SLOW_BODIES = 2;
/** Minimum number of responses that a thread encodes when the encoding of a commit is divided among threads. */
const MIN_PART = 32;

/** Options of a parser thread, in a form that can be sent to the thread. */
export interface ParserThreadOptions {
  urlRules: UrlRulesPlan;
  maxBodyBytes: number;
  reading: ReadingPlan;
  /** The topic of the crawl, if it has one. */
  topic?: ClassifierData | undefined;
}

interface ResponseParserOptions extends ParserThreadOptions {
  threads: number;
  /** Heap limit of each thread, without buffers; parsing fails for a page that needs more. */
  heapBytes: number;
  /** Time limit for parsing one page. */
  limitMs: number;
  log: Log;
}

/** Describes which archive and journal records are written for a parsed response. */
export interface EncodeOrder {
  /** The URL under which the archive already has the same body; null if the body is to be archived. */
  duplicateOf: ContentOwner | null;
  /**
   * The journal record of the response: the page as parsed, another record, or none (null). With `drop`, the archive
   * gets no record either.
   */
  record: 'page' | AliasRecord | GoneRecord | 'drop' | null;
}

/** A parsed response in shared memory, until the crawl decides what is recorded. */
export interface HeldResponse {
  readonly answer: FetchedResponse & { payload: HeldBytes };
  readonly payloadDigest: string;
  /** The page as a journal line; null if the response is not a page. */
  readonly line: HeldBytes | null;
}

export type ParsedResponse =
  /** The response was parsed. `parseMs` is processor time of the parser thread. */
  | { kind: 'parsed'; held: HeldResponse; reading: DecodedReading; parseMs: number }
  | { kind: 'unreadable'; reason: string; parseMs: number }
  /** The page crashed its parser thread or exceeded the time limit. */
  | { kind: 'died'; reason: string; parseMs: number }
  /**
   * The page was not parsed because too many slow pages are queued or its host is parked. A retry may succeed later.
   */
  | { kind: 'refused'; reason: string };

export type DecodedReading = Exclude<Reading, { kind: 'failed' }>;

/** Encoded archive and journal bytes. The owner frees them after they are written. */
export interface Written {
  archive: EncodedBatch & { bytes: Uint8Array<ArrayBuffer> };
  journal: (JournalFrame & { payload: Uint8Array<ArrayBuffer> })[];
}

export interface EncodeItem {
  capture: Capture;
  /** The journal record: a line in shared memory or a record object. */
  entry: Uint8Array | AliasRecord | GoneRecord | null;
}

export type ParserInput =
  | { kind: 'parse'; answer: FetchedResponse }
  | { kind: 'encode'; items: EncodeItem[]; compression: WarcCompression };

export type ParserOutput =
  | { kind: 'parsed'; reading: Reading; line: HeldBytes | null }
  | { kind: 'encoded'; written: Written };

export class ResponseParser {
  readonly #threads: number;
  readonly #pool: ParserPool<ParserInput, ParserOutput>;
  readonly #arena = new Arena();
  #heldBytes = 0;

  constructor({ threads, heapBytes, limitMs, log, ...data }: ResponseParserOptions) {
    const maxOldGenerationSizeMb = Math.ceil(heapBytes / MIB);
    this.#threads = threads;
    this.#pool = new ParserPool({
      file: new URL('./response-parser-thread.ts', import.meta.url),
      ...{ data, threads, limitMs, log },
      fastLimitMs: FAST_LIMIT_MS,
      maxWaiting: { slow: { tasks: SLOW_PAGES, bytes: SLOW_BODIES * data.maxBodyBytes } },
      resourceLimits: { maxOldGenerationSizeMb },
      onNote: logReadingNotes(log),
    });
    this.#pool.warm();
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Number of pages in the slow lane now. A page in this lane delays no other host than its own. */
  get slowCount(): number {
    return this.#pool.slowCount;
  }

  /**
   * Parses a response. Its payload must not be used afterwards. Calls `onSlow` if the page is moved to the slow lane.
   */
  async parse(response: FetchedResponse, lane: Lane, onSlow = () => {}): Promise<ParsedResponse> {
    const payload = this.#arena.hold(response.payload);
    freeWhole(response.payload);
    const answer = { ...response, payload };
    const sizeBytes = payload.length;
    let counted = lane === 'fast' ? sizeBytes : 0;
    this.#heldBytes += counted;
    const outcome = await this.#pool.run(
      { kind: 'parse', answer },
      {
        ...{ name: answer.url, group: originOf(answer.url), lane, sizeBytes },
        onSlow: () => {
          this.#heldBytes -= counted;
          counted = 0;
          onSlow();
        },
      },
    );
    this.#heldBytes -= counted;
    if (outcome.kind === 'done' && outcome.output.kind === 'parsed') {
      const { output, cpuMs: parseMs } = outcome;
      const { reading, line } = output;
      if (reading.kind !== 'failed') {
        this.#heldBytes += sizeBytes;
        const { payloadDigest } = reading;
        return { kind: 'parsed', held: { answer, payloadDigest, line }, reading, parseMs };
      }
      releaseBytes(payload);
      return { kind: 'unreadable', reason: reading.reason, parseMs };
    }
    releaseBytes(payload);
    return failureOf(outcome);
  }

  /** Encodes parsed responses as bytes to append to archive and journal. */
  async encode(
    verdicts: ReadonlyMap<HeldResponse, EncodeOrder>,
    compression: WarcCompression,
  ): Promise<Written[]> {
    const items = [...verdicts].flatMap(([held, verdict]) =>
      verdict.record === 'drop' ? [] : [itemOf(held, verdict)],
    );
    const size = Math.max(MIN_PART, Math.ceil(items.length / this.#threads));
    const parts: Promise<Written>[] = [];
    for (let at = 0; at < items.length; at += size)
      parts.push(this.#encodePart(items.slice(at, at + size), compression));
    const written = await Promise.all(parts);
    for (const held of verdicts.keys()) this.#discard(held);
    return written;
  }

  /** Drops the pages of a host that are queued for parsing. */
  abandonHost(origin: string): void {
    this.#pool.abandonGroup(origin);
  }

  /** Drops all pages that are queued or being parsed, even if their threads hang. Pages that are parsed are still written. */
  abandon(): void {
    this.#pool.abandon();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #encodePart(items: EncodeItem[], compression: WarcCompression): Promise<Written> {
    const name = `${items.length} responses for the archive`;
    const outcome = await this.#pool.run({ kind: 'encode', items, compression }, { name, isUrgent: true });
    if (outcome.kind === 'done' && outcome.output.kind === 'encoded') return outcome.output.written;
    const why = outcome.kind === 'failed' ? outcome.message : outcome.kind;
    throw new GyreError('encode', `cannot encode ${name}: ${why}`);
  }

  #discard({ answer, line }: HeldResponse): void {
    this.#heldBytes -= answer.payload.length;
    releaseBytes(answer.payload);
    if (line) releaseBytes(line);
  }
}

function failureOf(
  outcome: Awaited<ReturnType<ParserPool<ParserInput, ParserOutput>['run']>>,
): ParsedResponse {
  if (outcome.kind === 'died') {
    const { death, limitMs } = outcome;
    return { kind: 'died', reason: deathReason(death, limitMs), parseMs: limitMs };
  }
  if (outcome.kind === 'full') return { kind: 'refused', reason: 'too many slow pages wait to be parsed' };
  if (outcome.kind === 'failed')
    return { kind: 'unreadable', reason: `cannot be read: ${outcome.message}`, parseMs: 0 };
  return { kind: 'refused', reason: 'not parsed: its host is parked or the crawl stops' };
}

function itemOf(
  { answer, payloadDigest, line }: HeldResponse,
  { duplicateOf, record }: EncodeOrder,
): EncodeItem {
  // A capture that refers to an archived body has the digest of that body.
  const capture = { ...answer, payloadDigest: duplicateOf?.payloadDigest ?? payloadDigest, duplicateOf };
  return { capture, entry: record === 'page' ? line : (record as AliasRecord | GoneRecord | null) };
}

/** Frees bytes that fill their whole buffer. Other bytes may be part of a socket's buffer, which is still in use. */
function freeWhole(bytes: Uint8Array): void {
  const { buffer, length } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) freeBytes(new Uint8Array(buffer));
}
