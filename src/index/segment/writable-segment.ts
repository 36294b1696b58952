/**
 * A segment that the index writer has open, with deletes and ranks that may have changed since the last commit.
 */
import type { Directory } from '../../base/mod.ts';
import { deletesName, type SegmentEntry, segmentRanksName } from '../manifest.ts';
import { DocSet } from './doc-set.ts';
import {
  type HostSignalsOf,
  hostColumns,
  type RankColumns,
  signalsAt,
  writeRankColumns,
} from './rank-column.ts';
import type { SegmentReader } from './segment-reader.ts';

/** Returns the rank of the page with this URL fingerprint, relative to the mean; 0 if the page has no rank. */
export type RelativeRank = (fingerprint: bigint) => number;

export interface WritableSegment {
  reader: SegmentReader;
  entry: SegmentEntry;
  deletes: DocSet;
  columns: RankColumns | null;
  deletesChanged: boolean;
  ranksChanged: boolean;
}

export function newSegment(
  reader: SegmentReader,
  deletes: DocSet,
  columns: RankColumns | null,
): WritableSegment {
  const entry = {
    file: reader.name,
    docs: reader.docCount,
    deleted: 0,
    deletes: null,
    ranks: null,
    anchors: null,
    vectors: null,
    lexicon: null,
    checksum: reader.checksum,
  };
  return {
    reader,
    entry,
    deletes,
    columns,
    deletesChanged: deletes.size > 0,
    ranksChanged: columns !== null,
  };
}

export function hasLive({ reader, deletes }: WritableSegment, fingerprint: bigint): boolean {
  const doc = reader.findDocument(fingerprint);
  return doc >= 0 && !deletes.has(doc);
}

export function columnsOf(
  { table }: SegmentReader,
  rankOf: RelativeRank,
  signalsOf: HostSignalsOf,
): RankColumns {
  const ranks = Float32Array.from(table.fingerprints, (fingerprint) => rankOf(fingerprint));
  return { ranks, hosts: hostColumns(table.hosts, signalsOf) };
}

/**
 * Writes the changed files that belong to a segment, such as its deletes and ranks. Returns the manifest entry
 * of the segment for `generation`.
 */
export function writeSides(directory: Directory, segment: WritableSegment, generation: number): SegmentEntry {
  const { entry, deletes, columns } = segment;
  if (segment.deletesChanged) {
    entry.deletes = deletesName(entry.file, generation);
    deletes.write(directory, entry.deletes);
  }
  if (segment.ranksChanged && columns) {
    entry.ranks = segmentRanksName(entry.file, generation);
    writeRankColumns(directory, entry.ranks, columns);
  }
  segment.deletesChanged = false;
  segment.ranksChanged = false;
  entry.deleted = deletes.size;
  return { ...entry };
}

/**
 * Applies the deletes and ranks of the source segments to a merged segment, because they may have changed
 * during the merge. A document is deleted if no source has it as a live document.
 */
export function mergedSegment(reader: SegmentReader, sources: readonly WritableSegment[]): WritableSegment {
  const deletes = new DocSet(reader.docCount);
  const columns = mergedColumns(reader, sources);
  for (const source of sources) {
    for (const [doc, fingerprint] of source.reader.table.fingerprints.entries()) {
      if (!source.deletes.has(doc)) {
        if (columns && source.columns)
          columns.ranks[reader.findDocument(fingerprint)] = source.columns.ranks[doc]!;
        continue;
      }
      const merged = reader.findDocument(fingerprint);
      if (merged >= 0 && !sources.some((other) => hasLive(other, fingerprint))) deletes.add(merged);
    }
  }
  return newSegment(reader, deletes, columns);
}

/**
 * Returns the columns of a merged segment: the host signals of the source segments, and empty columns for the
 * ranks of the documents.
 */
function mergedColumns(
  { docCount, table }: SegmentReader,
  sources: readonly WritableSegment[],
): RankColumns | null {
  if (sources.every(({ columns }) => columns === null)) return null;
  const known = new Map(
    sources.flatMap(({ reader, columns }) =>
      columns ? reader.table.hosts.map((name, host) => [name, signalsAt(columns.hosts, host)]) : [],
    ),
  );
  return {
    ranks: new Float32Array(docCount),
    hosts: hostColumns(table.hosts, (name) => known.get(name) ?? null),
  };
}
