/** A clock, passed as a dependency so that tests can set the time. Times are milliseconds since 1970. */
export interface Clock {
  now(): number;
}

/**
 * The wall-clock time at the start of the program plus a monotonic clock: setting back the machine's clock
 * does not delay timers.
 */
export const systemClock: Clock = { now: () => Math.round(performance.timeOrigin + performance.now()) };

/** Resolves after `ms`, or at once when `signal` is aborted; never rejects. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
