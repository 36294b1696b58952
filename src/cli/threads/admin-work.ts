/** Starts the thread of the admin routes for each request, one after the other, because requests are rare. */
import { type Log, messageOf, WorkerChannel } from '../../base/mod.ts';
import type { AdminTools, DirectoryTools } from '../../serve/mod.ts';
import type { Config } from '../settings/mod.ts';
import type { AdminRequest } from './admin-thread.ts';

/** `configOf` returns the present configuration, which the operator may change. */
export function adminTools(configOf: () => Config, log: Log): AdminTools & DirectoryTools {
  let last: Promise<unknown> = Promise.resolve();
  const ask = <Reply>(request: AdminRequest): Promise<Reply> => {
    const next = last.then(() => askThread(request));
    last = next.catch(() => {});
    return next as Promise<Reply>;
  };
  return {
    inspect: (request) => ask({ config: configOf(), kind: 'inspect', ...request }),
    report: (request) => ask({ config: configOf(), kind: 'report', ...request }),
    fetchNow: async (url, who) =>
      (await ask<{ note: string }>({ config: configOf(), kind: 'fetch', url, who })).note,
    takeUrls: (urls, who) => ask({ config: configOf(), kind: 'take-urls', urls, who }),
    record: (url, at) => ask({ config: configOf(), kind: 'record', url, at }),
    wacz: (pages) =>
      ask({ config: configOf(), kind: 'wacz', pages: pages.map(({ url, title }) => ({ url, title })) }),
    politeness: (host) => ask({ config: configOf(), kind: 'politeness', host }),
    politenessFile: (format) => ask({ config: configOf(), kind: 'politeness-file', format }),
    removals: () => ask({ config: configOf(), kind: 'removals' }),
    listRemovals: () => ask({ config: configOf(), kind: 'list-removals' }),
    previewRemoval: (targets) => ask({ config: configOf(), kind: 'preview', targets }),
    change: async (request) => {
      const report = await ask<object>({ config: configOf(), kind: 'change', ...request });
      // The list is already changed. The response does not wait until all data reflect the list.
      ask({ config: configOf(), kind: 'settle' }).catch((error: unknown) =>
        log.error('removals not settled', { reason: messageOf(error), advice: 'run gyre remove again' }),
      );
      return report;
    },
  };
}

async function askThread(request: AdminRequest): Promise<unknown> {
  const thread = new WorkerChannel<AdminRequest, unknown>(new URL('./admin-thread.ts', import.meta.url), {});
  try {
    return await thread.ask(request);
  } finally {
    await thread.close();
  }
}
