/**
 * One crawl of a cluster that is disturbed by a fault. The checks use the request log of the synthetic web,
 * which is independent of the crawler.
 *
 *   services, web, nodes with all roles, gateway -> all nodes crawl, all shards are searchable -> fault -> crawl ends -> checks
 *
 * Checks after every fault: each page was requested, is in the archive, and is found by its own word in exactly
 * one shard and through the gateway; no host received two requests at once or too soon. Queries are sent during
 * the whole run, and none may fail.
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
  brokenSearch,
  impoliteness,
  isDone,
  isSharing,
  openCluster,
  openWeb,
  repeated,
  until,
} from '../helpers/cluster-crawl.ts';
import { type Gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { type NodePlace, SECRET, type TestCluster } from '../helpers/test-cluster.ts';
import { Gate } from './gate.ts';

const ROLES = 'crawl,index,search';
const QUERY_PAUSE_MS = 100;
/**
 * The maximum time to wait for a state. It is long, because a fault may last for two minutes, and services need
 * half a minute to start again.
 */
const PATIENCE_MS = 300_000;
const POLL_MS = 50;

export interface FaultOptions {
  /** The number of nodes with the roles crawl, index and search; 2 by default. */
  nodes?: number;
  pages?: number;
  delayMs?: number;
  /** The place where each node runs, such as a network namespace, if it differs from the other nodes. */
  places?: readonly NodePlace[];
}

export class FaultRun {
  readonly context: TestContext;
  readonly web: SyntheticWeb;
  readonly cluster: TestCluster;
  /** The proxy through which all nodes reach S3. */
  readonly s3: Gate;
  readonly nodes: Gyre[] = [];
  readonly #delayMs: number;
  #gateway = '';

  private constructor(
    context: TestContext,
    { web, cluster, s3, delayMs }: { web: SyntheticWeb; cluster: TestCluster; s3: Gate; delayMs: number },
  ) {
    this.context = context;
    this.web = web;
    this.cluster = cluster;
    this.s3 = s3;
    this.#delayMs = delayMs;
  }

  /** Starts the nodes, and waits until all of them crawl. */
  static async start(
    context: TestContext,
    { nodes = 2, pages = 720, delayMs = 100, places = [] }: FaultOptions,
  ): Promise<FaultRun> {
    const web = await openWeb(context, pages);
    const { hostname, port } = new URL(bucketAccess.endpoint);
    const s3 = await Gate.open({ host: hostname, port: Number(port) }, { host: '127.0.0.1', port: 0 });
    context.after(() => s3.shut());
    const cluster = await openCluster(context, web, {
      delayMs,
      endpoint: `http://127.0.0.1:${s3.port}`,
      crawl: { allowAddresses: ['127.0.0.0/8', '10.213.0.0/15'] },
    });
    const run = new FaultRun(context, { web, cluster, s3, delayMs });
    // The first node becomes the coordinator, so the gateway starts last.
    for (let node = 0; node < nodes; node++) await run.join(places[node]);
    const gateway = await cluster.start('gateway', ['--port', String(await freePort())]);
    run.#gateway = (await gateway.told(/gateway listens.*?(http:\/\/[\d.]+:\d+)/))[1]!;
    await until('all nodes crawl', () => isSharing(cluster, nodes), PATIENCE_MS);
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
   * Waits until a query reaches every shard, and each shard is open on two nodes. After that, no query may
   * fail.
   */
  async whenSearchable(): Promise<void> {
    const isOpen = async () => {
      const members = await readSearchMembers(this.cluster.database);
      const open = await askOpenShards(members, messageKey(SECRET));
      return open.reduce((sum, { shards }) => sum + shards.length, 0) >= 2 * this.cluster.shards;
    };
    await until('each shard has two replicas', isOpen, PATIENCE_MS);
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

  /** Prints the time until another node became the coordinator. */
  async untilCoordinator(startedAt: number, before: { epoch: number }): Promise<void> {
    await this.#measured('another coordinator', 6_000, startedAt, async () => {
      return (await this.coordinator()).epoch > before.epoch;
    });
  }

  /** Prints the time until other nodes owned all vnodes of the nodes that died. */
  async untilTakenOver(startedAt: number, gone: readonly Gyre[]): Promise<void> {
    const names = gone.map((node) => this.nameOf(node));
    await this.#measured('all vnodes have live owners', 15_000, startedAt, async () => {
      const [row] = await this.cluster.database<{ left: number }[]>`
        select count(*)::int as left from gyre.vnodes where owner is null or owner = any(${names})`;
      return row!.left === 0;
    });
  }

  /**
   * Sends queries to the gateway all the time. The returned function stops this, and checks that no query has
   * failed.
   */
  queryAllTheTime(): () => Promise<void> {
    const replies: string[] = [];
    let isOver = false;
    const words = [...this.web.plan.plainPages(this.web.port)].map(({ uniqueWord }) => uniqueWord);
    const running = (async () => {
      for (let n = 0; !isOver; n++) {
        replies.push(await this.#query(words[n % words.length]!));
        await sleep(QUERY_PAUSE_MS);
      }
    })();
    return async () => {
      isOver = true;
      await running;
      const bad = replies.filter((reply) => reply !== 'complete');
      this.context.diagnostic(`${replies.length} queries meanwhile, ${bad.length} of them failed or partial`);
      assert.deepEqual(bad, []);
    };
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
    assert.deepEqual(impoliteness(this.web, this.#delayMs), []);
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
    this.context.diagnostic(`${what} after ${ms} ms (aim: ${mostMs})${ms > mostMs ? ': MISSED' : ''}`);
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
