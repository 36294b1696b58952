/**
 * Runs a merge that the index writer has planned. It needs only files, so it can run in another thread while
 * the writer keeps working.
 */
import { type Directory, messageOf } from '../../base/mod.ts';
import { DocSet, isUnreadable, openSegment, type SegmentReader } from '../segment/mod.ts';
import { type MergeInput, mergeSegments } from './merge.ts';

/** A planned merge: the segments to merge, with their deletes at the time of planning. */
export interface MergePlan {
  readonly output: string;
  /** The name of the lexicon file of the merged segment. */
  readonly lexicon: string;
  readonly inputs: readonly PlannedInput[];
}

interface PlannedInput {
  readonly file: string;
  readonly deletes: Uint8Array;
  /** The lexicon file of a source segment; null if it has none. */
  readonly lexicon: string | null;
}

/**
 * Merges the lexicons of the source segments. `newDocs` has the new number of each document, or -1 if it is
 * deleted.
 */
export type MergeLexicons = (
  plan: MergePlan,
  inputs: readonly (MergeInput & { newDocs: Int32Array })[],
  signal?: AbortSignal,
) => Promise<void>;

export type MergeOutcome =
  | { kind: 'merged'; docCount: number }
  | { kind: 'damaged'; file: string; why: string };

/**
 * Runs a planned merge. First the checksums of all source segments are verified, so that damage does not spread
 * to the merged segment.
 */
export async function runMerge(
  directory: Directory,
  plan: MergePlan,
  orderKey: (url: string) => string,
  signal?: AbortSignal,
  mergeLexicons: MergeLexicons = async () => {},
): Promise<MergeOutcome> {
  const readers: SegmentReader[] = [];
  try {
    for (const { file } of plan.inputs) {
      const why = openVerified(directory, file, readers);
      if (why !== null) return { kind: 'damaged', file, why };
    }
    const inputs = readers.map((reader, i) => ({
      reader,
      deletes: new DocSet(reader.docCount, plan.inputs[i]!.deletes),
    }));
    const maps = await mergeSegments(directory, plan.output, inputs, orderKey, signal);
    const mapped = inputs.map((input, i) => ({ ...input, newDocs: maps[i]! }));
    await mergeLexicons(plan, mapped, signal);
    const docCount = inputs.reduce((sum, { reader, deletes }) => sum + reader.docCount - deletes.size, 0);
    return { kind: 'merged', docCount };
  } finally {
    for (const reader of readers) reader.close();
  }
}

/**
 * Opens a segment, verifies its checksum and adds it to `readers`. Returns the error message if the file is
 * damaged, otherwise null.
 */
function openVerified(directory: Directory, file: string, readers: SegmentReader[]): string | null {
  try {
    const reader = openSegment(directory, file);
    readers.push(reader);
    reader.verify();
    return null;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return messageOf(error);
  }
}
