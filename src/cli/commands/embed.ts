/** The command `gyre embed`, which computes the vectors of pages for search by meaning. */
import { availableParallelism } from 'node:os';
import { sleep, UsageError } from '../../base/mod.ts';
import type { LoadedModel } from '../../meaning/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { type DataDirectory, openExistingData } from '../data-directory.ts';
import { onInterrupt } from '../interrupts.ts';
import { lockIndex } from '../locks.ts';
import { counted, ProgressLine, print, stderrLog } from '../output.ts';
import { describeRest, type EmbeddingProgress, ProgressSaver } from '../sessions/embedding-progress.ts';
import { INSTALL_ADVICE } from '../sessions/model.ts';
import { applyWaitingVectors } from '../sessions/waiting-vectors.ts';
import type { Config } from '../settings/mod.ts';
import {
  loadSharedModel,
  type MeaningReport,
  type MeaningThreadInput,
  ShownPages,
  startThread,
} from '../threads/mod.ts';

export const embedCommand: Command = {
  name: 'embed',
  positionals: '',
  summary:
    'Computes a vector for each page, so that queries with other words for the same subject find it; gyre up does this in idle time',
  examples: ['gyre embed'],
  settings: ['model'],
  flags: [],
  leastMemory: '384Mi',
  run: embed,
};

const POLL_MS = 250;

async function embed({ config }: Invocation): Promise<void> {
  const data = openExistingData(config.data);
  const model = await loadSharedModel(config, availableParallelism());
  if (!model) throw noModel(config);
  const lock = lockIndex(data.root);
  const stop = new AbortController();
  const off = onInterrupt(() => stop.abort());
  try {
    const { embedded, unsuitable, missing } = await embedAll(data, config, model, stop.signal);
    const others =
      unsuitable > 0 ? `; ${counted(unsuitable, 'page')} in languages that it does not know` : '';
    print(`the model has read ${counted(embedded, 'page')}${others}`);
    if (missing > 0) print(`continue with ${commandFor('embed', config.data)}`);
  } finally {
    off();
    lock.release();
  }
}

function noModel({ meaning }: Config): UsageError {
  if (meaning.model !== '')
    return new UsageError(
      'no-model',
      `meaning.model is "${meaning.model}": name the directory of a model with --model`,
    );
  return new UsageError('no-model', `no model is installed: ${INSTALL_ADVICE}`);
}

/**
 * Runs one embedding thread per processor until every page has a vector. Meanwhile, batches of vectors that the
 * threads have finished are applied to the index.
 */
async function embedAll(
  data: DataDirectory,
  config: Config,
  model: LoadedModel,
  signal: AbortSignal,
): Promise<MeaningReport> {
  const parts = model.embedders;
  const pace = new Int32Array(new SharedArrayBuffer(4)).fill(100);
  const shown = new ShownPages().buffer;
  const log = stderrLog(config);
  const reports = new Map<number, MeaningReport>();
  const indexes = [{ index: data.index.path, batches: data.meaning.path }];
  const threads = Array.from({ length: parts }, (_, part) =>
    startThread<MeaningThreadInput, MeaningReport>(
      new URL('../threads/meaning-thread.ts', import.meta.url),
      { config, indexes, model, embedder: part, part, parts, pace: pace.buffer, applies: false, shown },
      (report) => reports.set(part, report),
    ),
  );
  const line = new ProgressLine();
  const saver = new ProgressSaver(data.meaning);
  const total = (): MeaningReport =>
    [...reports.values()].reduce((sum, part) => ({
      embedded: sum.embedded + part.embedded,
      unsuitable: sum.unsuitable + part.unsuitable,
      missing: sum.missing + part.missing,
      msPerPage: sum.msPerPage + part.msPerPage,
    }));
  const isOver = () => reports.size === parts && total().missing === 0;
  let isFailed = false;
  const failed = Promise.all(threads.map(({ ended }) => ended)).finally(() => {
    isFailed = true;
  });
  failed.catch(() => {});
  while (!signal.aborted && !isOver() && !isFailed) {
    applyWaitingVectors(data, log);
    if (reports.size === parts) {
      const progress = progressOf(total(), parts);
      line.show(describeRest(progress));
      saver.offer(progress);
    }
    await sleep(POLL_MS, signal);
  }
  line.clear();
  for (const thread of threads) thread.abandon();
  await failed;
  applyWaitingVectors(data, log);
  if (reports.size === parts) saver.offer(progressOf(total(), parts));
  return reports.size > 0 ? total() : { embedded: 0, unsuitable: 0, missing: 0, msPerPage: 0 };
}

/**
 * Adds up the progress of all embedding threads. The time for one page is the mean of the threads' times, divided by
 * the number of threads.
 */
function progressOf(total: MeaningReport, parts: number): Omit<EmbeddingProgress, 'savedAtMs'> {
  return { ...total, msPerPage: total.msPerPage / parts ** 2, pace: 100 };
}
