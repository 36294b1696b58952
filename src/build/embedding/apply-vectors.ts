/** Adds the vectors in batch files to the index. Another thread has computed these vectors. */
import { CorruptError, type Directory, type Log, messageOf } from '../../base/mod.ts';
import type { IndexWriter } from '../../index/mod.ts';
import { readVectorBatch, type VectorBatch, vectorBatches } from './vector-batches.ts';

/**
 * Adds the vectors of all batch files in the directory to the index, removes the files, and commits. Returns
 * the number of documents that got a vector. The caller holds the lock of the index. A damaged batch file is
 * removed with a warning, and its documents are embedded again later.
 */
export function applyVectors(writer: IndexWriter, directory: Directory, log: Log): number {
  const names = vectorBatches(directory);
  const batches = names.flatMap((name) => readableBatch(directory, name, log) ?? []);
  let count = 0;
  for (const [model, same] of Map.groupBy(batches, ({ model }) => model)) {
    const entries = same.flatMap((batch) => batch.entries);
    const vectors = new Map(entries.map((entry) => [entry.fingerprint, entry]));
    count += writer.setVectors(model, same[0]!.dimension, vectors);
  }
  if (count > 0) writer.commit();
  for (const name of names) directory.remove(name);
  return count;
}

function readableBatch(directory: Directory, name: string, log: Log): VectorBatch | null {
  try {
    return readVectorBatch(directory, name);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    log.warn('vectors damaged, computed again later', { reason: messageOf(error) });
    return null;
  }
}
