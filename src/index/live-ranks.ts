/** Reads the ranks of the live documents of a segment without opening the segment. */
import type { Directory, Log } from '../base/mod.ts';
import type { SegmentEntry } from './manifest.ts';
import { readDocSet, readRanks, sideOrNone } from './segment/mod.ts';

/**
 * Returns the rank of each document relative to the mean; 0 if it has no rank, -1 if the document is deleted.
 */
export function readLiveRanks(directory: Directory, entry: SegmentEntry, log: Log): Float32Array {
  const { ranks: file, deletes, docs } = entry;
  const known = file ? sideOrNone('ranks', file, log, () => readRanks(directory, file, docs)) : null;
  const ranks = known ?? new Float32Array(docs);
  if (deletes) {
    const deleted = readDocSet(directory, deletes, docs);
    for (let doc = 0; doc < docs; doc++) if (deleted.has(doc)) ranks[doc] = -1;
  }
  return ranks;
}
