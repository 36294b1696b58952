/**
 * Runs a stage of `gyre up` in a thread, so that crawling and indexing do not delay searches. A thread receives
 * plain data, reports by events, and ends cleanly when it is asked to stop. If a stage does not stop soon and
 * its work can be repeated, its thread is ended by force.
 */
import { workerData } from 'node:worker_threads';
import { isDiskFull, type Log, sendEvent, serveChannel, sleep, WorkerChannel } from '../../base/mod.ts';

type ThreadRequest = 'run' | 'stop';

export interface Thread {
  /** Asks the thread to end after its current step. */
  stop(): void;
  /**
   * Asks the thread to end. If it has not ended after `graceMs`, ends it by force in the middle of its work.
   * Use it only if the files of the thread survive a crash at any moment: the next start repeats the work.
   */
  abandon(graceMs?: number): void;
  /** Resolves when the thread has ended; rejects with its error. */
  ended: Promise<void>;
}

/** Time that an abandoned thread gets to finish its current step. Most steps of indexing and embedding take less. */
const ABANDON_MS = 750;

export function startThread<Input, Report>(
  file: URL,
  input: Input,
  onReport: (report: Report) => void,
): Thread {
  const channel = new WorkerChannel<ThreadRequest, void, Report>(file, { data: input, onEvent: onReport });
  const stop = () => {
    // An error here is ignored: the request fails if the thread has already ended.
    channel.ask('stop').catch(() => {});
  };
  let isAbandoned = false;
  const abandon = (graceMs = ABANDON_MS) => {
    stop();
    const timer = setTimeout(() => {
      isAbandoned = true;
      void channel.close();
    }, graceMs);
    void channel.ended.then(() => clearTimeout(timer));
  };
  const run = async () => {
    try {
      await channel.ask('run');
    } catch (error) {
      if (!isAbandoned) throw error;
    } finally {
      await channel.ended;
    }
  };
  return { stop, abandon, ended: run() };
}

/** Interval between checks for free space after the disk was full. */
const SPACE_MS = 1_000;

/**
 * Starts a stage that survives a full disk: if its thread fails because of it, the stage starts again when there is
 * space. Its files survive a failure at any write, like a crash. Other errors end the stage.
 */
export function restartWithSpace(
  start: () => Thread,
  { name, hasSpace, log }: { name: string; hasSpace: () => boolean; log: Log },
): Thread {
  const stopped = new AbortController();
  let current = start();
  const run = async () => {
    for (;;) {
      try {
        return await current.ended;
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        log.error('disk full, stage waits for space', { stage: name });
      }
      do await sleep(SPACE_MS, stopped.signal);
      while (!stopped.signal.aborted && !hasSpace());
      if (stopped.signal.aborted) return;
      log.info('stage starts again', { stage: name });
      current = start();
    }
  };
  return {
    stop() {
      stopped.abort();
      current.stop();
    },
    abandon(graceMs) {
      stopped.abort();
      current.abandon(graceMs);
    },
    ended: run(),
  };
}

/** Entry point of a thread: calls `work` with the input of the thread and a signal that aborts on stop. */
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
