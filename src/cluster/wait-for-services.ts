/** Waits while a service is unreachable, and repeats the work that failed because of it. */
import { type Log, sleep } from '../base/mod.ts';
import { explainDatabaseError } from './database.ts';
import { ServiceError } from './service-error.ts';

const PAUSE_MS = 500;

export interface Waiting {
  log: Log;
  /** Ends the waiting. The last error is then thrown. */
  signal: AbortSignal;
}

/** Runs `work`. While it fails with an error that may go away, repeats it after a pause. */
export async function whileServicesHeal<Result>(
  work: () => Promise<Result>,
  { log, signal }: Waiting,
): Promise<Result> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      const result = await work();
      if (!isFirst) log.info('service available again');
      return result;
    } catch (raw) {
      const error = explainDatabaseError(raw);
      if (!(error instanceof ServiceError && error.canHeal) || signal.aborted) throw error;
      if (isFirst) log.warn('service away, waiting', { service: error.service, reason: error.message });
      await sleep(PAUSE_MS, signal);
    }
  }
}

/**
 * Returns an object with the methods of `target`, which wait while a service is unreachable. It must be
 * harmless to repeat a method.
 */
export function withWaiting<Target extends object>(target: Target, waiting: Waiting): Target {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...values: unknown[]) => {
        const first: unknown = value.apply(target, values);
        if (!(first instanceof Promise)) return first;
        let attempt: Promise<unknown> | null = first;
        return whileServicesHeal(() => {
          const current = attempt ?? (value.apply(target, values) as Promise<unknown>);
          attempt = null;
          return current;
        }, waiting);
      };
    },
  });
}
