/**
 * Runs a stage of `gyre up` in a thread, so that crawling and indexing do not delay searches. A thread
 * receives plain data, reports by messages, and ends cleanly when it receives a stop message. It sends an
 * error as its last message, as plain data, because class instances cannot be sent between threads.
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { GyreError, UsageError } from '../../base/mod.ts';
import { type Failure, failureOf } from '../failure.ts';

type Envelope<Report> = { kind: 'report'; report: Report } | ({ kind: 'failed' } & Failure);

export interface Thread {
  stop(): void;
  /** Resolves when the thread has ended; rejects with its error. */
  ended: Promise<void>;
}

export function startThread<Input, Report>(
  file: URL,
  input: Input,
  onReport: (report: Report) => void,
): Thread {
  const worker = new Worker(file, { workerData: input });
  let failure: Error | null = null;
  worker.on('message', (envelope: Envelope<Report>) => {
    if (envelope.kind === 'report') onReport(envelope.report);
    else failure = new (envelope.usage ? UsageError : GyreError)(envelope.code, envelope.message);
  });
  const ended = once(worker, 'exit').then(() => {
    if (failure) throw failure;
  });
  return { stop: () => worker.postMessage('stop'), ended };
}

/** Runs inside the thread: calls `work` with the thread's input and a signal that aborts on stop. */
export async function runThread<Input, Report>(
  work: (input: Input, report: (report: Report) => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (isMainThread || !parentPort) throw new Error('this file is a thread of gyre up');
  const port = parentPort;
  const stop = new AbortController();
  port.on('message', () => stop.abort());
  const post = (envelope: Envelope<Report>) => port.postMessage(envelope);
  try {
    await work(workerData as Input, (report) => post({ kind: 'report', report }), stop.signal);
  } catch (error) {
    post({ kind: 'failed', ...failureOf(error) });
  }
  port.close();
}
