/** A cluster of containers on the services of `scripts/services run`, with the command lines of deploy/compose.yaml. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { parse } from 'yaml';
import { sleep } from '../../src/base/mod.ts';
import type { PlainPage } from '../../src/synthetic-web/mod.ts';
import type { Docker } from './docker.ts';

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');
const LIMIT_MS = 4 * 60_000;
const BUCKET = 'gyre';
const CLUSTER_SECRET = 'a secret of this test only';

export interface ClusterOptions {
  /** A folder for the cluster file. */
  folder: string;
  image: string;
  seeds: readonly string[];
  gatewayPort: number;
  /** The ports of the two searchers. */
  searcherPorts: readonly [number, number];
}

export class ClusterContainers {
  readonly #docker: Docker;
  readonly #options: ClusterOptions;
  readonly #s3 = new URL(process.env.TEST_S3_URL!);
  readonly #names: string[] = [];

  constructor(docker: Docker, options: ClusterOptions) {
    this.#docker = docker;
    this.#options = options;
  }

  /** Starts two crawlers, an indexer, two searchers and a gateway. */
  async up(): Promise<void> {
    await this.#createBucket();
    writeFileSync(this.#file, JSON.stringify(this.#clusterFile()));
    const { gatewayPort, searcherPorts } = this.#options;
    await this.#start('crawler-1', 'crawler');
    await this.#start('crawler-2', 'crawler');
    await this.#start('indexer', 'indexer');
    await this.#start('searcher-1', 'searcher-1', `127.0.0.1:${searcherPorts[0]}`);
    await this.#start('searcher-2', 'searcher-2', `127.0.0.1:${searcherPorts[1]}`);
    await this.#start('gateway', 'gateway', null, ['-e', `GYRE_SERVE_PORT=${gatewayPort}`]);
  }

  get #file(): string {
    return join(this.#options.folder, 'cluster.json');
  }

  async #createBucket(): Promise<void> {
    const { origin, username, password } = this.#s3;
    const credentials = { accessKeyId: username, secretAccessKey: password };
    const client = new S3Client({ endpoint: origin, region: 'us-east-1', forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    client.destroy();
  }

  /** Returns deploy/cluster.json with the services and the web of this test. */
  #clusterFile(): unknown {
    const file = JSON.parse(readFileSync(join(DEPLOY, 'cluster.json'), 'utf8'));
    const crawl = { resolve: { '*.test': '127.0.0.1' }, allowAddresses: ['127.0.0.0/8'], domains: ['test'] };
    return {
      ...file,
      postgresql: process.env.TEST_POSTGRES_URL,
      rabbitmq: process.env.TEST_RABBITMQ_URL,
      s3: { ...file.s3, bucket: BUCKET, endpoint: this.#s3.origin, accessKeyId: this.#s3.username },
      seeds: this.#options.seeds,
      settings: {
        ...file.settings,
        meaning: { model: 'off' },
        crawl: { ...crawl, delay: '50ms', icons: 'off' },
      },
    };
  }

  /** Starts a container with the command of a service of the compose file. */
  async #start(
    name: string,
    service: string,
    listen: string | null = null,
    more: readonly string[] = [],
  ): Promise<void> {
    const { services } = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true });
    // All containers have the network of this machine, so they cannot share the port of the health checks.
    const words = String(services[service].command)
      .replace(/ --health \S+/, '')
      .split(' ');
    const command =
      listen === null ? words : [...words.slice(0, words.indexOf('--listen')), '--listen', listen];
    const variables = {
      GYRE_MEMORY: '512Mi',
      GYRE_SERVE_HOST: '127.0.0.1',
      CLUSTER_SECRET,
      S3_PASSWORD: this.#s3.password,
    };
    const environment = Object.entries(variables).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
    const safe = [
      '--read-only',
      '--tmpfs',
      '/tmp',
      '--cap-drop',
      'ALL',
      '--security-opt',
      'no-new-privileges',
    ];
    const file = ['-v', `${this.#file}:/etc/gyre/cluster.json:ro`];
    const options = ['-d', '--name', name, '--network', 'host', ...safe, ...environment, ...more, ...file];
    await this.#docker.run(['run', ...options, this.#options.image, ...command]);
    this.#names.push(name);
  }

  /** Resolves when the gateway finds `count` documents. */
  async whenIndexed(count: number): Promise<void> {
    const end = Date.now() + LIMIT_MS;
    for (let documents = 0; documents < count; ) {
      if (Date.now() > end)
        throw new Error(`expected ${count} documents, got ${documents}:\n${await this.#logs()}`);
      await sleep(500);
      documents = await this.#get<{ documents?: number }>('/readyz').then(
        (ready) => ready.documents ?? 0,
        () => 0,
      );
    }
  }

  async #logs(): Promise<string> {
    const logs = this.#names.map((name) => this.#docker.run(['logs', '--tail', '3', name]));
    return (await Promise.all(logs)).join('\n');
  }

  async #get<T>(path: string): Promise<T> {
    return (await (await fetch(`http://127.0.0.1:${this.#options.gatewayPort}${path}`)).json()) as T;
  }

  /** Checks that every page is the first result for its own word, in complete responses. */
  async checkSearches(pages: readonly PlainPage[]): Promise<void> {
    for (const page of pages) {
      const path = `/api/v1/search?q=${encodeURIComponent(page.uniqueWord)}`;
      const { results, partial } = await this.#get<{ results: { url: string }[]; partial: boolean }>(path);
      assert.equal(results[0]?.url, page.url);
      assert.equal(partial, false);
    }
  }

  async kill(name: string): Promise<void> {
    await this.#docker.run(['kill', name]);
    this.#names.splice(this.#names.indexOf(name), 1);
  }

  /** Stops the nodes that run, and checks that each ends without an error. */
  async stop(): Promise<void> {
    for (const name of this.#names) {
      await this.#docker.run(['stop', '--time', '60', name]);
      assert.equal(await this.#docker.run(['inspect', name, '--format', '{{.State.ExitCode}}']), '0', name);
    }
  }
}
