/** Runs the real program in a separate process, for tests that use it as people do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** The path of `bin/gyre`, which starts the program with the flags and memory settings that users get. */
const COMMAND = join(import.meta.dirname, '..', '..', 'bin', 'gyre');

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export class Gyre {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly #waiting = new Set<() => void>();
  readonly #exited: Promise<unknown>;

  /** `launcher` is a command that runs the program, such as `ip netns exec NAME`. */
  constructor(
    args: readonly string[],
    environment: Record<string, string> = {},
    launcher: readonly string[] = [],
  ) {
    // Removes the environment of npm. The program must not behave differently because npm started the tests.
    const { npm_command: _, ...inherited } = process.env;
    const env = { ...inherited, ...environment };
    const [program, ...rest] = [...launcher, process.execPath, COMMAND, ...args];
    this.child = spawn(program!, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#exited = once(this.child, 'close');
    this.child.stdout!.on('data', (chunk: Buffer) => this.#heard('stdout', chunk));
    this.child.stderr!.on('data', (chunk: Buffer) => this.#heard('stderr', chunk));
  }

  /**
   * Resolves with the match when the output of the program matches `pattern`. Rejects when the program ends without
   * a match.
   */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    return await this.#matched('stdout', pattern);
  }

  /** Like `printed`, for messages of the program (stderr). */
  async told(pattern: RegExp): Promise<RegExpExecArray> {
    return await this.#matched('stderr', pattern);
  }

  async #matched(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this[stream]);
      if (match) return match;
      const ended = this.child.exitCode !== null || this.child.signalCode !== null;
      if (ended) throw new Error(`gyre ended without printing ${pattern}:\n${this.stdout}\n${this.stderr}`);
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
        void this.#exited.then(() => resolve());
      });
    }
  }

  async ended(): Promise<Finished> {
    await this.#exited;
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  async kill(signal: NodeJS.Signals): Promise<Finished> {
    this.child.kill(signal);
    return this.ended();
  }

  #heard(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    this[stream] += chunk.toString();
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** Shorter than the time limit of a test, so that a command that does not end is named in the failure. */
const COMMAND_LIMIT_MS = 200_000;

/** Runs a command to its end. Kills it and throws if it does not end within 200 s. */
export async function gyre(args: readonly string[], environment?: Record<string, string>): Promise<Finished> {
  const command = new Gyre(args, environment);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    command.child.kill('SIGKILL');
  }, COMMAND_LIMIT_MS);
  const finished = await command.ended();
  clearTimeout(timer);
  if (!isLate) return finished;
  const seconds = COMMAND_LIMIT_MS / 1000;
  throw new Error(
    `gyre ${args.join(' ')} did not end in ${seconds} s:\n${command.stdout}\n${command.stderr}`,
  );
}

/** Creates a directory that is removed after the test. */
export function temporaryDirectory(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'gyre-test-'));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
