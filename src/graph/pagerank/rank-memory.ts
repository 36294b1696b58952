/**
 * The shared memory of PageRank, and the kernel that works in it. The memory contains:
 *
 *   control   i32 × 16     coordination of the threads (rank-columns.ts)
 *   scalars   f32 × 16     damping and mass of the step
 *   results   f64 × 3      per column: change of ranks, rank of nodes with links, rank of all nodes
 *   tiles     u32          the sizes of the tiles, as in the file
 *   starts    u32          per column, the index of its first word
 *   ranks, inverses, restarts   f32 per node of the part
 *   shares    f32          per node of the whole graph: the shares that a step reads
 *   shares    f32          per node of the part: the shares that it writes
 *   sums      f32 × 65,536 per thread
 *   words     u32          per edge of one portion
 *
 * A part has some columns of the graph (tiles-format.ts); the embedded engine has one part with all columns. A portion
 * is a sequence of columns whose edges fit into the memory at once. With one portion this is four bytes per edge and 16
 * per node, or 20 with restarts. A WebAssembly memory has at most 4 GiB, so about 850 million edges at 16 edges per node
 * are one portion, and a part has at most about 250 million nodes.
 */
import { GyreError } from '../../base/mod.ts';
import { type GraphShape, RANGE_NODES, tileRangesOf } from '../tiles/mod.ts';

/** The byte offset of each array in the memory. It is plain data, so that it can be passed to a thread. */
export interface RankLayout {
  /** The numbers of nodes and columns of the part. */
  nodeCount: number;
  columns: number;
  /** The number of the first column in the whole graph, and the number of blocks that the columns have. */
  firstColumn: number;
  blocks: number;
  weights: readonly number[];
  control: number;
  scalars: number;
  results: number;
  tiles: number;
  starts: number;
  ranks: number;
  inverses: number;
  /**
   * Two arrays: a step of PageRank reads one and writes the other. With all columns in one part they have the same size
   * and change roles after each step.
   */
  shares: readonly [number, number];
  /** The offset of the restart probabilities; 0 if the walk restarts at all nodes with equal probability. */
  restarts: number;
  sums: number;
  words: number;
  end: number;
}

export interface RankKernel {
  addTile(wordsAt: number, count: number, sharesAt: number, sumsAt: number, weight: number): void;
  finishColumn(
    count: number,
    sumsAt: number,
    ranksAt: number,
    inversesAt: number,
    sharesAt: number,
    restartsAt: number,
    mass: number,
    damping: number,
    resultsAt: number,
  ): void;
}

export const RESULT_NUMBERS = 3;
const CONTROL_NUMBERS = 16;

const PAGE_BYTES = 65_536;
const MAX_PAGES = 65_536;
export const RANK_KERNEL = new URL('../kernels/pagerank.wasm', import.meta.url);

/** Returns true if a graph file has all columns of its graph. */
export function isWhole({ nodeCount, blocks }: Pick<GraphShape, 'nodeCount' | 'blocks'>): boolean {
  return tileRangesOf(nodeCount) === blocks;
}

/** Lays out the memory for a part of a graph. `wordCount` is the number of edges of the largest portion. */
export function layOutMemory(
  shape: GraphShape,
  wordCount: number,
  threads: number,
  biased: boolean,
): RankLayout {
  const { nodeCount, weights, firstColumn, blocks } = shape;
  const columns = tileRangesOf(nodeCount);
  let end = PAGE_BYTES;
  const reserve = (bytes: number) => {
    const at = end;
    // The kernel reads and writes four numbers at a time, so it may access up to 16 bytes after the last number.
    end += Math.ceil((bytes + 16) / 64) * 64;
    return at;
  };
  const perNode = () => reserve(nodeCount * 4);
  return {
    nodeCount,
    columns,
    firstColumn,
    blocks,
    weights,
    control: reserve(CONTROL_NUMBERS * 4),
    scalars: reserve(64),
    results: reserve(columns * RESULT_NUMBERS * 8),
    tiles: reserve(columns * blocks * weights.length * 4),
    starts: reserve(columns * 4),
    ranks: perNode(),
    inverses: perNode(),
    shares: [isWhole(shape) ? perNode() : reserve(blocks * RANGE_NODES * 4), perNode()],
    restarts: biased ? perNode() : 0,
    sums: reserve(threads * RANGE_NODES * 4),
    words: reserve(wordCount * 4),
    end,
  };
}

/** Returns the number of bytes that are left for edges in a memory of the maximum size. */
export function roomForEdges(shape: GraphShape, threads: number, biased: boolean): number {
  return MAX_PAGES * PAGE_BYTES - layOutMemory(shape, 0, threads, biased).end - PAGE_BYTES;
}

export function createMemory(layout: RankLayout): WebAssembly.Memory {
  const pages = Math.ceil(layout.end / PAGE_BYTES);
  if (pages > MAX_PAGES) {
    throw new GyreError(
      'graph-too-large',
      `the link graph needs ${Math.ceil(layout.end / 2 ** 20)} MiB; a WebAssembly memory has at most 4096 MiB`,
    );
  }
  return new WebAssembly.Memory({ initial: pages, maximum: MAX_PAGES, shared: true });
}
