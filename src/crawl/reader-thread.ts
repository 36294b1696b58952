/**
 * The thread behind `readers.ts`: reads answers, holds them until it is told what becomes of each, and then
 * encodes them for the archive and the journal.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type Capture, encodeBatch, encodeFrames, encodePage, encodeRecord } from '../archive/mod.ts';
import { ByteWriter, freeBytes, messageOf } from '../base/mod.ts';
import { loadExtractors } from '../page/mod.ts';
import { rulesOfPlan } from '../url/mod.ts';
import { type HeldLine, LineArena } from './line-arena.ts';
import type {
  HeldAnswer,
  ReaderOptions,
  ReaderReply,
  ReaderRequest,
  Verdict,
  Written,
} from './reader-messages.ts';
import { type Answer, type Reading, readAnswer } from './reading.ts';

const port = parentPort;
if (!port) throw new Error('this file is a thread of the crawl');

/** The bodies that came together; freed when nothing of them is needed. */
interface Batch {
  payloads: Uint8Array<ArrayBuffer>;
  /** How many of its answers are held. */
  held: number;
}

/** What is held is bytes wherever it can be: a page as objects would be moved about by every garbage collection. */
interface Held {
  answer: Answer;
  batch: Batch;
  payloadDigest: string;
  /** The page as a line of the journal. */
  page: HeldLine | null;
}

const { urlRules: plan, maxBodyBytes, extractors: paths } = workerData as ReaderOptions;
const extractors = await loadExtractors(paths);
const options = { urlRules: rulesOfPlan(plan), maxBodyBytes, extractors };
const held = new Map<number, Held>();
const arena = new LineArena();
const output = new ByteWriter(1024 * 1024);

port.on('message', (request: ReaderRequest) => {
  const reply = (message: ReaderReply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  try {
    if (request.kind === 'read') {
      reply({ kind: 'read', readings: readAll(request.answers, request.payloads) });
    } else {
      const written = write(request.verdicts, request.compression);
      reply({ kind: 'written', written }, [
        written.archive.bytes.buffer,
        ...written.journal.map(({ payload }) => payload.buffer),
      ]);
    }
  } catch (error) {
    reply({ kind: 'failed', message: messageOf(error) });
  }
});

function readAll(answers: readonly HeldAnswer[], payloads: Uint8Array<ArrayBuffer>): Reading[] {
  const batch = { payloads, held: 0 };
  let at = 0;
  const readings = answers.map(({ id, payloadEnd, ...rest }) => {
    const answer = { ...rest, payload: payloads.subarray(at, payloadEnd) };
    at = payloadEnd;
    const { reading, page } = readAnswer(answer, options);
    if (reading.kind === 'failed') return reading;
    const { digest, payloadDigest } = reading;
    const { url, fetchedAt } = answer;
    const line = page && arena.hold(...encodePage({ kind: 'page', url, fetchedAt, digest, page }));
    held.set(id, { answer, batch, payloadDigest, page: line });
    batch.held++;
    return reading;
  });
  if (batch.held === 0) freeBytes(payloads);
  return readings;
}

function write(verdicts: readonly Verdict[], compression: 'gzip' | 'zstd'): Written {
  const captures: Capture[] = [];
  const lines: Uint8Array[] = [];
  const settled: Held[] = [];
  for (const { id, duplicateOf, record } of verdicts) {
    const each = held.get(id)!;
    held.delete(id);
    settled.push(each);
    if (record === 'drop') continue;
    const { answer, payloadDigest, page } = each;
    // A capture without a body of its own is known by the body that it refers to.
    captures.push({ ...answer, payloadDigest: duplicateOf?.payloadDigest ?? payloadDigest, duplicateOf });
    if (record === 'page') lines.push(page!.bytes);
    else if (record) lines.push(Buffer.from(encodeRecord(record)));
  }
  const { bytes, entries } = encodeBatch(captures, compression, output);
  // The bytes lie in a buffer that the next batch uses again.
  const archive = { bytes: new Uint8Array(bytes), entries };
  const journal = Array.from(encodeFrames(lines), ({ payload, records }) => ({
    payload: new Uint8Array(payload),
    records,
  }));
  for (const each of settled) release(each);
  return { archive, journal };
}

function release({ page, batch }: Held): void {
  if (page) arena.release(page);
  if (--batch.held === 0) freeBytes(batch.payloads);
}
