/**
 * The role `crawl`: crawls the hosts of the vnodes that the coordinator plans for this node.
 *
 *   claim -> crawl -> vnodes lost, unwanted or free, or other settings -> stop the crawl -> release what is unwanted -> claim -> ...
 *
 * No requests are sent while the crawl is paused, and while the index is too far behind (MAX_LAG_MS). A vnode is released when none of its requests is in flight and everything is committed. The next owner of a vnode
 * whose node died claims it after the lease of the node and one delay.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { GyreError, messageOf, sleep } from '../../base/mod.ts';
import {
  type ClusterDatabase,
  explainDatabaseError,
  readClusterControl,
  readIndexLagMs,
  reserveSketches,
  ServiceError,
  VnodeOwner,
  whileServicesHeal,
} from '../../cluster/mod.ts';
import { checkContact } from '../sessions/crawl-session.ts';
import { withLiveSettings } from './live-settings.ts';
import { NodeCrawl } from './node-crawl.ts';
import type { NodeContext, NodeRole } from './node-role.ts';
import { type VnodeChange, VnodeWatch } from './vnode-watch.ts';

const POLL_MS = 500;
const LAG_POLL_MS = 5_000;
/** The crawl waits while index nodes have not indexed batches that are older than this. */
const MAX_LAG_MS = 120_000;
/** Time for requests in flight when vnodes are handed over, when they were lost, and when the node is stopped. */
const CHANGE_GRACE_MS = 10_000;
const LOST_GRACE_MS = 1_000;
const STOP_GRACE_MS = 3_000;

export const crawlRole: NodeRole = {
  async run(context) {
    const { cluster, config, database, directory, membership, signal, waiting } = context;
    checkContact({ seeds: cluster.seeds, contact: config.contact }, config);
    // The files of an earlier process cannot be used again, because they belong to another node name.
    rmSync(join(directory.path, 'crawl'), { recursive: true, force: true });
    const firstSketch = await whileServicesHeal(() => reserveSketches(database), waiting);
    while (!signal.aborted) {
      try {
        await turn(context, firstSketch);
      } catch (error) {
        if (!isPassing(error)) throw error;
        context.log.warn('crawl interrupted', { reason: messageOf(error) });
        await sleep(POLL_MS, signal);
      }
    }
    await releaseAll(context, new VnodeOwner(database, membership.node, config.crawl.delayMs));
  },
};

/** Claims vnodes and crawls them until they or the settings change. */
async function turn(node: NodeContext, firstSketch: number): Promise<void> {
  const { membership, signal, waiting, database } = node;
  const control = await whileServicesHeal(() => readClusterControl(database), waiting);
  const context = await whileServicesHeal(() => withLiveSettings(node), waiting);
  const owner = new VnodeOwner(database, membership.node, context.config.crawl.delayMs);
  const held = await whileServicesHeal(async () => {
    await owner.release(await owner.unwanted());
    await owner.claim();
    return await owner.owned();
  }, waiting);
  const watch = new VnodeWatch(membership, owner, held);
  if (held.length === 0) return await sleep(POLL_MS, signal);
  const crawl = await NodeCrawl.open({ context, owner, watch, firstSketch });
  crawl.setPaused(control.isPaused);
  const ended = new AbortController();
  const running = crawl.run().finally(() => ended.abort());
  // The result is awaited below, after the crawl was stopped.
  running.catch(() => {});
  let graceMs = STOP_GRACE_MS;
  try {
    graceMs = await untilChanged(
      context,
      { watch, crawl, revision: control.revision, lag: new Interval(LAG_POLL_MS) },
      ended.signal,
    );
  } finally {
    crawl.stop(graceMs);
    await running;
  }
}

interface RunningCrawl {
  crawl: NodeCrawl;
  watch: VnodeWatch;
  /** The revision of the live settings with which the crawl was opened. */
  revision: number;
  /** The interval between looks at the lag of the index. */
  lag: Interval;
}

class Interval {
  readonly #ms: number;
  #nextMs = 0;

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Returns true if the last time was at least one interval ago. */
  isDue(): boolean {
    const nowMs = performance.now();
    if (nowMs < this.#nextMs) return false;
    this.#nextMs = nowMs + this.#ms;
    return true;
  }
}

/**
 * Resolves when the crawl must stop, with the time that requests in flight get to finish. Until then, keeps the
 * crawl paused or running, as the database says.
 */
async function untilChanged(
  context: NodeContext,
  running: RunningCrawl,
  ended: AbortSignal,
): Promise<number> {
  const { signal, log, database } = context;
  const { watch } = running;
  const stop = AbortSignal.any([signal, ended]);
  while (!stop.aborted) {
    const change = await check(running, database);
    if (change !== 'none') {
      log.info('crawl starts again', { change, held: watch.held.length });
      if (change === 'settings') return STOP_GRACE_MS;
      if (change !== 'lost') return CHANGE_GRACE_MS;
      watch.suspend();
      return LOST_GRACE_MS;
    }
    await sleep(POLL_MS, stop);
  }
  return STOP_GRACE_MS;
}

/** Compares the vnodes and the control of the cluster with the database. While it is away, nothing has changed. */
async function check(
  { crawl, watch, revision, lag }: RunningCrawl,
  database: ClusterDatabase,
): Promise<VnodeChange | 'settings'> {
  try {
    const control = await readClusterControl(database);
    crawl.setPaused(control.isPaused);
    const change = await watch.check();
    if (change === 'none' && control.revision !== revision) return 'settings';
    if (lag.isDue()) crawl.holdBack((await readIndexLagMs(database)) > MAX_LAG_MS);
    return change;
  } catch (error) {
    if (!isPassing(explainDatabaseError(error))) throw error;
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
