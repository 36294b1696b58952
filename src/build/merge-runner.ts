/**
 * Runs merges in the current thread or in a separate thread. A merge only reads and writes files, so in a
 * separate thread it delays neither indexing nor searches.
 */
import { type Directory, WorkerChannel } from '../base/mod.ts';
import { type MergeOutcome, type MergePlan, runMerge } from '../index/mod.ts';
import { lexiconMerger } from './lexicons/mod.ts';
import { orderKey } from './order.ts';

export type MergeRunner = (index: Directory, plan: MergePlan, signal?: AbortSignal) => Promise<MergeOutcome>;

export const mergeHere: MergeRunner = (index, plan, signal) =>
  runMerge(index, plan, orderKey, signal, lexiconMerger(index));

/** The message that asks the merge thread to run a merge. */
export interface MergeRequest {
  path: string;
  plan: MergePlan;
}

/**
 * Returns a runner that starts a thread for each merge. The heap of the thread is limited to `memoryBytes`. If
 * a merge needs more, it fails and the segments stay as they are.
 */
export function mergeInThread(memoryBytes: number): MergeRunner {
  return async (index, plan, signal) => {
    const thread = new WorkerChannel<MergeRequest, MergeOutcome>(
      new URL('./merge-thread.ts', import.meta.url),
      { resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryBytes / (1024 * 1024)) } },
    );
    const stop = () => void thread.close();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await thread.ask({ path: index.path, plan });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      // Waits for the end of the thread, because the files of the merge are closed only then.
      await thread.close();
    }
  };
}
