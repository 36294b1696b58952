/**
 * Runs a stage of `gyre up` in a thread, so that crawling and indexing do not delay searches. A thread
 * receives plain data, reports by events, and ends cleanly when it is asked to stop.
 */
import { workerData } from 'node:worker_threads';
import { sendEvent, serveChannel, WorkerChannel } from '../../base/mod.ts';

type ThreadRequest = 'run' | 'stop';

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
  const channel = new WorkerChannel<ThreadRequest, void, Report>(file, { data: input, onEvent: onReport });
  const stop = () => {
    // The request fails if the thread has already ended; then there is nothing to stop.
    channel.ask('stop').catch(() => {});
  };
  const run = async () => {
    try {
      await channel.ask('run');
    } finally {
      await channel.ended;
    }
  };
  return { stop, ended: run() };
}

/** Runs inside the thread: calls `work` with the thread's input and a signal that aborts on stop. */
export function runThread<Input, Report>(
  work: (input: Input, report: (report: Report) => void, signal: AbortSignal) => Promise<void>,
): void {
  const stop = new AbortController();
  serveChannel<ThreadRequest, void>({
    handle: async (request) => {
      if (request === 'stop') stop.abort();
      else await work(workerData as Input, sendEvent, stop.signal);
    },
    isLast: (request) => request === 'run',
  });
}
