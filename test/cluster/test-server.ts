/** PostgreSQL and RabbitMQ of `scripts/services run`, for tests that kill them and start them again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { sleep } from '../../src/base/mod.ts';

export class TestServer {
  readonly #start: string;
  #child: ChildProcess | null = null;

  /** `variable` names the environment variable with the program that starts the server. */
  constructor(context: TestContext, variable: string) {
    const start = process.env[variable];
    if (start === undefined) throw new Error(`${variable} is not set: run this with npm run test:cluster`);
    this.#start = start;
    // This is needed because `scripts/services` stops only the server process that it has started itself.
    process.once('exit', () => this.#child?.kill('SIGKILL'));
    context.after(() => this.#child?.unref());
  }

  /** Ends the server and waits for its end. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const pid = Number(readFileSync(join(dirname(this.#start), 'pid'), 'utf8'));
    process.kill(pid, signal);
    while (isRunning(pid)) await sleep(20);
  }

  /** Starts the server again. It accepts connections some seconds later. */
  start(): void {
    this.#child = spawn(this.#start, { stdio: 'ignore' });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
