/** Time is handed in, so that a test can decide what o'clock it is. Milliseconds since 1970. */
export interface Clock {
  now(): number;
}

/**
 * The time of the day at which the program started, and from there on a clock that nobody sets: what
 * waits for a moment does not wait longer because the machine's clock was put back.
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
