/**
 * The role `crawl`: crawls the hosts of the vnodes that the coordinator plans for this node.
 *
 *   claim -> crawl -> vnodes lost, unwanted or free -> stop the crawl -> release the unwanted vnodes -> claim -> ...
 *
 * A vnode is released when none of its requests is in flight and everything is committed. If a node dies, the
 * next owner of its vnodes claims them one politeness delay after the lease of the dead node has expired.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GyreError, messageOf, sleep } from '../../base/mod.ts';
import {
  type ClusterDatabase,
  explainConnection,
  isCrawlPaused,
  reserveSketches,
  ServiceError,
  VnodeOwner,
  whileServicesHeal,
} from '../../cluster/mod.ts';
import { checkContact } from '../sessions/crawl-session.ts';
import { NodeCrawl } from './node-crawl.ts';
import type { NodeContext, NodeRole } from './node-role.ts';
import { type VnodeChange, VnodeWatch } from './vnode-watch.ts';

const POLL_MS = 500;
/**
 * The time that requests in flight get to finish: when vnodes are handed over, when vnodes were lost
 * (`LOST_GRACE_MS`), and when the node is stopped (`STOP_GRACE_MS`).
 */
const CHANGE_GRACE_MS = 10_000;
const LOST_GRACE_MS = 1_000;
const STOP_GRACE_MS = 3_000;

export const crawlRole: NodeRole = {
  async run(context) {
    const { cluster, config, database, directory, membership, signal, waiting } = context;
    checkContact({ seeds: cluster.seeds, contact: config.contact }, config);
    // The files of an earlier process cannot be used again, because they belong to another node name.
    rmSync(join(directory.path, 'crawl'), { recursive: true, force: true });
    const owner = new VnodeOwner(database, membership.node, config.crawl.delayMs);
    const firstSketch = await whileServicesHeal(() => reserveSketches(database), waiting);
    while (!signal.aborted) {
      try {
        await turn(context, owner, firstSketch);
      } catch (error) {
        if (!isPassing(error)) throw error;
        context.log.warn('crawl interrupted', { reason: messageOf(error) });
        await sleep(POLL_MS, signal);
      }
    }
    await releaseAll(context, owner);
  },
};

/** Claims vnodes and crawls them until the vnodes of this node change. */
async function turn(context: NodeContext, owner: VnodeOwner, firstSketch: number): Promise<void> {
  const { membership, signal, waiting } = context;
  const { held, isPaused } = await whileServicesHeal(async () => {
    await owner.release(await owner.unwanted());
    await owner.claim();
    return { held: await owner.owned(), isPaused: await isCrawlPaused(context.database) };
  }, waiting);
  const watch = new VnodeWatch(membership, owner, held);
  if (held.length === 0) return await sleep(POLL_MS, signal);
  const crawl = await NodeCrawl.open({ context, owner, watch, firstSketch });
  crawl.setPaused(isPaused);
  const ended = new AbortController();
  const running = crawl.run().finally(() => ended.abort());
  // The result is awaited below, after the crawl was stopped.
  running.catch(() => {});
  let graceMs = STOP_GRACE_MS;
  try {
    graceMs = await untilChanged(context, watch, crawl, ended.signal);
  } finally {
    crawl.stop(graceMs);
    await running;
  }
}

/**
 * Resolves when the crawl must stop, with the time that requests in flight get to finish. Until then, keeps the
 * crawl paused or running, as the database says.
 */
async function untilChanged(
  context: NodeContext,
  watch: VnodeWatch,
  crawl: NodeCrawl,
  ended: AbortSignal,
): Promise<number> {
  const { signal, log, database } = context;
  const stop = AbortSignal.any([signal, ended]);
  while (!stop.aborted) {
    const change = await check(watch, crawl, database);
    if (change !== 'none') {
      log.info('vnodes change', { change, held: watch.held.length });
      if (change !== 'lost') return CHANGE_GRACE_MS;
      watch.suspend();
      return LOST_GRACE_MS;
    }
    await sleep(POLL_MS, stop);
  }
  return STOP_GRACE_MS;
}

/**
 * Compares the vnodes and the pause of the crawl with the database. While the database is unreachable, returns
 * `none`: nothing has changed.
 */
async function check(watch: VnodeWatch, crawl: NodeCrawl, database: ClusterDatabase): Promise<VnodeChange> {
  try {
    crawl.setPaused(await isCrawlPaused(database));
    return await watch.check();
  } catch (error) {
    if (!isPassing(explainConnection(error))) throw error;
    // The crawl may continue: its permission to send requests ends with the lease of the node.
    return 'none';
  }
}

/** Returns true if the crawl may start again after this error, with the vnodes that the node then owns. */
function isPassing(error: unknown): boolean {
  if (error instanceof ServiceError) return error.canHeal;
  return error instanceof GyreError && error.code === 'stale-epoch';
}

/** Releases all vnodes, so that other nodes need not wait until the lease has expired. */
async function releaseAll({ log }: NodeContext, owner: VnodeOwner): Promise<void> {
  try {
    await owner.release(await owner.owned());
  } catch (error) {
    log.warn('vnodes not released, their lease expires', { reason: messageOf(error) });
  }
}
