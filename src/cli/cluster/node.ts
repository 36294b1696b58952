/**
 * A node of a cluster: one process with some roles.
 *
 *   join -> roles run, lease renewed every RENEW_MS -> signal, or the whole cluster is stopped: roles finish, the node leaves
 *
 * Every node also tries to be the coordinator, which divides vnodes and shards among the live nodes and removes what dead
 * nodes left behind. A node waits for services that are away, and ends with an error that cannot heal.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import {
  acquireLock,
  type Clock,
  type Directory,
  type Log,
  messageOf,
  openDirectory,
  sleep,
  systemClock,
  UsageError,
} from '../../base/mod.ts';
import {
  type ClusterDatabase,
  Coordinator,
  checkClusterIdentity,
  explainDatabaseError,
  type ListenAddress,
  Membership,
  measureClockOffset,
  openDatabase,
  openS3BlobStore,
  readClusterControl,
  refusalIn,
  refuseUnfinishedMigration,
  removeDeadNodes,
  type Waiting,
  whileServicesHeal,
  withWaiting,
} from '../../cluster/mod.ts';
import { hasCrawlState } from '../../crawl/mod.ts';
import { RemovalFollower, settleClusterRemovals } from '../cluster-removals/mod.ts';
import { NodeHealth, serveHealth } from '../node-health/mod.ts';
import type { Config } from '../settings/mod.ts';
import { VERSION } from '../version.ts';
import type { ClusterFile } from './cluster-file.ts';
import { ClusterGauges } from './cluster-gauges.ts';
import type { NodeContext } from './node-role.ts';
import { loadRole } from './roles.ts';

const RENEW_MS = 1_000;
/** A node whose lease was renewed longer ago is not ready: other nodes take its work over. */
const MAX_LEASE_AGE_MS = 6_000;
/** The interval between removals of what dead nodes left behind. */
const CLEAN_MS = 60_000;

interface NodeOptions {
  cluster: ClusterFile;
  config: Config;
  /** Returns the configuration with other settings in place of those of the cluster file. */
  configOf(settings: unknown): Config;
  roles: readonly string[];
  weight: number;
  /** The address on which the role `search` listens. */
  listen: ListenAddress;
  /** The address of health checks and metrics; null for none. */
  health: ListenAddress | null;
  log: Log;
  /** Ends the node when it is aborted. */
  signal: AbortSignal;
  /** Called when the node has joined the cluster. The node ends the pool of connections when it has left. */
  onJoined(node: string, database: ClusterDatabase): void;
}

/** Runs a node until the signal is aborted or a role fails. */
export async function runNode(options: NodeOptions): Promise<void> {
  const { cluster, config, configOf, roles, log, signal, weight, listen } = options;
  const directory = openDirectory(config.data);
  refuseEngineData(directory);
  const lock = acquireLock(directory, 'node', 'gyre node');
  const waiting = { log, signal };
  const health = new NodeHealth();
  health.set('node', { notReady: () => 'the node has not joined the cluster yet', gauges: () => [] });
  const closeHealth = options.health && (await serveHealth(health, options.health));
  const database = await whileServicesHeal(() => openDatabase(cluster.postgresql), waiting);
  // A node also ends without the signal, for example by `gyre stop`.
  const ended = new AbortController();
  const untilEnd = AbortSignal.any([signal, ended.signal]);
  try {
    await whileServicesHeal(() => checkClusterIdentity(database, cluster), waiting);
    const node = `${hostname().replace(/[^\w]/g, '')}-${randomBytes(4).toString('hex')}`;
    const membership = new Membership(database, { node, roles, weight, version: VERSION });
    const clock = await clockOf(database, waiting);
    const openBlobs = async (prefix: string) => {
      const store = await whileServicesHeal(() => openS3BlobStore({ ...cluster.s3, prefix }), waiting);
      return withWaiting(store, waiting);
    };
    const shared = { cluster, config, configOf, node, database, membership, openBlobs, directory, clock };
    const common = { ...shared, listen, log, waiting };
    await whileServicesHeal(() => membership.renew(), waiting);
    await whileServicesHeal(() => refuseUnfinishedMigration(database), waiting).catch(
      async (error: unknown) => {
        await membership.leave();
        throw error;
      },
    );
    const removals = await whileServicesHeal(() => RemovalFollower.start(database, log, untilEnd), waiting);
    options.onJoined(node, database);
    await runRoles({ ...common, removals, health, signal }, roles);
  } catch (error) {
    throw explainDatabaseError(error);
  } finally {
    ended.abort();
    await closeHealth?.();
    await database.end({ timeout: 1 });
    lock.release();
  }
}

/** Refuses the data directory of an engine without a cluster: the files of a node would mix with its files. */
function refuseEngineData(directory: Directory): void {
  if (!hasCrawlState(directory)) return;
  throw new UsageError(
    'directory-used',
    `${directory.path} has the crawl of an engine without a cluster: name another directory with --data`,
  );
}

/**
 * Runs the roles and renews the lease until all roles have ended. If one fails, or the node may not continue, the others
 * are stopped.
 */
async function runRoles(context: NodeContext, roles: readonly string[]): Promise<void> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([context.signal, stopping.signal]);
  const waiting = { log: context.log, signal };
  const ended = new AbortController();
  const heartbeat = keepLease(context, ended.signal, () => stopping.abort());
  // The result is awaited below, after the roles have ended.
  heartbeat.catch(() => {});
  const running = roles.map(async (name) => {
    try {
      await (await loadRole(name)).run({ ...context, signal, waiting });
    } catch (error) {
      stopping.abort();
      throw error;
    }
  });
  const results = await Promise.allSettled(running);
  ended.abort();
  results.push(...(await Promise.allSettled([heartbeat])));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Renews the lease and tries to be the coordinator, until the signal is aborted. Then leaves the cluster. Calls `stop` if
 * the whole cluster is stopped, and rejects if the cluster has removed this node or PostgreSQL refuses it.
 */
async function keepLease(context: NodeContext, ended: AbortSignal, stop: () => void): Promise<void> {
  const { database, membership, node, log } = context;
  const coordinator = new Coordinator(database, node);
  const stops = new StopRequests(context);
  const cleaning = new Cleaning(context);
  const settling = new Settling(context);
  const whole = new ClusterGauges(context);
  let epoch: number | null = null;
  let isAway = false;
  let renewedMs = performance.now();
  const leaseAgeMs = () => performance.now() - renewedMs;
  context.health.set('node', {
    notReady: () => (leaseAgeMs() > MAX_LEASE_AGE_MS ? 'the lease of the node was not renewed' : null),
    gauges: () => [
      { name: 'gyre_node_info', help: 'The node, as a label.', value: 1, labels: { node } },
      {
        name: 'gyre_node_lease_age_seconds',
        help: 'Time since the lease of the node was renewed.',
        value: leaseAgeMs() / 1000,
      },
      {
        name: 'gyre_node_coordinator',
        help: '1 if this node is the coordinator.',
        value: epoch === null ? 0 : 1,
      },
      ...(epoch === null ? [] : whole.gauges()),
    ],
  });
  while (!ended.aborted) {
    try {
      await membership.renew();
      renewedMs = performance.now();
      if (await stops.isAsked()) stop();
      epoch = await coordinator.acquire();
      const moved = epoch === null ? 0 : await coordinator.plan(epoch);
      if (moved > 0) log.info('plan changed', { moved, epoch });
      if (epoch !== null) await cleaning.cleanIfDue();
      if (epoch !== null) settling.settleIfDue();
      if (epoch !== null) whole.readIfDue();
      isAway = false;
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal !== null) {
        stop();
        throw refusal;
      }
      if (!isAway) log.warn('lease not renewed', { reason: String(error) });
      isAway = true;
    }
    await sleep(RENEW_MS, ended);
  }
  await settling.ended;
  await leave({ coordinator, epoch, membership, log });
}

/** Finds out whether the whole cluster was asked to stop after this node joined. */
class StopRequests {
  readonly #context: NodeContext;
  #before: number | null = null;

  constructor(context: NodeContext) {
    this.#context = context;
  }

  async isAsked(): Promise<boolean> {
    const { stops } = await readClusterControl(this.#context.database);
    this.#before ??= stops;
    if (stops === this.#before) return false;
    this.#before = stops;
    this.#context.log.info('the cluster was asked to stop');
    return true;
  }
}

/** Removes what dead nodes left behind, if this node is the coordinator. */
class Cleaning {
  readonly #context: NodeContext;
  #nextMs = performance.now() + CLEAN_MS;

  constructor(context: NodeContext) {
    this.#context = context;
  }

  async cleanIfDue(): Promise<void> {
    if (performance.now() < this.#nextMs) return;
    this.#nextMs = performance.now() + CLEAN_MS;
    const removed = await removeDeadNodes(this.#context.database);
    if (removed.length > 0) this.#context.log.info('dead nodes removed', { nodes: removed.join(' ') });
  }
}

/** Carries out changes of the removals, if this node is the coordinator. */
class Settling {
  readonly #context: NodeContext;
  #settled = 0;
  #isBusy = false;
  /** Resolves when no change is being carried out. */
  ended: Promise<void> = Promise.resolve();

  constructor(context: NodeContext) {
    this.#context = context;
  }

  settleIfDue(): void {
    const { list } = this.#context.removals;
    if (this.#isBusy || list.revision <= this.#settled) return;
    this.#isBusy = true;
    this.ended = this.#settle(list).finally(() => {
      this.#isBusy = false;
    });
  }

  async #settle(list: NodeContext['removals']['list']): Promise<void> {
    const { directory, log } = this.#context;
    try {
      const scratch = directory.directory('purging');
      const counts = await settleClusterRemovals(list, { ...this.#context, scratch });
      if (counts !== null) log.info('removals settled', counts);
      this.#settled = list.revision;
    } catch (error) {
      log.warn('removals not settled, tried again', { reason: messageOf(error) });
    }
  }
}

async function leave(leaving: {
  coordinator: Coordinator;
  epoch: number | null;
  membership: Membership;
  log: Log;
}): Promise<void> {
  const { coordinator, epoch, membership, log } = leaving;
  try {
    if (epoch !== null) await coordinator.release(epoch);
    await membership.leave();
  } catch (error) {
    log.warn('left without notice, the lease expires', { reason: String(error) });
  }
}

/** Returns a clock that has the time of the database server. */
async function clockOf(database: ClusterDatabase, waiting: Waiting): Promise<Clock> {
  const offsetMs = await whileServicesHeal(() => measureClockOffset(database, systemClock), waiting);
  return { now: () => systemClock.now() + offsetMs };
}
