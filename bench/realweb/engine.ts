/**
 * Runs the engine under test, `bin/gyre`, in separate processes: crawl, build, rank, embed, export and serve.
 *
 * The web is a directory with `gyre.json`, the configuration, and `seeds.txt`, one URL per line.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readData } from '../../src/cli/data-directory.ts';
import { readManifest } from '../../src/index/mod.ts';
import { journalFiles } from '../../src/journal/mod.ts';
import { freePort } from '../free-port.ts';

const GYRE = join(import.meta.dirname, '..', '..', 'bin', 'gyre');
const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;

/** A web to crawl, and the data directory of its crawl. */
export interface WebData {
  web: string;
  data: string;
}

export type StageSeconds = Record<'crawl' | 'build' | 'rank' | 'embed', number>;

/**
 * Crawls, builds, ranks and embeds, and returns the time of each stage. Returns null if the data directory is
 * already complete.
 */
export function prepareData(of: WebData): StageSeconds | null {
  if (isComplete(of)) return null;
  const seeds = readFileSync(join(of.web, 'seeds.txt'), 'utf8').split(/\s+/).filter(Boolean);
  return {
    crawl: secondsOf(() => runGyre(of, 'crawl', ...seeds)),
    build: secondsOf(() => runGyre(of, 'build')),
    rank: secondsOf(() => runGyre(of, 'rank')),
    embed: process.env.GYRE_MEANING_MODEL === 'off' ? 0 : secondsOf(() => runGyre(of, 'embed')),
  };
}

/** Returns true if no URL is queued, every journal file is in the index, and pages are ranked. */
function isComplete(of: WebData): boolean {
  const graph = join(of.data, 'graph');
  if (!existsSync(graph) || !readdirSync(graph).some((name) => name.endsWith('.ranks'))) return false;
  const { crawl, index } = JSON.parse(runGyre(of, 'status', '--json'));
  const directories = readData(of.data);
  return (
    crawl.ready === 0 &&
    index.docCount > 0 &&
    journalFiles(directories.journal, readManifest(directories.index).journal).length === 0
  );
}

function secondsOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

/** A command has failed and has printed the reason. */
export class CommandFailed extends Error {}

/** Runs a command to its end and returns its output. Throws `CommandFailed` if it fails. */
export function runGyre({ web, data }: WebData, command: string, ...args: readonly string[]): string {
  const all = [GYRE, command, '--data', data, '--config', join(web, 'gyre.json'), ...args];
  const { status, stdout } = spawnSync(process.execPath, all, {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new CommandFailed(`gyre ${command} --data ${data} failed`);
  return stdout;
}

/** The fields of a search result that are judged. */
export interface FoundPage {
  url: string;
  title: string;
  snippet: string;
  /** The URLs of near duplicates that are not listed as results. */
  similar?: string[];
  /** Present if more results of the same host are left out of the list. */
  moreFromSite?: { count: number };
}

export class EngineServer {
  readonly base: string;
  readonly #process: ChildProcess;

  private constructor(base: string, child: ChildProcess) {
    this.base = base;
    this.#process = child;
  }

  /** `environment` has settings that replace those of this process. */
  static async start(
    { web, data }: { web?: string; data: string },
    environment: Record<string, string> = {},
  ): Promise<EngineServer> {
    const port = await freePort();
    const config = web === undefined ? [] : ['--config', join(web, 'gyre.json')];
    const args = [GYRE, 'serve', '--data', data, ...config, '--port', String(port)];
    const env = { ...process.env, ...environment };
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`gyre serve ended with ${code}`)));
      child.stdout!.on('data', (text) => String(text).includes('search at') && resolve());
    });
    return new EngineServer(`http://127.0.0.1:${port}`, child);
  }

  /** Returns the ten best results, and the time from the request to the last byte of the response. */
  async search(query: string): Promise<{ results: FoundPage[]; ms: number }> {
    // Lets Node handle events first, so that it notices connections that the server closed while this process
    // was busy.
    await setImmediate();
    const start = performance.now();
    const response = await fetch(`${this.base}/api/v1/search?limit=10&q=${encodeURIComponent(query)}`);
    const body = await response.text();
    const ms = performance.now() - start;
    if (!response.ok) throw new Error(`HTTP ${response.status} for the query "${query}": ${body}`);
    return { results: JSON.parse(body).results, ms };
  }

  /** Returns the processor time of the server so far, which does not depend on other work on the machine. */
  async cpuMs(): Promise<number> {
    return 1000 * (await this.#metric('process_cpu_seconds_total'));
  }

  /** Returns the resident memory of the server. */
  async memoryMB(): Promise<number> {
    return (await this.#metric('process_resident_memory_bytes')) / 2 ** 20;
  }

  async #metric(name: string): Promise<number> {
    const metrics = await (await fetch(`${this.base}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)![1]);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('close', resolve));
    this.#process.kill('SIGTERM');
    await ended;
  }
}
