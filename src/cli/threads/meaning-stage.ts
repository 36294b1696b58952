/** The thread of `gyre up` and `gyre serve` that computes the vectors of pages, for search by meaning. */
import { modelDirectory } from '../sessions/model.ts';
import type { Config } from '../settings/mod.ts';
import type { MeaningReport, MeaningThreadInput } from './meaning-thread.ts';
import { startThread, type Thread } from './thread.ts';

/** The percentage of the time in which the thread works while pages are crawled or indexed. */
const BUSY_PACE = 5;

export interface MeaningStage {
  /** Slows the thread down while the machine has other work. */
  setBusy(isBusy: boolean): void;
  end(): Promise<void>;
}

/** Starts the thread; returns null if there is no model. `applies` has the same meaning as in MeaningThreadInput. */
export function startMeaning(
  config: Config,
  applies: boolean,
  onFailed: (error: unknown) => void,
): MeaningStage | null {
  if (modelDirectory(config) === null) return null;
  const pace = new Int32Array(new SharedArrayBuffer(4));
  const thread: Thread = startThread<MeaningThreadInput, MeaningReport>(
    new URL('./meaning-thread.ts', import.meta.url),
    { config, part: 0, parts: 1, pace: pace.buffer, applies },
    () => {},
  );
  const ended = thread.ended.catch(onFailed);
  const setBusy = (isBusy: boolean) => {
    Atomics.store(pace, 0, isBusy ? BUSY_PACE : config.meaning.cpuShare);
  };
  setBusy(false);
  const end = async () => {
    thread.stop();
    await ended;
  };
  return { setBusy, end };
}
