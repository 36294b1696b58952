/**
 * PageRank by power iteration: the chance of meeting a page on an endless walk that follows a random
 * link with probability `damping` and starts again elsewhere otherwise.
 *
 * A page hands `damping` of its rank to the pages it links to, by the weight of each link, and the rest
 * to all pages alike (or to chosen ones: `restarts`). A page without links would let its part drain
 * away; that is spread like the rest. So what is spread is all that was not handed along links, and the
 * ranks sum to 1 after every step, rounding included, as each step spreads what the last one missed.
 *
 * Pulls by columns: the sums of a range of targets are gathered by one thread, which then turns them
 * into ranks while they are in its cache; see kernels/assembly/pagerank.ts and rank-columns.ts. The result
 * is the same for any number of threads.
 */
import { Worker } from 'node:worker_threads';
import { ColumnWorker, type StepResult } from './rank-columns.ts';
import { compileKernel, createMemory, instantiateKernel, layOut, type RankLayout } from './rank-memory.ts';
import type { RankThreadInput } from './rank-thread.ts';
import { rangesOf } from './tiles-format.ts';
import type { GraphFile } from './tiles-reader.ts';

export interface PageRankOptions {
  /** Default 0.85. */
  damping?: number;
  /** Default 100. */
  maxIterations?: number;
  /** Stop when a step changes the ranks by less than this in total. Default 1e-6. */
  tolerance?: number;
  /** Where to begin, such as the last ranks: not negative, of any sum above 0. Default: `restarts`, or all alike. */
  start?: Float32Array;
  /** Where the walk starts anew: not negative, of any sum above 0. Default: anywhere. */
  restarts?: Float32Array;
  /** What becomes of the rank of pages without links: spread over all, or lost. Default 'spread'. */
  sinks?: 'spread' | 'lose';
  /** Default 1. */
  threads?: number;
  /** Told after each step. */
  onStep?: (result: StepResult) => void;
}

export interface PageRankResult {
  /** One for each node. */
  ranks: Float32Array;
  iterations: number;
  /** What the last step still changed, in total. */
  distance: number;
}

export const DEFAULT_DAMPING = 0.85;
export const DEFAULT_MAX_ITERATIONS = 100;
export const DEFAULT_TOLERANCE = 1e-6;

export function pageRank(graph: GraphFile, options: PageRankOptions = {}): PageRankResult {
  if (graph.shape.nodeCount === 0) return { ranks: new Float32Array(0), iterations: 0, distance: 0 };
  const engine = new RankEngine(graph, options);
  try {
    return iterate(engine, options);
  } finally {
    engine.close();
  }
}

function iterate(engine: RankEngine, options: PageRankOptions): PageRankResult {
  const { maxIterations = DEFAULT_MAX_ITERATIONS, tolerance = DEFAULT_TOLERANCE } = options;
  let iterations = 0;
  let distance = Number.POSITIVE_INFINITY;
  while (distance >= tolerance && iterations < maxIterations) {
    const result = engine.step();
    options.onStep?.(result);
    distance = result.distance;
    iterations++;
  }
  return { ranks: engine.ranks(), iterations, distance };
}

/** A graph in memory with its threads; the benchmark times its steps. */
export class RankEngine {
  readonly #memory: WebAssembly.Memory;
  readonly #layout: RankLayout;
  readonly #worker: ColumnWorker;
  readonly #damping: number;
  readonly #losesSinks: boolean;
  #side: 0 | 1 = 0;
  #handed = 0;

  constructor(graph: GraphFile, options: PageRankOptions = {}) {
    const columns = rangesOf(graph.shape.nodeCount);
    const threads = Math.max(1, Math.min(options.threads ?? 1, columns));
    this.#damping = options.damping ?? DEFAULT_DAMPING;
    this.#losesSinks = options.sinks === 'lose';
    this.#layout = layOut(graph.shape, threads, options.restarts !== undefined);
    this.#memory = createMemory(this.#layout);
    this.#load(graph);
    if (options.restarts) this.#floats(this.#layout.restarts).set(scaledToOne(options.restarts));
    this.#begin(options.start ?? options.restarts);
    const module = compileKernel();
    this.#worker = new ColumnWorker(instantiateKernel(module, this.#memory), this.#memory, this.#layout, 0);
    for (let thread = 1; thread < threads; thread++) this.#startThread(module, thread);
  }

  get memoryBytes(): number {
    return this.#layout.end;
  }

  step(): StepResult {
    const spread = 1 - this.#damping * (this.#losesSinks ? 1 : this.#handed);
    const mass = this.#layout.restarts === 0 ? spread / this.#layout.nodeCount : spread;
    const result = this.#worker.step(this.#side, this.#damping, mass);
    this.#side = this.#side === 0 ? 1 : 0;
    this.#handed = result.handed;
    return result;
  }

  ranks(): Float32Array {
    return Float32Array.from(this.#floats(this.#layout.ranks));
  }

  close(): void {
    this.#worker.stop();
  }

  #load(graph: GraphFile): void {
    const { buffer } = this.#memory;
    const { columns, weights } = this.#layout;
    new Uint32Array(buffer, this.#layout.tiles, graph.tiles.length).set(graph.tiles);
    const starts = new Uint32Array(buffer, this.#layout.starts, columns);
    const perColumn = columns * weights.length;
    for (let column = 1; column < columns; column++) {
      const before = graph.tiles.subarray((column - 1) * perColumn, column * perColumn);
      starts[column] = before.reduce((sum, count) => sum + count, starts[column - 1]!);
    }
    graph.readWords(new Uint32Array(buffer, this.#layout.words, graph.shape.edgeCount));
    const inverses = this.#floats(this.#layout.inverses);
    graph.outWeights.forEach((weight, node) => {
      inverses[node] = weight > 0 ? 1 / weight : 0;
    });
  }

  #begin(start: Float32Array | undefined): void {
    const { nodeCount } = this.#layout;
    const ranks = this.#floats(this.#layout.ranks);
    const inverses = this.#floats(this.#layout.inverses);
    const shares = this.#floats(this.#layout.shares[0]);
    if (start) ranks.set(scaledToOne(start));
    else ranks.fill(1 / nodeCount);
    for (let node = 0; node < nodeCount; node++) {
      shares[node] = ranks[node]! * inverses[node]!;
      if (inverses[node]! > 0) this.#handed += ranks[node]!;
    }
  }

  #startThread(module: WebAssembly.Module, thread: number): void {
    const workerData: RankThreadInput = { module, memory: this.#memory, layout: this.#layout, thread };
    const worker = new Worker(new URL('./rank-thread.ts', import.meta.url), { workerData });
    worker.unref();
    // A thread that cannot start takes no column: the others do its work.
    worker.on('error', () => undefined);
  }

  #floats(at: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, this.#layout.nodeCount);
  }
}

function scaledToOne(values: Float32Array): Float32Array {
  const sum = values.reduce((total, value) => total + value, 0);
  return sum > 0 ? values.map((value) => value / sum) : values.map(() => 1 / values.length);
}
