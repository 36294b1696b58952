/**
 * Computes vectors of meaning for documents that are already in the index, while the machine is otherwise idle.
 * A document can be found by its words as soon as it is indexed. With a vector, it is also found by queries
 * that use other words for the same subject.
 *
 *   index (read) -> missingVectors: documents without a vector -> embedDocuments: a batch file -> applyVectors: the index
 *
 * A thread that computes vectors needs no lock: its batch files wait in a directory until the process that
 * holds the lock of the index applies them.
 */

export { applyVectors } from './apply-vectors.ts';
export { embedDocuments, missingVectors } from './embed-documents.ts';
export { hasVectorBatches, writeVectorBatch } from './vector-batches.ts';
