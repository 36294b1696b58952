/**
 * A graph file: the edges of the link graph, in the form in which PageRank reads it.
 *
 * Nodes are divided into ranges of 65,536. All edges into one range of targets are a column. The edges of a
 * column that have the same weight and whose sources are in one range (a block) are a tile. Within a tile
 * both ends of an edge have 16 bits, so every edge takes four bytes; the tile determines the remaining bits.
 * A file has all columns of a graph, or one part of them: consecutive columns, with the edges from all blocks.
 *
 *   header      magic GYG1, version u32
 *   words       u32 × edges    source << 16 | target, each within its range; sorted by column, weight and
 *                              block, then by source; no edge twice, none from a node to itself
 *   tiles       u32 × columns × weights × blocks   number of edges of each tile
 *   checks      u32 × columns × weights × blocks   CRC-32 of the words of each tile; not in version 1
 *   outWeights  f32 × nodes    the sum of the weights of a node's links; 0 if it has none
 *   nodeCount   u32            the number of nodes in the columns of this file
 *   edgeCount   f64
 *   weights     u32 count, then f32 × 4 of which `count` are used
 *   firstColumn u32            the number of the first column; not before version 3, whose files have all columns
 *   blocks      u32            the number of blocks of the whole graph; not before version 3
 *   checksum    u32            CRC-32 of all bytes before it except the words; version 1 includes the words
 *
 * Example: with 70,000 nodes, the edge from 69,999 to 3 is in column 0, block 1, as 4463 << 16 | 3 =
 * 116F0003. The counts are at the end because the file is written in one pass and may be larger than memory.
 */
import type { FileKind } from '../../base/mod.ts';

export const GRAPH_KIND: FileKind = { magic: 'GYG1', version: 3 };
export const RANGE_BITS = 16;
export const RANGE_NODES = 1 << RANGE_BITS;
export const RANGE_MASK = RANGE_NODES - 1;
export const MAX_WEIGHTS = 4;
/** The size of the trailer without `firstColumn` and `blocks`, as in files before version 3. */
export const GRAPH_TRAILER_BYTES = 4 + 8 + 4 + 4 * MAX_WEIGHTS;
export const GRAPH_PART_BYTES = 4 + 4;

export interface GraphShape extends GraphPart {
  /** The number of nodes in the columns of the file. */
  nodeCount: number;
  edgeCount: number;
  /** The weight of each kind of edge. Kinds are numbered from 0. */
  weights: readonly number[];
}

/** The place of a file in its graph. A file with the whole graph has the first column and as many blocks as columns. */
export interface GraphPart {
  firstColumn: number;
  /** The number of blocks of the whole graph, which is the number of all columns. */
  blocks: number;
}

export function wholeGraph(nodeCount: number): GraphPart {
  return { firstColumn: 0, blocks: tileRangesOf(nodeCount) };
}

/**
 * Returns the number of ranges into which `nodeCount` nodes are divided. This is the number of columns and of
 * blocks.
 */
export function tileRangesOf(nodeCount: number): number {
  return Math.ceil(nodeCount / RANGE_NODES);
}
