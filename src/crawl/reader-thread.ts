/**
 * The thread behind `readers.ts`: reads answers, holds them until it is told what becomes of each, and then
 * encodes them for the archive and the journal.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type Capture, encodeBatch, encodeFrames, encodePage, encodeRecord } from '../archive/mod.ts';
import { BusyCell, ByteWriter, messageOf } from '../base/mod.ts';
import { loadExtractors } from '../page/mod.ts';
import { rulesOfPlan } from '../url/mod.ts';
import { Arena, type HeldPiece } from './arena.ts';
import type {
  HeldAnswer,
  ReaderOptions,
  ReaderReply,
  ReaderRequest,
  Verdict,
  Written,
} from './reader-messages.ts';
import { type Answer, type Read, type Reading, readAnswer } from './reading.ts';

const port = parentPort;
if (!port) throw new Error('this file is a thread of the crawl');

/** What is held is bytes wherever it can be: a page as objects would be moved about by every garbage collection. */
interface Held {
  answer: Answer;
  payloadDigest: string;
  /** The page as a line of the journal. */
  page: HeldPiece | null;
}

const { urlRules: plan, maxBodyBytes, extractors: paths } = workerData as ReaderOptions;
const extractors = await loadExtractors(paths);
const plainOptions = { urlRules: rulesOfPlan(plan), maxBodyBytes };
const busy = new BusyCell(workerData);
const held = new Map<number, Held>();
const arena = new Arena();
const output = new ByteWriter(1024 * 1024);

port.on('message', (request: ReaderRequest) => {
  const reply = (message: ReaderReply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  try {
    if (request.kind === 'read') {
      reply({ kind: 'read', readings: readAll(request.answers) });
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

function readAll(answers: readonly HeldAnswer[]): Reading[] {
  return answers.map(({ id, plain, ...answer }) => {
    const { reading, page } = busy.during(id, () => read(answer, plain));
    if (reading.kind === 'failed') return reading;
    const { digest, payloadDigest } = reading;
    const { url, fetchedAt } = answer;
    const line = page && arena.hold(...encodePage({ kind: 'page', url, fetchedAt, digest, page }));
    held.set(id, { answer, payloadDigest, page: line });
    return reading;
  });
}

/** A bug in reading costs the page that met it, and no other. */
function read(answer: Answer, plain: boolean): Read {
  const { url } = answer;
  const report = (name: string, error: unknown) =>
    port!.postMessage({ kind: 'extractor', name, url, message: messageOf(error) } satisfies ReaderReply);
  try {
    return readAnswer(answer, plain ? plainOptions : { ...plainOptions, extractors, report });
  } catch (error) {
    return { reading: { kind: 'failed', reason: `cannot be read: ${messageOf(error)}` }, page: null };
  }
}

function write(verdicts: readonly Verdict[], compression: 'gzip' | 'zstd'): Written {
  const captures: Capture[] = [];
  const lines: Uint8Array[] = [];
  const pages: HeldPiece[] = [];
  for (const { id, duplicateOf, record } of verdicts) {
    const { answer, payloadDigest, page } = held.get(id)!;
    held.delete(id);
    if (page) pages.push(page);
    if (record === 'drop') continue;
    // A capture without a body of its own is known by the body that it refers to.
    captures.push({ ...answer, payloadDigest: duplicateOf?.payloadDigest ?? payloadDigest, duplicateOf });
    // A page that only an extractor could read may be none when it was read again after a death, without it.
    if (record === 'page') lines.push(...(page ? [page.bytes] : []));
    else if (record) lines.push(Buffer.from(encodeRecord(record)));
  }
  const { bytes, entries } = encodeBatch(captures, compression, output);
  // The bytes lie in a buffer that the next batch uses again.
  const archive = { bytes: new Uint8Array(bytes), entries };
  const journal = Array.from(encodeFrames(lines), ({ payload, records }) => ({
    payload: new Uint8Array(payload),
    records,
  }));
  for (const page of pages) arena.release(page);
  return { archive, journal };
}
