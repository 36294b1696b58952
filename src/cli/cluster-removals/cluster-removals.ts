/** The removals of a whole cluster, for its commands and its admin API; see cluster/control/removals.ts. */
import { systemClock } from '../../base/mod.ts';
import {
  appendClusterAudit,
  type ClusterDatabase,
  changeClusterRemovals,
  PostgresCrawlState,
  readClusterRemovals,
  VnodeOwner,
} from '../../cluster/mod.ts';
import type { InspectedUrl } from '../../query/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { auditLine } from '../access/mod.ts';
import { clusterCommandFor } from '../advice.ts';
import type { RemovalPlace } from '../purging/mod.ts';
import { RemovedUrls } from '../removals/mod.ts';

const MAX_NAMED = 20;

/** `inspect` finds near duplicates; without it none are named. `file` is the cluster file, for advice. */
export function removalsOfCluster(
  database: ClusterDatabase,
  file: string,
  inspect?: (url: CanonicalUrl) => Promise<InspectedUrl>,
): RemovalPlace {
  return {
    read: () => readClusterRemovals(database),
    change: (change) => changeClusterRemovals(database, change),
    audit: (entry) => appendClusterAudit(database, auditLine(entry, systemClock.now())),
    // This state holds no vnode: it finds rows by their keys, and writes none.
    withCrawl: (use) => use(new PostgresCrawlState(database, new VnodeOwner(database, '', 0))),
    async nearDuplicates(rules) {
      if (!inspect) return [];
      const removed = new RemovedUrls(rules);
      const urls = rules.filter(({ kind }) => kind === 'url').map(({ value }) => value as CanonicalUrl);
      const found = await Promise.all(urls.map(inspect));
      const near = found.flatMap(({ nearDuplicates }) => nearDuplicates.map(({ url }) => url));
      return [...new Set(near)].filter((url) => !removed.matches(url)).slice(0, MAX_NAMED);
    },
    listCommand: clusterCommandFor('remove --list', file),
  };
}
