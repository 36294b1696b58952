/**
 * One crawl of a cluster that is disturbed by a fault. The checks use the request log of the synthetic web,
 * which is independent of the crawler.
 *
 *   services, web, nodes with all roles, gateway -> all nodes crawl, all shards are searchable -> fault -> crawl ends -> checks
 *
 * Checks after every fault: each page was requested, is in the archive, and is found by its own word in exactly
 * one shard and through the gateway; no host received two requests at once or too soon; a page was fetched again
 * only if its result was not committed when the fault began. Queries are sent from
 * the moment when all shards are searchable to the end of the crawl, and none may fail.
 *
 * Recovery times must be within their aims, for a lease of 6 s of a node and of 5 s of the coordinator, times
 * GYRE_TEST_MARGIN. The margin is 3 by default, because the machine may be busy: then one query in ten may be partial
 * or end with 503, because search nodes did not answer in time. With 1 the aims are exact, and every query is complete.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { freePort } from '../../bench/free-port.ts';
import { noDamage, readWarc } from '../../src/archive/mod.ts';
import { openDirectory, sleep } from '../../src/base/mod.ts';
import { askOpenShards, messageKey, readSearchMembers } from '../../src/cluster/mod.ts';
import { bucketAccess } from '../../src/cluster/test-bucket.fixture.ts';
import type { SyntheticWeb } from '../../src/synthetic-web/server.ts';
import {
  addressImpoliteness,
  brokenSearch,
  impoliteness,
  isDone,
  isSharing,
  missingPages,
  openCluster,
  openWeb,
  repeated,
  until,
} from '../helpers/cluster-crawl.ts';
import { type Gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { type NodePlace, SECRET, type TestCluster } from '../helpers/test-cluster.ts';
import { Gate } from './gate.ts';

const ROLES = 'crawl,index,search';
const QUERY_PAUSE_MS = 250;
const MARGIN = Number(process.env.GYRE_TEST_MARGIN ?? 3);
/** The reply if no search node answers in time. */
const UNAVAILABLE = 'status 503';
/** The share of queries that may be partial or unavailable on a busy machine. */
const LATE_SHARE = 0.1;
/** The aims for recovery times. */
const COORDINATOR_MS = 6_000;
const VNODES_MS = 15_000;
/**
 * The maximum time to wait for a state. It is long, because a fault may last for two minutes, services need half a
 * minute to start again, and the machine may be busy.
 */
const PATIENCE_MS = 600_000;
const POLL_MS = 50;
/** An IPv6 form of the loopback address. The delay per IP address applies to it, unlike to loopback addresses. */
const NO_LOOPBACK = '::ffff:127.0.0.1';

export interface FaultOptions {
  /** The number of nodes with the roles crawl, index and search; 2 by default. */
  nodes?: number;
  pages?: number;
  delayMs?: number;
  /** The number of search nodes that have each shard; 2 by default. */
  replicas?: number;
  /** The minimum time between requests to one IP address, which all hosts share; by default there is none. */
  addressDelayMs?: number;
  /** The place where each node runs, such as a network namespace, if it differs from the other nodes. */
  places?: readonly NodePlace[];
}

/** The settings of a run. */
type RunSettings = Required<Pick<FaultOptions, 'delayMs' | 'replicas' | 'addressDelayMs'>>;

export class FaultRun {
  readonly context: TestContext;
  readonly web: SyntheticWeb;
  readonly cluster: TestCluster;
  /** The proxy through which all nodes reach S3. */
  readonly s3: Gate;
  readonly nodes: Gyre[] = [];
  readonly #settings: RunSettings;
  readonly #queries: string[] = [];
  /** For each fault, the pages that were committed when it began, and its end by `performance.now()`. */
  readonly #faults: { committed: ReadonlySet<string>; endMs: number }[] = [];
  #isOver = false;
  #querying: Promise<void> = Promise.resolve();
  #gateway = '';

  private constructor(
    context: TestContext,
    { web, cluster, s3, ...settings }: { web: SyntheticWeb; cluster: TestCluster; s3: Gate } & RunSettings,
  ) {
    this.context = context;
    this.web = web;
    this.cluster = cluster;
    this.s3 = s3;
    this.#settings = settings;
  }

  /** Starts the nodes, waits until all of them crawl and every shard is searchable, and begins to send queries. */
  static async start(context: TestContext, options: FaultOptions): Promise<FaultRun> {
    const { nodes = 2, pages = 720, delayMs = 600, replicas = 2, addressDelayMs = 0, places = [] } = options;
    const web = await openWeb(context, pages);
    const { hostname, port } = new URL(bucketAccess.endpoint);
    const s3 = await Gate.open({ host: hostname, port: Number(port) }, { host: '127.0.0.1', port: 0 });
    context.after(() => s3.shut());
    const cluster = await openCluster(context, web, {
      delayMs,
      replicas,
      endpoint: `http://127.0.0.1:${s3.port}`,
      crawl: {
        allowAddresses: ['127.0.0.0/8', '10.213.0.0/15'],
        addressDelay: `${addressDelayMs}ms`,
        ...(addressDelayMs > 0 && { resolve: { '*.test': NO_LOOPBACK } }),
      },
    });
    const run = new FaultRun(context, { web, cluster, s3, delayMs, replicas, addressDelayMs });
    // The first node becomes the coordinator, so the gateway starts last.
    for (let node = 0; node < nodes; node++) await run.join(places[node]);
    const gateway = await cluster.start('gateway', ['--port', String(await freePort())]);
    run.#gateway = (await gateway.told(/gateway listens.*?(http:\/\/[\d.]+:\d+)/))[1]!;
    await until('all nodes crawl', () => isSharing(cluster, nodes), PATIENCE_MS);
    await run.whenSearchable();
    run.#querying = run.#sendQueries();
    context.after(() => {
      run.#isOver = true;
    });
    assert.notEqual(missingPages(web).length, 0, 'the fault happens during the crawl');
    return run;
  }

  /** Starts one more node. */
  async join(place?: NodePlace): Promise<Gyre> {
    const flags = ['--listen', `127.0.0.1:${await freePort()}`];
    const node = await this.cluster.start(ROLES, flags, place);
    this.nodes.push(node);
    await node.told(/search node listens/);
    return node;
  }

  /**
   * Waits until a query reaches every shard, and each shard has all its replicas. After that, no query may
   * fail.
   */
  async whenSearchable(): Promise<void> {
    const isOpen = async () => {
      const members = await readSearchMembers(this.cluster.database);
      const open = await askOpenShards(members, messageKey(SECRET));
      return (
        open.reduce((sum, { shards }) => sum + shards.length, 0) >=
        this.#settings.replicas * this.cluster.shards
      );
    };
    await until('each shard has its replicas', isOpen, PATIENCE_MS);
    await until('searches are complete', async () => (await this.#query('word')) === 'complete', PATIENCE_MS);
  }

  /** Returns the cluster file of the nodes. */
  clusterFile(): Record<string, unknown> {
    return JSON.parse(readFileSync(this.cluster.file, 'utf8'));
  }

  /** Returns true if the node has committed pages. */
  async hasCommitted(node: Gyre): Promise<boolean> {
    const rows = await this.cluster.database`
      select from gyre.capture_batches where node = ${this.nameOf(node)} and records > 0 limit 1`;
    return rows.length > 0;
  }

  /** Returns the name of a node in the database. */
  nameOf(node: Gyre): string {
    return /joined cluster \S+ as (\S+):/.exec(node.stderr)![1]!;
  }

  /** Returns the node that holds the coordinator lease, and the other nodes. */
  async divide(): Promise<{ coordinator: Gyre; others: Gyre[] }> {
    const { node } = await this.coordinator();
    const coordinator = this.nodes.find((other) => this.nameOf(other) === node)!;
    return { coordinator, others: this.nodes.filter((other) => other !== coordinator) };
  }

  async coordinator(): Promise<{ node: string; epoch: number }> {
    const [row] = await this.cluster.database<{ node: string; epoch: number }[]>`
      select node, epoch from gyre.coordinator`;
    return row!;
  }

  /** Calls `fault`, in which nodes may lose what they have not committed. Returns the time at which it began. */
  async losing(fault: () => unknown): Promise<number> {
    const rows = await this.cluster.database<{ url: string }[]>`
      select url from gyre.crawl_urls where state <> 'ready'`;
    const committed = new Set(
      rows.map(({ url }) => new URL(url)).map(({ hostname, pathname }) => hostname + pathname),
    );
    const startedAt = performance.now();
    await fault();
    this.#faults.push({ committed, endMs: performance.now() });
    return startedAt;
  }

  /** Checks and prints the time until another node became the coordinator. */
  async untilCoordinator(startedAt: number, before: { epoch: number }): Promise<void> {
    await this.#measured('another coordinator', COORDINATOR_MS, startedAt, async () => {
      return (await this.coordinator()).epoch > before.epoch;
    });
  }

  /** Checks and prints the time until other nodes owned all vnodes of the nodes that died. */
  async untilTakenOver(startedAt: number, gone: readonly Gyre[]): Promise<void> {
    const names = gone.map((node) => this.nameOf(node));
    await this.#measured('all vnodes have live owners', VNODES_MS, startedAt, async () => {
      const [row] = await this.cluster.database<{ left: number }[]>`
        select count(*)::int as left from gyre.vnodes where owner is null or owner = any(${names})`;
      return row!.left === 0;
    });
  }

  /** Sends queries to the gateway until the run is over. */
  async #sendQueries(): Promise<void> {
    const words = [...this.web.plan.plainPages(this.web.port)].map(({ uniqueWord }) => uniqueWord);
    for (let n = 0; !this.#isOver; n++) {
      this.#queries.push(await this.#query(words[n % words.length]!).catch(String));
      await sleep(QUERY_PAUSE_MS);
    }
  }

  /** Ends the queries, and checks that none has failed. */
  async #checkQueries(): Promise<void> {
    this.#isOver = true;
    await this.#querying;
    const count = this.#queries.length;
    const replies = Map.groupBy(this.#queries, (reply) => reply);
    const late = (replies.get('partial')?.length ?? 0) + (replies.get(UNAVAILABLE)?.length ?? 0);
    const failed = this.#queries.filter((reply) => !['complete', 'partial', UNAVAILABLE].includes(reply));
    this.context.diagnostic(
      `${count} queries, ${failed.length} of them failed, ${late} partial or unavailable`,
    );
    assert.notEqual(count, 0);
    assert.deepEqual(failed, []);
    const most = MARGIN > 1 ? count * LATE_SHARE : 0;
    assert.ok(late <= most, `${late} of ${count} queries partial or unavailable, expected at most ${most}`);
  }

  /**
   * Waits for the end of the crawl, and checks that nothing was lost and that no host received requests too
   * soon.
   */
  async check(): Promise<void> {
    const startedAt = performance.now();
    await until(
      'every page is indexed',
      orFalse(() => isDone(this.cluster, this.web)),
      PATIENCE_MS,
    );
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const again = repeated(this.web).length;
    this.context.diagnostic(`crawl complete ${seconds} s later; ${again} pages were fetched again`);
    await this.#checkQueries();
    assert.deepEqual(this.#repeatedWithoutReason(), []);
    const { delayMs, addressDelayMs } = this.#settings;
    assert.deepEqual(impoliteness(this.web, delayMs), []);
    assert.deepEqual(addressImpoliteness(this.web, addressDelayMs), []);
    assert.deepEqual(await this.#notArchived(), []);
    assert.deepEqual(await brokenSearch(this.cluster, this.web), []);
    await until('searches are complete', async () => (await this.#query('word')) === 'complete', PATIENCE_MS);
  }

  async #measured(what: string, mostMs: number, startedAt: number, isTrue: () => Promise<boolean>) {
    const endAt = performance.now() + PATIENCE_MS;
    while (!(await orFalse(isTrue)())) {
      assert.ok(performance.now() < endAt, `waited too long: ${what}`);
      await sleep(POLL_MS);
    }
    const ms = Math.round(performance.now() - startedAt);
    const aim = `aim: ${mostMs} ms, margin: ${MARGIN}`;
    this.context.diagnostic(`${what} after ${ms} ms (${aim})${ms > mostMs ? ': later than the aim' : ''}`);
    assert.ok(ms <= mostMs * MARGIN, `${what} after ${ms} ms (${aim})`);
  }

  /** Returns the pages that were fetched again although no fault lost the results of their earlier requests. */
  #repeatedWithoutReason(): string[] {
    const requests = Map.groupBy(this.web.log, ({ host, path }) => host + path);
    return repeated(this.web).filter((name) => {
      const isLost = ({ startedAt }: { startedAt: number }) =>
        this.#faults.some(({ committed, endMs }) => !committed.has(name) && startedAt <= endMs);
      return !requests.get(name)!.slice(0, -1).every(isLost);
    });
  }

  async #query(word: string): Promise<string> {
    const response = await fetch(`${this.#gateway}/api/v1/search?q=${encodeURIComponent(word)}`);
    const { partial } = (await response.json()) as { partial?: boolean };
    if (response.status !== 200) return `status ${response.status}`;
    return partial ? 'partial' : 'complete';
  }

  /** Returns the pages whose responses are in no committed WARC object. */
  async #notArchived(): Promise<string[]> {
    const rows = await this.cluster.database<{ name: string }[]>`
      select node || '-' || lpad(batch::text, 8, '0') || '.warc.gz' as name
      from gyre.capture_batches where warc_bytes > 0`;
    const blobs = await this.cluster.openBlobs('archive/');
    const directory = openDirectory(temporaryDirectory(this.context));
    const archived = new Set<string>();
    for (const { name } of rows) {
      directory.replace(name, await blobs.get(name));
      const file = directory.open(name);
      for await (const { record } of readWarc(file, noDamage()))
        if (record.type === 'response') archived.add(record.targetUri);
      file.close();
    }
    return [...this.web.plan.plainPages(this.web.port)]
      .map(({ url }) => url)
      .filter((url) => !archived.has(url));
  }
}

/** Returns a function that calls `isTrue`, and returns false while a service is unreachable. */
function orFalse(isTrue: () => Promise<boolean>): () => Promise<boolean> {
  return () => isTrue().catch(() => false);
}
