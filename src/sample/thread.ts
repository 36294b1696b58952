/**
 * Runs the sample web in a thread, so that rendering does not slow down the crawler. Log lines are returned
 * as messages; the thread ends when the web is closed.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { GyreError, type LogFields, type LogLevel, UsageError } from '../base/mod.ts';
import type { SampleWeb, SampleWebOptions } from './sample-web.ts';

/** The `workerData` of the thread. */
export type ThreadOptions = Omit<SampleWebOptions, 'log'>;

type SampleWebFacts = Omit<SampleWeb, 'close'>;

export type ThreadMessage =
  | { kind: 'ready'; web: SampleWebFacts }
  | { kind: 'log'; level: LogLevel; event: string; fields: LogFields | undefined }
  | { kind: 'refused'; code: string; message: string };

export function startSampleWebThread(options: SampleWebOptions): Promise<SampleWeb> {
  const { log, ...workerData } = options;
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'log') log[message.level](message.event, message.fields);
      else if (message.kind === 'ready') resolve({ ...message.web, close: () => stop(worker) });
      else reject(new UsageError(message.code, message.message));
    });
    worker.on('error', (cause) => {
      log.error('sample web failed', { reason: cause instanceof Error ? cause.message : String(cause) });
      reject(new GyreError('sample-web-failed', 'the sample web thread failed', { cause }));
    });
  });
}

async function stop(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return;
  const exit = once(worker, 'exit');
  worker.postMessage('close');
  await exit;
}
