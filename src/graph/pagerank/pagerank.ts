/**
 * Computes PageRank by power iteration. The rank of a page is the probability of being there on an endless
 * random walk, which follows a random link with probability `damping` and otherwise restarts at a random
 * page.
 *
 * In each step, a page passes the share `damping` of its rank to the pages to which it links, by the weight
 * of each link. The rest of its rank, and the whole rank of a page without links, is distributed equally over
 * all pages, or over the pages in `restarts`. The rounding error of the last step is distributed too.
 * Therefore the ranks always sum to 1.
 *
 * A thread sums up the ranks that flow into one range of pages (a column), and turns the sums into ranks
 * while they are in the processor cache; see kernels/assembly/pagerank.ts and rank-columns.ts. The result
 * does not depend on the number of threads.
 */
import { Worker } from 'node:worker_threads';
import { compileKernel, startKernel } from '../../base/mod.ts';
import { type GraphFile, tileRangesOf } from '../tiles/mod.ts';
import { ColumnWorker, type StepResult } from './rank-columns.ts';
import { createMemory, layOutMemory, RANK_KERNEL, type RankLayout } from './rank-memory.ts';
import type { RankThreadInput } from './rank-thread.ts';

export interface PageRankOptions {
  damping?: number;
  maxIterations?: number;
  /** The iteration stops when a step changes all ranks together by less than this. Default: 1e-6. */
  tolerance?: number;
  /**
   * The initial rank of each node, for example from the last ranking. Values are not negative and have any
   * sum above 0. Default: `restarts`, or all equal.
   */
  start?: Float32Array;
  /**
   * The probability of restarting at each node. Values are not negative and have any sum above 0. Default:
   * all equal.
   */
  restarts?: Float32Array;
  /**
   * `spread` distributes the rank of pages without links over all pages; `lose` drops it. Default: `spread`.
   */
  sinks?: 'spread' | 'lose';
  threads?: number;
  onStep?: (result: StepResult) => void;
}

export interface PageRankResult {
  ranks: Float32Array;
  iterations: number;
  /** The sum of the changes of all ranks in the last step. */
  distance: number;
}

const DEFAULT_DAMPING = 0.85;
const DEFAULT_MAX_ITERATIONS = 100;
const DEFAULT_TOLERANCE = 1e-6;

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

/**
 * A graph in memory and the threads that rank it. It is exported because the benchmark measures single steps.
 */
export class RankEngine {
  readonly #memory: WebAssembly.Memory;
  readonly #layout: RankLayout;
  readonly #worker: ColumnWorker;
  readonly #damping: number;
  readonly #losesSinks: boolean;
  #side: 0 | 1 = 0;
  #handed = 0;

  constructor(graph: GraphFile, options: PageRankOptions = {}) {
    const columns = tileRangesOf(graph.shape.nodeCount);
    const threads = Math.max(1, Math.min(options.threads ?? 1, columns));
    this.#damping = options.damping ?? DEFAULT_DAMPING;
    this.#losesSinks = options.sinks === 'lose';
    this.#layout = layOutMemory(graph.shape, threads, options.restarts !== undefined);
    this.#memory = createMemory(this.#layout);
    this.#load(graph);
    if (options.restarts) this.#floats(this.#layout.restarts).set(scaledToOne(options.restarts));
    this.#begin(options.start ?? options.restarts);
    const module = compileKernel(RANK_KERNEL);
    this.#worker = new ColumnWorker(startKernel(module, this.#memory), this.#memory, this.#layout, 0);
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
    // If a thread cannot start, the other threads do its work.
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
