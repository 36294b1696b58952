/** Starts the thread of the admin routes for each request, one after the other, because requests are rare. */
import { type Log, messageOf, WorkerChannel } from '../../base/mod.ts';
import type { AdminTools } from '../../serve/mod.ts';
import type { Config } from '../settings/mod.ts';
import type { AdminRequest } from './admin-thread.ts';

export function adminTools(config: Config, log: Log): AdminTools {
  let last: Promise<unknown> = Promise.resolve();
  const ask = (request: AdminRequest): Promise<object> => {
    const next = last.then(() => askThread(request));
    last = next.catch(() => {});
    return next;
  };
  return {
    inspect: (request) => ask({ config, kind: 'inspect', ...request }),
    removals: () => ask({ config, kind: 'removals' }),
    change: async (request) => {
      const report = await ask({ config, kind: 'change', ...request });
      // The list is already changed. The response does not wait until all data reflect the list.
      ask({ config, kind: 'settle' }).catch((error: unknown) =>
        log.error('removals not settled', { reason: messageOf(error), advice: 'run gyre remove again' }),
      );
      return report;
    },
  };
}

async function askThread(request: AdminRequest): Promise<object> {
  const thread = new WorkerChannel<AdminRequest, object>(new URL('./admin-thread.ts', import.meta.url), {});
  try {
    return await thread.ask(request);
  } finally {
    await thread.close();
  }
}
