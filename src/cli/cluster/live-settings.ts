/**
 * The seeds and settings of the crawl that are in use: those of the cluster file, or those that `gyre apply` has stored
 * for the whole cluster.
 *
 * `crawl.groups` stays that of the cluster file: it decides which vnode a host belongs to, and so which node crawls it.
 */
import { messageOf } from '../../base/mod.ts';
import { type LiveSettings, readLiveSettings } from '../../cluster/mod.ts';
import { checkContact, checkCrawl } from '../sessions/crawl-session.ts';
import type { Config } from '../settings/mod.ts';
import { type ClusterFile, readSeedLines } from './cluster-file.ts';
import type { NodeContext } from './node-role.ts';

interface CrawlInUse {
  cluster: ClusterFile;
  config: Config;
}

/** Returns the context with the live settings. If this version of Gyre refuses them, logs this and uses its file. */
export async function withLiveSettings(context: NodeContext): Promise<NodeContext> {
  const live = await readLiveSettings(context.database);
  if (live === null) return context;
  try {
    return { ...context, ...applySettings(context, live) };
  } catch (error) {
    context.log.error('live settings not used', { reason: messageOf(error) });
    return context;
  }
}

/** Checks live settings, and returns what they change. Throws a `UsageError` if they are wrong. */
export function applySettings(
  { cluster, configOf }: Pick<NodeContext, 'cluster' | 'configOf'>,
  { seeds, crawl }: LiveSettings,
): CrawlInUse {
  const own = cluster.settings as { crawl?: { groups?: unknown } };
  const { groups = {} } = own.crawl ?? {};
  const config = configOf({ ...own, crawl: { ...crawl, groups } });
  const changed = { ...cluster, ...readSeedLines(seeds) };
  const settings = { seeds: changed.seeds, contact: config.contact };
  checkContact(settings, config);
  checkCrawl(config, settings);
  return { cluster: changed, config };
}
