/** A segment in the hands of the writer: with deletes and ranks that may have changed since the last commit. */
import type { Directory } from '../base/mod.ts';
import { DocSet } from './doc-set.ts';
import { deletesName, ranksName, type SegmentEntry } from './manifest.ts';
import { writeRankColumn } from './rank-column.ts';
import type { SegmentReader } from './segment-reader.ts';

/** The rank of a URL relative to the mean; 0 if it is unknown. */
export type RelativeRank = (fingerprint: bigint) => number;

export interface WritableSegment {
  reader: SegmentReader;
  entry: SegmentEntry;
  deletes: DocSet;
  ranks: Float32Array | null;
  deletesChanged: boolean;
  ranksChanged: boolean;
}

export function newSegment(
  reader: SegmentReader,
  deletes: DocSet,
  ranks: Float32Array | null,
): WritableSegment {
  const entry = {
    file: reader.name,
    docs: reader.docCount,
    deleted: 0,
    deletes: null,
    ranks: null,
    anchors: null,
  };
  return { reader, entry, deletes, ranks, deletesChanged: deletes.size > 0, ranksChanged: ranks !== null };
}

export function hasLive({ reader, deletes }: WritableSegment, fingerprint: bigint): boolean {
  const doc = reader.findDocument(fingerprint);
  return doc >= 0 && !deletes.has(doc);
}

export function ranksOf({ table }: SegmentReader, rankOf: RelativeRank): Float32Array {
  return Float32Array.from(table.fingerprints, (fingerprint) => rankOf(fingerprint));
}

/** Writes what changed beside a segment and returns its line in the manifest of `generation`. */
export function writeSides(directory: Directory, segment: WritableSegment, generation: number): SegmentEntry {
  const { entry, deletes, ranks } = segment;
  if (segment.deletesChanged) {
    entry.deletes = deletesName(entry.file, generation);
    deletes.write(directory, entry.deletes);
  }
  if (segment.ranksChanged && ranks) {
    entry.ranks = ranksName(entry.file, generation);
    writeRankColumn(directory, entry.ranks, ranks);
  }
  segment.deletesChanged = false;
  segment.ranksChanged = false;
  entry.deleted = deletes.size;
  return { ...entry };
}

/**
 * The merged segment as it must be now: while it was made, documents of its sources may have been deleted and
 * ranked anew. A document that no source has any more is deleted.
 */
export function mergedSegment(reader: SegmentReader, sources: readonly WritableSegment[]): WritableSegment {
  const deletes = new DocSet(reader.docCount);
  const ranks = sources.some((source) => source.ranks) ? new Float32Array(reader.docCount) : null;
  for (const source of sources) {
    for (const [doc, fingerprint] of source.reader.table.fingerprints.entries()) {
      if (!source.deletes.has(doc)) {
        if (ranks && source.ranks) ranks[reader.findDocument(fingerprint)] = source.ranks[doc]!;
        continue;
      }
      const merged = reader.findDocument(fingerprint);
      if (merged >= 0 && !sources.some((other) => hasLive(other, fingerprint))) deletes.add(merged);
    }
  }
  return newSegment(reader, deletes, ranks);
}
