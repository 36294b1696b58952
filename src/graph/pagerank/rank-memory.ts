/**
 * The shared memory of PageRank, and the kernel that works in it. The memory contains:
 *
 *   control   i32 × 16     coordination of the threads (rank-columns.ts)
 *   scalars   f32 × 16     damping and mass of the step
 *   results   f64 × 3      per column: change of ranks, rank of nodes with links, rank of all nodes
 *   tiles     u32          the sizes of the tiles, as in the file
 *   starts    u32          per column, the index of its first word
 *   ranks, inverses, shares, shares, restarts   f32 per node
 *   sums      f32 × 65,536 per thread
 *   words     u32          per edge
 *
 * This is four bytes per edge and 16 per node, or 20 with restarts. A WebAssembly memory has at most 4 GiB:
 * about 850 million edges at 16 edges per node.
 */
import { GyreError } from '../../base/mod.ts';
import { type GraphShape, RANGE_NODES, tileRangesOf } from '../tiles/mod.ts';

/** The byte offset of each array in the memory. It is plain data, so that it can be passed to a thread. */
export interface RankLayout {
  nodeCount: number;
  columns: number;
  weights: readonly number[];
  control: number;
  scalars: number;
  results: number;
  tiles: number;
  starts: number;
  ranks: number;
  inverses: number;
  /** Two arrays: each step of PageRank reads one and writes the other, in turns. */
  shares: readonly [number, number];
  /** The offset of the restart probabilities; 0 if the walk restarts at any node with equal probability. */
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

export function layOutMemory(shape: GraphShape, threads: number, biased: boolean): RankLayout {
  const { nodeCount, edgeCount, weights } = shape;
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
    weights,
    control: reserve(CONTROL_NUMBERS * 4),
    scalars: reserve(64),
    results: reserve(columns * RESULT_NUMBERS * 8),
    tiles: reserve(columns * columns * weights.length * 4),
    starts: reserve(columns * 4),
    ranks: perNode(),
    inverses: perNode(),
    shares: [perNode(), perNode()],
    restarts: biased ? perNode() : 0,
    sums: reserve(threads * RANGE_NODES * 4),
    words: reserve(edgeCount * 4),
    end,
  };
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
