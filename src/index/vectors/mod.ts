/**
 * Vectors of meaning: one vector of small integers per document, in files beside the segments. A model outside the index
 * computes them after the documents are indexed, so any document may lack its vector.
 */

export { carryVectors, mergeVectors, type NewVector, setVectors, stampOf } from './segment-vectors.ts';
export { countVectors, readVectorColumn, readVectors, type SegmentVectors } from './vector-column.ts';
