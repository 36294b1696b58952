/**
 * Writes the anchor lists of segments. A file is written immediately, named after the next generation, and
 * becomes visible with the next commit. If that commit never happens, the next index writer removes the file.
 */
import type { Directory, Log } from '../../base/mod.ts';
import { segmentAnchorsName } from '../manifest.ts';
import { type SegmentReader, sideOrNone, type WritableSegment } from '../segment/mod.ts';
import { writeAnchorLists } from './anchor-buffer.ts';
import type { AnchorTexts } from './anchor-lists-format.ts';
import { type AnchorLists, openAnchorLists } from './anchor-lists-reader.ts';
import { type AnchorInput, mergeAnchorLists } from './anchor-merge.ts';

export function anchorSegment(
  directory: Directory,
  { entry, reader }: WritableSegment,
  textsOf: AnchorTexts,
  generation: number,
): void {
  const name = segmentAnchorsName(entry.file, generation);
  entry.anchors = writeAnchorLists(directory, name, reader.table, textsOf) ? name : null;
}

/**
 * Merges the anchor lists of the segments that were merged into one. Skips damaged lists; the next rank run
 * restores them.
 */
export function anchorMerged(
  directory: Directory,
  { entry, reader }: WritableSegment,
  sources: readonly WritableSegment[],
  generation: number,
  log: Log,
): void {
  const inputs: AnchorInput[] = [];
  try {
    for (const source of sources) {
      const lists = listsOf(directory, source, log);
      if (lists) inputs.push({ lists, newDocOf: docMap(source, reader) });
    }
    const name = segmentAnchorsName(entry.file, generation);
    entry.anchors = mergeAnchorLists(directory, name, reader.docCount, inputs) ? name : null;
  } finally {
    for (const { lists } of inputs) lists.close();
  }
}

/**
 * Opens the anchor lists of a segment that was merged. Returns null for a segment without live documents: it is
 * no longer in the manifest, so the file may already be removed.
 */
function listsOf(
  directory: Directory,
  { entry, reader, deletes }: WritableSegment,
  log: Log,
): AnchorLists | null {
  const { anchors } = entry;
  if (!anchors || deletes.size === reader.docCount) return null;
  return sideOrNone('anchors', anchors, log, () => openAnchorLists(directory, anchors, reader.docCount));
}

function docMap({ reader, deletes }: WritableSegment, merged: SegmentReader): AnchorInput['newDocOf'] {
  const { fingerprints } = reader.table;
  const docs = Int32Array.from(fingerprints, (fingerprint, doc) =>
    deletes.has(doc) ? -1 : merged.findDocument(fingerprint),
  );
  return (doc) => docs[doc]!;
}
