/** The thread of `gyre up` and `gyre serve` that computes the vectors of pages, for search by meaning. */
import type { LoadedModel } from '../../meaning/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { ProgressSaver } from '../sessions/embedding-progress.ts';
import type { Config } from '../settings/mod.ts';
import { paceOf } from './embedding-pace.ts';
import type { MeaningReport, MeaningThreadInput } from './meaning-thread.ts';
import { pageEmbedderOf } from './shared-model.ts';
import type { ShownPages } from './shown-pages.ts';
import { startThread, type Thread } from './thread.ts';

/** The interval between checks for other work. */
const LOOK_MS = 250;

/** Data that the thread shares with the search threads: the model, and the counts of shown pages. */
export interface MeaningSources {
  /** The loaded model; null if there is none. The promise never rejects. */
  model: Promise<LoadedModel | null>;
  shown: ShownPages;
}

export interface MeaningStage {
  /** Makes the thread compute vectors more slowly while the machine has other work. */
  setBusy(isBusy: boolean): void;
  end(): Promise<void>;
}

/**
 * Starts the thread that computes vectors when the model is loaded. Without a model, no thread is started.
 * MeaningThreadInput explains `applies`.
 */
export function startMeaning(
  data: DataDirectory,
  config: Config,
  { model, shown }: MeaningSources,
  applies: boolean,
  onFailed: (error: unknown) => void,
): MeaningStage {
  const pace = new Int32Array(new SharedArrayBuffer(4));
  const saver = new ProgressSaver(data.meaning);
  let thread: Thread | null = null;
  let isEnded = false;
  const start = async () => {
    const loaded = await model;
    if (!loaded || isEnded) return;
    thread = startThread<MeaningThreadInput, MeaningReport>(
      new URL('./meaning-thread.ts', import.meta.url),
      {
        config,
        indexes: [{ index: data.index.path, batches: data.meaning.path }],
        model: loaded,
        embedder: pageEmbedderOf(config),
        part: 0,
        parts: 1,
        pace: pace.buffer,
        applies,
        shown: shown.buffer,
      },
      (report) => saver.offer({ ...report, pace: Atomics.load(pace, 0) }),
    );
    await thread.ended;
  };
  const ended = start().catch(onFailed);
  let isBusy = false;
  const setPace = () => {
    const state = { isBusy, sinceSearchMs: shown.sinceShownMs() };
    Atomics.store(pace, 0, paceOf(state, config.meaning.cpuShare));
  };
  setPace();
  const timer = setInterval(setPace, LOOK_MS).unref();
  const setBusy = (nowBusy: boolean) => {
    isBusy = nowBusy;
  };
  const end = async () => {
    isEnded = true;
    clearInterval(timer);
    // Without a thread, there is nothing to end: the model is still being loaded, or there is no model.
    if (!thread) return;
    thread.abandon();
    await ended;
  };
  return { setBusy, end };
}
