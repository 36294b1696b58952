/**
 * Writes and reads graph files. Their edges are grouped in tiles, in the order in which PageRank reads them.
 * A graph file is built from edges in any order, within bounded memory.
 */

export { type GraphShape, RANGE_BITS, RANGE_NODES, tileRangesOf } from './tiles-format.ts';
export { GraphFile } from './tiles-reader.ts';
export { GraphBuilder } from './tiles-writer.ts';
export { UintList } from './uint-list.ts';
