/** A segment with what the manifest says about it: its deletes and its ranks. */
import { CorruptError, type Directory, type Log, messageOf, systemCode } from '../base/mod.ts';
import { DocSet, readDocSet } from './doc-set.ts';
import type { DocId } from './document.ts';
import type { SegmentEntry } from './manifest.ts';
import { readRankColumn } from './rank-column.ts';
import { openSegment, type SegmentReader } from './segment-reader.ts';

export interface OpenSegment {
  readonly reader: SegmentReader;
  readonly deletes: DocSet;
  /** Relative to the mean; null when nobody has ranked the segment yet. */
  readonly ranks: Float32Array | null;
  /** Documents that are not deleted, and the words in them. */
  readonly liveDocs: number;
  readonly liveLength: number;
}

/** Throws a `CorruptError` if the segment or its deletes are damaged; damaged ranks only make a warning. */
export function openEntry(directory: Directory, entry: SegmentEntry, log: Log, verify: boolean): OpenSegment {
  const reader = openSegment(directory, entry.file);
  try {
    if (verify) reader.verify();
    const docCount = reader.docCount;
    const deletes = entry.deletes ? readDocSet(directory, entry.deletes, docCount) : new DocSet(docCount);
    const ranks = entry.ranks ? readRanks(directory, entry.ranks, docCount, log) : null;
    const liveLength = sumOfLive(reader, deletes);
    return { reader, deletes, ranks, liveDocs: docCount - deletes.size, liveLength };
  } catch (error) {
    reader.close();
    throw error;
  }
}

/** The file is damaged or gone: the rest of the index can do without it. Anything else is not mended so. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof CorruptError || systemCode(error) === 'ENOENT';
}

function readRanks(directory: Directory, name: string, docCount: number, log: Log): Float32Array | null {
  try {
    return readRankColumn(directory, name, docCount);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    log.warn('ranks left out', { file: name, why: messageOf(error) });
    return null;
  }
}

function sumOfLive(reader: SegmentReader, deletes: DocSet): number {
  let sum = 0;
  for (let doc: DocId = 0; doc < reader.docCount; doc++) {
    if (!deletes.has(doc)) sum += reader.table.lengths[doc]!;
  }
  return sum;
}
