/**
 * Carries out the requests of site owners in a thread, one after the other. At most MAX_WAITING requests wait and others
 * are refused, because every client may send them.
 */
import { BoundedCache, sleep, systemClock, UsageError, WorkerChannel } from '../../base/mod.ts';
import type { AdminTools, SiteTools } from '../../serve/mod.ts';
import type { Config } from '../settings/mod.ts';
import { crawlerFacts } from './host-report.ts';
import type { SiteRequest } from './site-thread.ts';

const MAX_WAITING = 20;
/** The minimum time between two proofs at one host. Without it, many clients could use this engine to attack a host. */
const PROOF_PAUSE_MS = 1_000;
const MAX_HOSTS = 1_000;

/** `change` removes pages and settles the removal, as for the operator. */
export function siteTools(
  config: Config,
  contact: string,
  { change }: Pick<AdminTools, 'change'>,
): SiteTools {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const provedAt = BoundedCache.ofEntries<string, number>(MAX_HOSTS);
  const pauseAt = async (host: string) => {
    const untilMs = (provedAt.get(host) ?? 0) + PROOF_PAUSE_MS;
    if (untilMs > systemClock.now()) await sleep(untilMs - systemClock.now());
    provedAt.set(host, systemClock.now());
  };
  const ask = <Reply>(request: SiteRequest): Promise<Reply> => {
    if (waiting >= MAX_WAITING)
      throw new UsageError('busy', 'Too many requests wait; try again in a minute.');
    waiting++;
    const next = last
      .then(async () => {
        if (request.kind === 'proof') await pauseAt(request.host);
        return askThread(request);
      })
      .finally(() => waiting--);
    last = next.catch(() => {});
    return next as Promise<Reply>;
  };
  const remove = async (target: string, who: string) => {
    await change({ action: 'remove', targets: [target], purge: false, who });
  };
  return {
    facts: crawlerFacts(config, contact),
    hasOwners: config.serve.siteOwners === 'on',
    lookUp: async (host) => ask({ config, kind: 'look-up', host }),
    findProof: async (host, token) => ask({ config, kind: 'proof', host, token }),
    removeHost: remove,
    requestOptOut: async (host, reason) => ask({ config, kind: 'opt-out', host, reason }),
    listOptOuts: async () => ask({ config, kind: 'opt-outs' }),
    decideOptOut: async (host, isAccepted, who) => {
      if (isAccepted) await remove(host, who);
      await ask({ config, kind: 'decide', host });
    },
    submit: async (urls, who) => ask({ config, kind: 'submit', urls, who }),
    coverage: async (host) => ask({ config, kind: 'coverage', host }),
    removePages: async (_host, target, who) => remove(target, who),
    hasKeyFile: async (location, key) => ask({ config, kind: 'key-file', location, key }),
  };
}

async function askThread(request: SiteRequest): Promise<unknown> {
  const thread = new WorkerChannel<SiteRequest, unknown>(new URL('./site-thread.ts', import.meta.url), {});
  try {
    return await thread.ask(request);
  } finally {
    await thread.close();
  }
}
