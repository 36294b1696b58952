/**
 * Anchor lists beside the segments of a writer. They are written at once, under the name of the generation that the next
 * commit makes, and become visible with it; if that never comes, the next writer removes them.
 */
import type { Directory, Log } from '../base/mod.ts';
import { writeAnchorLists } from './anchor-buffer.ts';
import type { AnchorTexts } from './anchor-lists-format.ts';
import { type AnchorLists, openAnchorLists } from './anchor-lists-reader.ts';
import { type AnchorInput, mergeAnchorLists } from './anchor-merge.ts';
import { anchorsName } from './manifest.ts';
import { sideOrNone } from './open-segment.ts';
import type { SegmentReader } from './segment-reader.ts';
import type { WritableSegment } from './writable-segment.ts';

/** Gives the documents of a segment the texts that links to them have. */
export function anchorSegment(
  directory: Directory,
  { entry, reader }: WritableSegment,
  textsOf: AnchorTexts,
  generation: number,
): void {
  const name = anchorsName(entry.file, generation);
  entry.anchors = writeAnchorLists(directory, name, reader.table, textsOf) ? name : null;
}

/** Gives the merged segment what its sources have. Damaged lists are left out until the next rank run. */
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
    const name = anchorsName(entry.file, generation);
    entry.anchors = mergeAnchorLists(directory, name, reader.docCount, inputs) ? name : null;
  } finally {
    for (const { lists } of inputs) lists.close();
  }
}

/** A source without live documents has left the manifest, and its lists may be gone. */
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
