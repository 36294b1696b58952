/** Waits while a service is away, and repeats what failed because of it. */
import { type Log, sleep } from '../base/mod.ts';
import { explainConnection } from './database.ts';
import { ServiceError } from './service-error.ts';

const PAUSE_MS = 500;

export interface Waiting {
  log: Log;
  /** Ends the waiting: the last error is then rejected. */
  signal: AbortSignal;
}

/** Runs `work`, and repeats it after a pause while it fails with an error that may heal. */
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
      const error = explainConnection(raw);
      if (!(error instanceof ServiceError && error.canHeal) || signal.aborted) throw error;
      if (isFirst) log.warn('service away, waiting', { service: error.service, reason: error.message });
      await sleep(PAUSE_MS, signal);
    }
  }
}

/** Returns the object with methods that wait while a service is away. Methods must be harmless to repeat. */
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
