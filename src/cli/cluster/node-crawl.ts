/**
 * The crawl of a node over a fixed set of vnodes. When the vnodes change, this crawl ends and the next one
 * starts: this is as safe as a restart, because everything in the memory of a crawl is committed when it ends.
 *
 *   state      PostgreSQL, for the vnodes of this node
 *   captures   S3
 *   links      RabbitMQ, from and to the other nodes
 *
 * Calls of the state and of the capture store wait while their service is unreachable. RabbitMQ's connections
 * are restored by the exchange.
 */

import type { VnodeOwner } from '../../cluster/mod.ts';
import {
  claimJournalWriter,
  type OwnedVnode,
  openObjectCaptures,
  PostgresAddressTurns,
  PostgresCrawlState,
  RabbitLinkExchange,
  whileServicesHeal,
  withWaiting,
} from '../../cluster/mod.ts';
import {
  type Crawler,
  createRobotsOverrides,
  type Discovered,
  linksTo,
  openCrawler,
} from '../../crawl/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { RoleHealth } from '../node-health/mod.ts';
import { crawlOptions, readingPlanOf, urlRulesPlan } from '../sessions/crawl-session.ts';
import type { NodeContext } from './node-role.ts';
import type { VnodeWatch } from './vnode-watch.ts';

/** The interval between commits. Each commit writes two objects, and S3 charges for each. */
const COMMIT_MS = 1_000;

interface NodeCrawlOptions {
  context: NodeContext;
  owner: VnodeOwner;
  watch: VnodeWatch;
  /** The first number of the sketch entries of this process in the database. */
  firstSketch: number;
}

export class NodeCrawl {
  readonly #exchange: RabbitLinkExchange;
  readonly #crawler: Crawler;
  readonly #options: NodeCrawlOptions;
  readonly #turns: PostgresAddressTurns;
  #isPaused = false;
  #isHeldBack = false;

  private constructor(
    options: NodeCrawlOptions,
    exchange: RabbitLinkExchange,
    crawler: Crawler,
    turns: PostgresAddressTurns,
  ) {
    this.#options = options;
    this.#exchange = exchange;
    this.#crawler = crawler;
    this.#turns = turns;
  }

  static async open(options: NodeCrawlOptions): Promise<NodeCrawl> {
    const { context } = options;
    const { cluster, config, log, waiting, database, node } = context;
    await whileServicesHeal(() => claimJournalWriter(database, node), waiting);
    let crawler: Crawler | null = null;
    const untilCommitted = async () => await crawler!.untilCommitted();
    const hostGroups = groupsOf(context);
    const exchange = await whileServicesHeal(
      () =>
        RabbitLinkExchange.open({
          url: cluster.rabbitmq,
          cluster: cluster.name,
          hostGroups,
          untilCommitted,
          log,
        }),
      waiting,
    );
    const turns = turnsOf(context);
    try {
      crawler = await openCrawlerOf(options, exchange, turns);
    } catch (error) {
      await exchange.close();
      throw error;
    }
    const opened = new NodeCrawl(options, exchange, crawler, turns);
    context.health.set('crawl', crawlHealth(opened, options.watch));
    log.debug('crawl opened', { vnodes: options.watch.held.length, contact: config.contact });
    return opened;
  }

  /** Crawls until `stop` is called. Rejects if the crawl cannot continue with these vnodes. */
  async run(): Promise<void> {
    const { context, watch } = this.#options;
    let refusal: unknown = null;
    const refused = (error: unknown) => {
      refusal ??= error;
      this.#crawler.stop();
    };
    // Subscribing to new queues takes seconds. The crawl does not wait for this, not even when it ends.
    this.#exchange.setOwned(watch.held.map(({ vnode }) => vnode)).catch(refused);
    this.#crawler.addSeeds(context.cluster.seeds).catch(refused);
    try {
      await this.#crawler.run();
      if (refusal !== null) throw refusal;
    } finally {
      this.#turns.close();
      await this.#exchange.close();
    }
  }

  /**
   * Pauses the crawl, or resumes it. Requests in flight still finish. Does nothing if the crawl is already in
   * this state.
   */
  setPaused(isPaused: boolean): void {
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.#crawler.pause();
    else this.#crawler.resume();
    this.#options.context.log.info(isPaused ? 'crawl paused' : 'crawl resumed');
  }

  /** Sends no new requests while `isHeldBack` is true, because the index is too far behind. */
  holdBack(isHeldBack: boolean): void {
    if (isHeldBack === this.#isHeldBack) return;
    this.#isHeldBack = isHeldBack;
    this.#options.context.log.warn(isHeldBack ? 'crawl waits for the index' : 'index has caught up');
    this.#crawler.holdBack(isHeldBack);
  }

  /** The progress of this crawl, for the metrics of the node. */
  snapshot(): ReturnType<Crawler['snapshot']> {
    return this.#crawler.snapshot();
  }

  /** Sends no more requests, waits up to `graceMs` for those in flight, and commits. `run` then resolves. */
  stop(graceMs: number): void {
    this.#crawler.stop(graceMs);
  }
}

/** The counts begin again when the vnodes of the node change, as Prometheus expects of a counter after a restart. */
function crawlHealth(crawl: NodeCrawl, watch: VnodeWatch): RoleHealth {
  return {
    notReady: () => null,
    gauges: () => {
      const { pages, fetched, queued, activeHosts, underWay, troubles } = crawl.snapshot();
      const failed = Object.values(troubles).reduce((sum, count) => sum + count, 0);
      return [
        { name: 'gyre_crawler_vnodes', help: 'Vnodes that the node crawls.', value: watch.held.length },
        { name: 'gyre_crawler_pages_total', help: 'Pages parsed.', value: pages },
        { name: 'gyre_crawler_fetched_total', help: 'Responses received.', value: fetched },
        { name: 'gyre_crawler_errors_total', help: 'Requests that failed.', value: failed },
        { name: 'gyre_crawler_queued', help: 'Known URLs that are not fetched yet.', value: queued },
        { name: 'gyre_crawler_active_hosts', help: 'Hosts with work.', value: activeHosts },
        { name: 'gyre_crawler_requests_in_flight', help: 'Hosts with a request in flight.', value: underWay },
      ];
    },
  };
}

async function openCrawlerOf(
  options: NodeCrawlOptions,
  exchange: RabbitLinkExchange,
  turns: PostgresAddressTurns,
): Promise<Crawler> {
  const { context, owner, watch, firstSketch } = options;
  const { cluster, config, database, directory, node, clock, log, waiting } = context;
  const state = new PostgresCrawlState(database, owner, {
    groups: groupsOf(context),
    hasObjects: true,
    firstSketch,
    onOthers: (lost, others) => giveAway(options, exchange, lost, others),
  });
  await state.hold(watch.held);
  const files = directory.directory('crawl');
  const general = crawlOptions(config, { seeds: cluster.seeds, contact: config.contact });
  const [archive, journal] = [await context.openBlobs('archive/'), await context.openBlobs('journal/')];
  const captures = { archive, journal, node, software: general.software, clock };
  return await openCrawler({
    ...general,
    hostGroups: { ...general.hostGroups, turns },
    clock,
    log,
    state: withWaiting(state, waiting),
    directory: files,
    archive: files.directory('archive'),
    journal: files.directory('journal'),
    openCaptures: (mark) =>
      openObjectCaptures({ ...captures, compression: config.archive.compression }, mark),
    exchange,
    mayFetch: () => watch.mayFetch(),
    removed: {
      matches: (url) => context.removals.urls.matches(url),
      coversHost: (origin) => context.removals.urls.coversHost(origin),
    },
    urlRules: urlRulesPlan(config, cluster.seeds),
    reading: readingPlanOf(config, cluster),
    robotsOverrides: createRobotsOverrides(config.crawl.robotsOverrides),
    keepRunning: true,
    maxPages: Number.MAX_SAFE_INTEGER,
    commitMs: COMMIT_MS,
    revisit: config.crawl.revisit !== 'off',
    onUnreachable: (origin, reason) => log.warn('host unreachable', { origin, reason }),
  });
}

/**
 * Returns the turns of this node with IP addresses. The delay between two nodes is at least that of a host, because a
 * robots.txt or an icon may be on a host of another node.
 */
function turnsOf({ database, node, config, clock, log }: NodeContext): PostgresAddressTurns {
  const delayMs = Math.max(config.crawl.addressDelayMs, config.crawl.delayMs);
  return new PostgresAddressTurns({ sql: database, node, delayMs, clock, log });
}

function groupsOf({ config }: NodeContext) {
  return Object.entries(config.crawl.groups).map(([name, hosts]) => ({ name, hosts }));
}

/** Stops requests for lost vnodes, and sends links to their new owners. */
async function giveAway(
  { context, watch }: NodeCrawlOptions,
  exchange: RabbitLinkExchange,
  lost: readonly OwnedVnode[],
  others: readonly Discovered[],
): Promise<void> {
  const gone = new Set(lost.map(({ vnode }) => vnode));
  if (gone.size > 0) {
    watch.suspend();
    context.log.warn('vnodes lost', { vnodes: gone.size });
    // `setOwned` resolves after the commit that waits for this function. Therefore it must not be awaited here.
    const kept = watch.held.filter(({ vnode }) => !gone.has(vnode));
    exchange
      .setOwned(kept.map(({ vnode }) => vnode))
      .catch((error: unknown) => context.log.warn('queues not released', { reason: String(error) }));
  }
  for (const { url, depth, verb, from } of others) {
    const links = linksTo([url], depth);
    const source = from === undefined ? null : (`${from}/` as CanonicalUrl);
    await exchange.send(verb === 'follow' ? { ...links, followOnly: [0] } : links, source);
  }
  await exchange.flush();
}
