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
import { ColumnWorker, type Portion, type StepResult } from './rank-columns.ts';
import {
  createMemory,
  isWhole,
  layOutMemory,
  roomForEdges,
  RANK_KERNEL,
  type RankLayout,
} from './rank-memory.ts';
import type { RankThreadInput } from './rank-thread.ts';

export interface PageRankOptions {
  damping?: number;
  maxIterations?: number;
  /**
   * The iteration stops when the sum of the changes of all ranks in a step is less than this. Default: 1e-6.
   */
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
  /**
   * The memory in bytes for edges. If the edges of the graph take more, one thread reads them from the file in
   * every step, in portions of this size; a single column is always read as a whole. Default: the room for
   * edges in a WebAssembly memory.
   */
  edgeBytes?: number;
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

/**
 * A part of a graph in memory and the threads that rank it. The part has all columns in the embedded engine. In
 * a cluster each node has some columns, and `receive` brings the shares of the other nodes before each step.
 */
export class RankEngine {
  readonly #graph: GraphFile;
  readonly #portions: Portion[];
  readonly #memory: WebAssembly.Memory;
  readonly #layout: RankLayout;
  readonly #worker: ColumnWorker;
  readonly #damping: number;
  readonly #losesSinks: boolean;
  /** The number of nodes of the whole graph. */
  readonly #totalNodes: number;
  #loaded: Portion | null = null;
  #side: 0 | 1 = 0;
  #handed = 0;

  /** `totalNodes` is the number of nodes of the whole graph, if `graph` is a part of it. */
  constructor(graph: GraphFile, options: PageRankOptions = {}, totalNodes = graph.shape.nodeCount) {
    const columns = tileRangesOf(graph.shape.nodeCount);
    this.#graph = graph;
    const isBiased = options.restarts !== undefined;
    this.#portions = portionsOf(
      graph,
      options.edgeBytes ?? roomForEdges(graph.shape, options.threads ?? 1, isBiased),
    );
    const maxThreads = this.#portions.length > 1 ? 1 : (options.threads ?? 1);
    const threads = Math.max(1, Math.min(maxThreads, columns));
    this.#damping = options.damping ?? DEFAULT_DAMPING;
    this.#losesSinks = options.sinks === 'lose';
    this.#totalNodes = totalNodes;
    const most = Math.max(0, ...this.#portions.map(({ first, end }) => graph.edgesOf(first, end)));
    this.#layout = layOutMemory(graph.shape, most, threads, isBiased);
    this.#memory = createMemory(this.#layout);
    this.#load();
    if (options.restarts) this.#floats(this.#layout.restarts).set(scaledToOne(options.restarts));
    this.#begin(options.start ?? options.restarts);
    const module = compileKernel(RANK_KERNEL);
    this.#worker = new ColumnWorker(startKernel(module, this.#memory), this.#memory, this.#layout, 0);
    for (let thread = 1; thread < threads; thread++) this.#startThread(module, thread);
  }

  get memoryBytes(): number {
    return this.#layout.end;
  }

  /** The memory in bytes for edges. */
  get edgeBytes(): number {
    return this.#layout.end - this.#layout.words;
  }

  /** The sum of the ranks of the nodes of the part that have links. */
  get handed(): number {
    return this.#handed;
  }

  /** Computes one step. `handed` is the sum of the ranks of all nodes of the whole graph that have links. */
  step(handed = this.#handed): StepResult {
    const spread = 1 - this.#damping * (this.#losesSinks ? 1 : handed);
    const mass = this.#layout.restarts === 0 ? spread / this.#totalNodes : spread;
    const result = this.#runStep(mass);
    if (isWhole(this.#layout)) this.#side = this.#side === 0 ? 1 : 0;
    this.#handed = result.handed;
    return result;
  }

  ranks(): Float32Array {
    return this.#floats(this.#layout.ranks).slice();
  }

  /** Continues with ranks that were computed before, for example by a node that has died. */
  resume(ranks: Float32Array): void {
    this.#floats(this.#layout.ranks).set(ranks);
    this.#share();
  }

  /** Returns the shares that the last step has computed for the nodes of the part. Valid until the next step. */
  shares(): Float32Array {
    return this.#floats(this.#layout.shares[isWhole(this.#layout) ? this.#side : 1]);
  }

  /**
   * Stores shares that another part has computed, for the next step. They belong to the nodes from `firstNode`
   * on in the whole graph.
   */
  receive(firstNode: number, shares: Float32Array): void {
    if (shares.length === 0) return;
    const to = this.#layout.shares[this.#side] + firstNode * 4;
    new Float32Array(this.#memory.buffer, to, shares.length).set(shares);
  }

  close(): void {
    this.#worker.stop();
  }

  #runStep(mass: number): StepResult {
    if (this.#portions.length < 2) return this.#worker.step(this.#side, this.#damping, mass);
    // The portion that is still loaded from the last step comes first.
    if (this.#loaded !== this.#portions[0]) this.#portions.reverse();
    const load = (portion: Portion) => this.#loadPortion(portion);
    return this.#worker.stepInPortions(this.#portions, load, [this.#side, this.#damping, mass]);
  }

  #load(): void {
    const graph = this.#graph;
    const { buffer } = this.#memory;
    new Uint32Array(buffer, this.#layout.tiles, graph.tiles.length).set(graph.tiles);
    const starts = new Uint32Array(buffer, this.#layout.starts, this.#layout.columns);
    for (const { first, end } of this.#portions) {
      for (let column = first + 1; column < end; column++)
        starts[column] = starts[column - 1]! + graph.edgesOf(column - 1, column);
    }
    if (this.#portions.length === 1) graph.readWords(this.#words(graph.shape.edgeCount));
    const inverses = this.#floats(this.#layout.inverses);
    graph.outWeights.forEach((weight, node) => {
      inverses[node] = weight > 0 ? 1 / weight : 0;
    });
  }

  #loadPortion(portion: Portion): void {
    if (portion === this.#loaded) return;
    const { first, end } = portion;
    this.#loaded = null;
    this.#graph.readColumns(first, end, this.#words(this.#graph.edgesOf(first, end)));
    this.#loaded = portion;
  }

  #words(count: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, this.#layout.words, count);
  }

  #begin(start: Float32Array | undefined): void {
    const ranks = this.#floats(this.#layout.ranks);
    if (start) ranks.set(scaledToOne(start));
    else ranks.fill(1 / this.#totalNodes);
    this.#share();
  }

  /** Computes the shares of the part from its ranks. */
  #share(): void {
    const ranks = this.#floats(this.#layout.ranks);
    const inverses = this.#floats(this.#layout.inverses);
    const shares = this.shares();
    this.#handed = 0;
    for (let node = 0; node < this.#layout.nodeCount; node++) {
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

/** Divides the columns into portions of at most `maxBytes` bytes of edges, or of one column. */
function portionsOf(graph: GraphFile, maxBytes: number): Portion[] {
  const portions: Portion[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (let column = 0; column < tileRangesOf(graph.shape.nodeCount); column++) {
    const more = 4 * graph.edgesOf(column, column + 1);
    bytes += more;
    if (bytes > maxBytes || portions.length === 0) {
      portions.push({ first: column, end: column });
      bytes = more;
    }
    portions.at(-1)!.end = column + 1;
  }
  return portions;
}

function scaledToOne(values: Float32Array): Float32Array {
  const sum = values.reduce((total, value) => total + value, 0);
  return sum > 0 ? values.map((value) => value / sum) : values.map(() => 1 / values.length);
}
