/**
 * Loads the model that turns texts into vectors once for all threads of a process. Its weights are in shared memory: a
 * thread that uses the model adds only its tokenizer and the memory for intermediate results.
 *
 *   main: loadSharedModel -> model thread: loads or packs the weights, ends -> main -> search threads, meaning thread
 */
import { join } from 'node:path';
import { type Log, messageOf, WorkerChannel } from '../../base/mod.ts';
import type { LoadedModel } from '../../meaning/mod.ts';
import { modelDirectory } from '../sessions/model.ts';
import type { Config } from '../settings/mod.ts';
import type { ModelRequest } from './model-thread.ts';

const THREAD = new URL('./model-thread.ts', import.meta.url);

/**
 * Loads the model for the given number of threads. Takes a tenth of a second, and some seconds if the model was never
 * used with this data directory. Returns null if search by meaning is off or no model is installed; rejects if the
 * model cannot be used, or if `signal` aborts the loading.
 */
export async function loadSharedModel(
  config: Config,
  embedders: number,
  signal?: AbortSignal,
): Promise<LoadedModel | null> {
  const directory = modelDirectory(config);
  if (directory === null) return null;
  const channel = new WorkerChannel<ModelRequest, LoadedModel>(THREAD);
  signal?.addEventListener('abort', () => void channel.close(), { once: true });
  try {
    return await channel.ask({ directory, cacheDirectory: join(config.data, 'meaning'), embedders });
  } finally {
    await channel.ended;
  }
}

/** Returns the number of the embedder for the thread that embeds pages. The search threads use the lower numbers. */
export function pageEmbedderOf({ serve: { threads } }: Config): number {
  return Math.max(1, threads);
}

/**
 * Loads the model for a server. If the model cannot be used, logs the reason; pages are then found by their words
 * only.
 */
export async function loadServedModel(
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<LoadedModel | null> {
  try {
    return await loadSharedModel(config, pageEmbedderOf(config) + 1, signal);
  } catch (error) {
    if (!signal.aborted) log.warn('no search by meaning', { reason: messageOf(error) });
    return null;
  }
}
