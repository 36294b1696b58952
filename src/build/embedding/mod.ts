/**
 * Gives indexed documents vectors of meaning, after they are indexed and while the machine has time. Documents are found
 * by their words at once; the vector makes them findable by other words.
 *
 *   index (read) -> missingVectors: documents without a vector -> embedDocuments: a batch file -> applyVectors: the index
 *
 * A thread that computes vectors needs no lock: its batch files wait in a directory until the process that holds the lock of the
 * index applies them.
 */

export { applyVectors } from './apply-vectors.ts';
export { embedDocuments, missingVectors } from './embed-documents.ts';
export { hasVectorBatches, writeVectorBatch } from './vector-batches.ts';
