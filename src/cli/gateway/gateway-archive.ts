/** The archive of a cluster for a gateway: copies of pages for searchers and answer boxes, and the icons of sites. */
import { type Log, messageOf, systemClock } from '../../base/mod.ts';
import {
  type ClusterDatabase,
  clusterCaptures,
  openS3BlobStore,
  PostgresCrawlState,
  type S3Options,
  VnodeOwner,
  type Waiting,
  whileServicesHeal,
} from '../../cluster/mod.ts';
import type { ReadingPlan } from '../../page/mod.ts';
import { ArchivePool } from '../../serve/mod.ts';
import { type Config, memoryShareOf, SHARES } from '../settings/mod.ts';

/** The services and settings that the archive needs. */
interface ArchiveContext {
  cluster: { s3: Omit<S3Options, 'prefix'> };
  config: Config;
  database: ClusterDatabase;
  log: Log;
  waiting: Waiting;
}

/** Opens the archive. While PostgreSQL or S3 is unreachable, requests for copies fail at their deadline. */
export async function openGatewayArchive(
  context: ArchiveContext,
  reading: ReadingPlan,
): Promise<ArchivePool> {
  const { cluster, config, database, log, waiting } = context;
  // The blob stores of the context wait until S3 is reachable again. Requests would pile up meanwhile, so
  // another store is opened here.
  const archive = await whileServicesHeal(
    () => openS3BlobStore({ ...cluster.s3, prefix: 'archive/' }),
    waiting,
  );
  const heapBytes = memoryShareOf(config.memoryBytes, SHARES.archiveHeap);
  return new ArchivePool({
    remote: clusterCaptures(database, archive),
    ...{ log, clock: systemClock, heapBytes, reading },
  });
}

/** Returns the crawl state of the whole cluster for look-ups: it holds no vnode, finds rows by their keys, and writes none. */
export function stateOfCluster(database: ClusterDatabase): PostgresCrawlState {
  return new PostgresCrawlState(database, new VnodeOwner(database, '', 0));
}

/** Returns the URL of the icon that the crawl found for an origin, possibly a `data:` URL; null if it knows none. */
export async function iconOfOrigin(
  database: ClusterDatabase,
  origin: string,
  log: Log,
): Promise<string | null> {
  const state = stateOfCluster(database);
  try {
    return (await state.host(origin))?.icon?.found || null;
  } catch (error) {
    log.warn('site icon not read', { origin, reason: messageOf(error) });
    return null;
  }
}
