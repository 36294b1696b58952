/** The servers under test, each as its own process: `bin/gyre serve`, and Lucene with the JDK's HTTP server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { javaArguments } from '../lucene/lucene.ts';
import { type Usage, usageOf } from '../process-cost.ts';

const GYRE = join(import.meta.dirname, '..', '..', 'bin', 'gyre');
/**
 * The weight (boost) of titles in Lucene. With weights from 2 to 8, its results on judged queries differ
 * little.
 */
const TITLE_BOOST = 3;
const POLL_MS = 5;

export class SearchServer {
  readonly port: number;
  /** The time from the start of the process until it was ready for queries. */
  readonly readyMs: number;
  readonly #process: ChildProcess;

  private constructor(port: number, child: ChildProcess, readyMs: number) {
    this.port = port;
    this.#process = child;
    this.readyMs = readyMs;
  }

  /** Starts a server. Calls `isReady` repeatedly until it returns true. */
  static async start(
    command: string,
    args: readonly string[],
    port: number,
    environment: Readonly<Record<string, string>>,
    isReady: (printed: string) => Promise<boolean>,
  ): Promise<SearchServer> {
    const startedAt = performance.now();
    const env = { ...process.env, ...environment };
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    while (!(await isReady(printed))) {
      if (child.exitCode !== null)
        throw new Error(`${command} ${args.join(' ')} ended with ${child.exitCode}`);
      await sleep(POLL_MS);
    }
    return new SearchServer(port, child, performance.now() - startedAt);
  }

  usage(): Usage {
    return usageOf(this.#process.pid!)!;
  }

  /**
   * Stops the process until `resume` is called, so that it uses no processor time while another server is
   * measured.
   */
  pause(): void {
    this.#process.kill('SIGSTOP');
  }

  resume(): void {
    this.#process.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'close');
    this.resume();
    this.#process.kill('SIGTERM');
    await ended;
  }
}

export async function gyreServer(
  data: string,
  environment: Readonly<Record<string, string>>,
): Promise<SearchServer> {
  const port = await freePort();
  const args = [GYRE, 'serve', '--data', data, '--port', String(port)];
  return SearchServer.start(process.execPath, args, port, environment, () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
}

/** Starts a Lucene server. `index` is a directory that `indexPages` wrote. */
export async function luceneServer(jars: string, index: string): Promise<SearchServer> {
  const port = await freePort();
  const args = javaArguments(jars, 'serve', index, String(port), String(TITLE_BOOST));
  return SearchServer.start('java', args, port, {}, async (printed) => printed.includes('ready'));
}
