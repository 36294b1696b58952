/** Compiles and controls the rival programs. They read commands and print results line by line. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { EdgeFile } from './graphs.ts';

const HERE = import.meta.dirname;

/** The rival kernel in C++, which has a graph in memory. */
export class Textbook {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;
  edgeCount = 0;

  private constructor(program: string, { path, nodeCount }: EdgeFile) {
    this.#child = spawn(program, [path, String(nodeCount)]);
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  static compile(folder: string): string {
    const program = join(folder, 'textbook');
    const flags = ['-O3', '-march=native', '-fopenmp', '-o', program];
    execFileSync('g++', [...flags, join(HERE, 'textbook.cpp')], { stdio: 'inherit' });
    return program;
  }

  static async open(program: string, edges: EdgeFile): Promise<Textbook> {
    const textbook = new Textbook(program, edges);
    textbook.edgeCount = Number(await textbook.#line());
    return textbook;
  }

  /** Runs one iteration. Returns its time in seconds and the best node after it. */
  async step(threads: number): Promise<{ seconds: number; best: number }> {
    this.#child.stdin.write(`${threads}\n`);
    const [seconds, best] = (await this.#line()).split(' ').map(Number);
    return { seconds: seconds!, best: best! };
  }

  /** Resolves when the process has ended and uses neither memory nor processors. */
  async close(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.stdin.end();
    await exited;
    this.#reader.close();
  }

  async #line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the C++ kernel ended before it answered');
    return value;
  }
}

/** Compiles the program that uses igraph; returns null if the library is missing and cannot be installed. */
export function compileIgraph(folder: string): string | null {
  if (!hasIgraph() && process.getuid?.() === 0) {
    console.error('installing libigraph-dev …');
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'libigraph-dev'], {
      stdio: 'ignore',
    });
  }
  if (!hasIgraph()) {
    console.error('libigraph-dev cannot be installed here: its row is left out');
    return null;
  }
  const program = join(folder, 'igraph');
  const flags = execFileSync('pkg-config', ['--cflags', '--libs', 'igraph']).toString().trim().split(/\s+/);
  execFileSync('gcc', ['-O3', '-march=native', '-o', program, join(HERE, 'igraph.c'), ...flags], {
    stdio: 'inherit',
  });
  return program;
}

export function runIgraph(
  program: string,
  { path, nodeCount }: EdgeFile,
): { seconds: number; cpuSeconds: number; best: number } {
  const answer = execFileSync(program, [path, String(nodeCount)]).toString();
  const [seconds, cpuSeconds, best] = answer.split(' ').map(Number);
  return { seconds: seconds!, cpuSeconds: cpuSeconds!, best: best! };
}

function hasIgraph(): boolean {
  return spawnSync('pkg-config', ['--exists', 'igraph']).status === 0;
}
