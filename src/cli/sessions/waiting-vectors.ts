/** Adds page vectors that were computed but not yet applied to the index. */
import type { Log } from '../../base/mod.ts';
import { applyVectors, hasVectorBatches } from '../../build/mod.ts';
import { IndexWriter } from '../../index/mod.ts';
import type { DataDirectory } from '../data-directory.ts';

/** Adds the vectors of all batch files in `meaning/` to the index. The caller holds the index lock. */
export function applyWaitingVectors(data: DataDirectory, log: Log): void {
  if (!hasVectorBatches(data.meaning)) return;
  const writer = new IndexWriter(data.index, log);
  try {
    applyVectors(writer, data.meaning, log);
  } finally {
    writer.close();
  }
}
