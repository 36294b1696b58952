/** The service `engine` of deploy/compose.single.yaml, on the network of the host. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { sleep } from '../../src/base/mod.ts';
import type { PlainPage } from '../../src/synthetic-web/mod.ts';
import type { Docker } from './docker.ts';

const COMPOSE_FILE = join(import.meta.dirname, '..', '..', 'deploy', 'compose.single.yaml');
const NAME = 'gyre-engine';
const LIMIT_MS = 5 * 60_000;
const STOP_SECONDS = 10;

export interface EngineOptions {
  /** A folder for the changed compose file. */
  folder: string;
  image: string;
  port: number;
}

export class EngineContainer {
  readonly #docker: Docker;
  readonly #options: EngineOptions;
  readonly #address: string;

  constructor(docker: Docker, options: EngineOptions) {
    this.#docker = docker;
    this.#options = options;
    this.#address = `http://127.0.0.1:${options.port}`;
  }

  async up(seeds: readonly string[]): Promise<void> {
    writeFileSync(
      this.#file,
      JSON.stringify(onHostNetwork(readFileSync(COMPOSE_FILE, 'utf8'), this.#options.port)),
    );
    const environment = { SEEDS: seeds.join(' '), GYRE_IMAGE: this.#options.image };
    await this.#compose(['up', '-d', 'engine'], environment);
  }

  get #file(): string {
    return join(this.#options.folder, 'compose.yaml');
  }

  #compose(args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
    return this.#docker.command('docker-compose', ['-p', 'gyre', '-f', this.#file, ...args], { environment });
  }

  /** Resolves when the health check of the image reports that the engine is alive. */
  async whenHealthy(): Promise<void> {
    await this.#until('healthy', async () => (await this.#inspect('{{.State.Health.Status}}')) === 'healthy');
  }

  /** Resolves when the index has `count` documents. */
  async whenIndexed(count: number): Promise<void> {
    await this.#until(`${count} documents`, async () => {
      const { documents = 0 } = await this.#get<{ documents?: number }>('/readyz');
      return documents >= count;
    });
  }

  async #until(wanted: string, isDone: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + LIMIT_MS;
    while (!(await isDone())) {
      const isRunning = (await this.#inspect('{{.State.Running}}')) === 'true';
      if (isRunning && Date.now() < end) await sleep(250);
      else throw new Error(`expected ${wanted}:\n${await this.#docker.run(['logs', '--tail', '10', NAME])}`);
    }
  }

  #inspect(format: string): Promise<string> {
    return this.#docker.run(['inspect', NAME, '--format', format]);
  }

  async #get<T>(path: string): Promise<T> {
    return (await (await fetch(this.#address + path)).json()) as T;
  }

  /** Checks the user, the capabilities and the file system as the processes of the container see them. */
  async checkIsolation(): Promise<void> {
    const script =
      'id -u; grep -h -E "^(CapEff|NoNewPrivs)" /proc/1/status; touch /gyre/x 2>&1; touch /data/x && rm /data/x && echo data';
    const lines = (await this.#docker.run(['exec', NAME, 'bash', '-c', script])).split('\n');
    assert.deepEqual(lines, [
      '10001',
      'CapEff:\t0000000000000000',
      'NoNewPrivs:\t1',
      "touch: cannot touch '/gyre/x': Read-only file system",
      'data',
    ]);
  }

  async kill(): Promise<void> {
    await this.#docker.run(['kill', NAME]);
  }

  async startAgain(): Promise<void> {
    await this.#docker.run(['start', NAME]);
  }

  /** Checks that every page is the first result for the word that only this page has. */
  async checkSearches(pages: readonly PlainPage[]): Promise<void> {
    for (const page of pages) {
      const path = `/api/v1/search?q=${encodeURIComponent(page.uniqueWord)}`;
      const { results } = await this.#get<{ results: { url: string }[] }>(path);
      assert.equal(results[0]?.url, page.url);
    }
  }

  /** Stops the engine with SIGTERM. Returns a text with its exit code and the time that it took. */
  async stop(): Promise<string> {
    const startedAt = Date.now();
    await this.#docker.run(['stop', '--time', '60', NAME]);
    const seconds = (Date.now() - startedAt) / 1000;
    assert.equal(await this.#inspect('{{.State.ExitCode}}'), '0');
    assert.ok(seconds < STOP_SECONDS, `stopped after ${seconds} s`);
    return `exit code 0 after ${seconds.toFixed(1)} s`;
  }

  async down(): Promise<void> {
    await this.#compose(['down', '--volumes']);
  }
}

/**
 * Returns the compose file with its engine on the network of the host, listening and crawling on loopback only. Other
 * services and the build are left out.
 */
function onHostNetwork(text: string, port: number): unknown {
  const { services, volumes } = parse(text) as ComposeFile;
  const { ports: _, networks: __, build: ___, environment, ...engine } = services.engine;
  const changed = {
    ...environment,
    GYRE_SERVE_HOST: '127.0.0.1',
    GYRE_SERVE_PORT: String(port),
    GYRE_CRAWL_RESOLVE: '{"*.test":"127.0.0.1"}',
    GYRE_CRAWL_ALLOW_ADDRESSES: '127.0.0.0/8',
    GYRE_CRAWL_DELAY: '500ms',
    GYRE_CRAWL_DOMAINS: 'test',
    GYRE_CRAWL_ICONS: 'off',
    GYRE_MEANING_MODEL: 'off',
    GYRE_CONTACT: 'https://example.org/test',
  };
  const service = { ...engine, container_name: NAME, network_mode: 'host', environment: changed };
  return { services: { engine: service }, volumes: { data: volumes.data } };
}

interface ComposeFile {
  services: { engine: Record<string, unknown> & { environment: Record<string, string> } };
  volumes: Record<string, unknown>;
}
