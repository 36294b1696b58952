/**
 * Runs merges in this thread or in a thread of their own. A merge only reads and writes files, so in another
 * thread it delays neither the indexing of new pages nor searches.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Directory, GyreError } from '../base/mod.ts';
import { type MergeOutcome, type MergePlan, runMerge } from '../index/mod.ts';
import { orderKey } from './order.ts';

export type MergeRunner = (index: Directory, plan: MergePlan, signal?: AbortSignal) => Promise<MergeOutcome>;

export const mergeHere: MergeRunner = (index, plan, signal) => runMerge(index, plan, orderKey, signal);

/** The input of the thread, and the message that it sends at its end. */
export interface MergeThreadInput {
  path: string;
  plan: MergePlan;
}

export type MergeAnswer =
  | { kind: 'done'; outcome: MergeOutcome }
  | { kind: 'failed'; code: string; message: string };

/**
 * Runs each merge in a thread whose heap may grow to `memoryBytes`. A merge that needs more fails, and the
 * segments stay as they are.
 */
export function mergeInThread(memoryBytes: number): MergeRunner {
  return async (index, plan, signal) => {
    const workerData: MergeThreadInput = { path: index.path, plan };
    const resourceLimits = { maxOldGenerationSizeMb: Math.ceil(memoryBytes / (1024 * 1024)) };
    const worker = new Worker(new URL('./merge-thread.ts', import.meta.url), { workerData, resourceLimits });
    const stop = () => void worker.terminate();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const answer = await answerOf(worker);
      signal?.throwIfAborted();
      if (answer.kind === 'done') return answer.outcome;
      throw new GyreError(answer.code, answer.message);
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };
}

/** Waits for the exit of the thread too, so that its files are closed. */
async function answerOf(worker: Worker): Promise<MergeAnswer> {
  let answer: MergeAnswer = {
    kind: 'failed',
    code: 'merge-ended',
    message: 'the merge thread exited early',
  };
  worker.on('message', (message: MergeAnswer) => {
    answer = message;
  });
  await once(worker, 'exit');
  return answer;
}
