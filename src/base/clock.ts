/** A clock, passed as a dependency so that tests can set the time. Times are milliseconds since 1970. */
export interface Clock {
  now(): number;
}

/**
 * Returns the wall-clock time at the start of the program plus the time since then by a monotonic clock.
 * Setting back the clock of the machine therefore delays no timer.
 */
export const systemClock: Clock = { now: () => Math.round(performance.timeOrigin + performance.now()) };

/** Resolves after `ms` milliseconds, or at once when `signal` is aborted. Never rejects. */
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
