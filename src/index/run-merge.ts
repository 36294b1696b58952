/**
 * Carries out a merge that the writer has planned. Needs nothing but the files, so that it can run in another thread
 * while the writer goes on.
 */
import { type Directory, messageOf } from '../base/mod.ts';
import { DocSet } from './doc-set.ts';
import { mergeSegments } from './merge.ts';
import { isUnreadable } from './open-segment.ts';
import { openSegment, type SegmentReader } from './segment-reader.ts';

/** Which segments become one, with the deletes that they had when the merge was planned. */
export interface MergePlan {
  readonly output: string;
  readonly inputs: readonly { readonly file: string; readonly deletes: Uint8Array }[];
}

export type MergeOutcome =
  | { kind: 'merged'; docCount: number }
  | { kind: 'damaged'; file: string; why: string };

/** A merge must not spread damage: inputs are read once before, and compared with their checksums. */
export async function runMerge(
  directory: Directory,
  plan: MergePlan,
  orderKey: (url: string) => string,
  signal?: AbortSignal,
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
      ranks: null,
    }));
    const { docCount } = await mergeSegments(directory, plan.output, inputs, orderKey, signal);
    return { kind: 'merged', docCount };
  } finally {
    for (const reader of readers) reader.close();
  }
}

/** Adds the reader; null, or what is wrong with the file. */
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
