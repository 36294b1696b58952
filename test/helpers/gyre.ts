/** The real program in a process of its own, for tests that use it as people do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const QUIET = '--disable-warning=ExperimentalWarning';
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

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

  constructor(args: readonly string[], environment: Record<string, string> = {}) {
    // Whether npm started the tests is no matter of the program's.
    const { npm_command: _, ...inherited } = process.env;
    const env = { ...inherited, ...environment };
    this.child = spawn(process.execPath, [QUIET, MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#exited = once(this.child, 'close');
    this.child.stdout!.on('data', (chunk: Buffer) => this.#heard('stdout', chunk));
    this.child.stderr!.on('data', (chunk: Buffer) => this.#heard('stderr', chunk));
  }

  /** Resolves with the match when the program has printed it; rejects when it ends without. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout);
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

/** Runs a command to its end. */
export function gyre(args: readonly string[], environment?: Record<string, string>): Promise<Finished> {
  return new Gyre(args, environment).ended();
}

/** A directory that is gone when the test is. */
export function temporaryDirectory(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'gyre-test-'));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
