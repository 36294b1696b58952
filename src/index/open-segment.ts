/** A segment together with the files that its manifest entry names: its deletes, ranks, anchor lists and vectors. */
import { CorruptError, type Directory, type Log, SEAL_FOOTER_BYTES } from '../base/mod.ts';
import { type AnchorLists, openAnchorLists } from './anchors/mod.ts';
import type { DocId } from './document.ts';
import { type FamilyRule, HiddenDocuments, NO_FAMILY_RULE, type ShownDocuments } from './hidden-documents.ts';
import type { SegmentEntry } from './manifest.ts';
import {
  DocSet,
  type HostColumns,
  openSegment,
  readDocSet,
  readRankColumns,
  type SegmentReader,
  sideOrNone,
} from './segment/mod.ts';
import { readVectors, type SegmentVectors } from './vectors/mod.ts';

export interface OpenSegment {
  readonly reader: SegmentReader;
  readonly deletes: DocSet;
  /**
   * The documents that searches with the default settings do not find: deleted documents, feeds, and pages that
   * the family filter hides.
   */
  readonly hidden: DocSet;
  /** Returns the documents that a search with these settings does not find. */
  hiddenFor(shown: ShownDocuments): DocSet;
  /** The rank of each document, relative to the mean. Null if the segment has no ranks yet. */
  readonly ranks: Float32Array | null;
  /** The signals of each host, by host number in the segment. Null if `ranks` is null. */
  readonly hostSignals: HostColumns | null;
  /** The anchor lists of the segment. Null if none of its documents has anchor text. */
  readonly anchors: AnchorLists | null;
  /** The vectors of the segment. Null if none of its documents has a vector. */
  readonly vectors: SegmentVectors | null;
  /** The number of live documents. `liveLength` is the total number of their words. */
  readonly liveDocs: number;
  readonly liveLength: number;
}

/** A function that reads a file beside a segment, such as its ranks. The segment has `docCount` documents. */
type ReadSide<T> = (directory: Directory, name: string, docCount: number) => T;

/**
 * Opens a segment that the manifest lists. Throws a `CorruptError` if the segment or its deletes are damaged,
 * or if the file is a different segment. Damaged ranks, anchor lists or vectors only cause a warning.
 */
export function openEntry(
  directory: Directory,
  entry: SegmentEntry,
  log: Log,
  verify: boolean,
  family: FamilyRule = NO_FAMILY_RULE,
): OpenSegment {
  const reader = openSegment(directory, entry.file);
  try {
    if (verify) reader.verify();
    checkIdentity(reader, entry);
    const docCount = reader.docCount;
    const readSide = <T>(what: 'ranks' | 'anchors' | 'vectors', file: string | null, read: ReadSide<T>) =>
      file ? sideOrNone(what, file, log, () => read(directory, file, docCount)) : null;
    const deletes = entry.deletes ? readDocSet(directory, entry.deletes, docCount) : new DocSet(docCount);
    const hostCount = reader.table.hosts.length;
    const ranked = readSide('ranks', entry.ranks, (...side) => readRankColumns(...side, hostCount));
    const liveLength = sumOfLive(reader, deletes);
    const anchors = readSide('anchors', entry.anchors, openAnchorLists);
    const vectors = readSide('vectors', entry.vectors ?? null, readVectors);
    const documents = new HiddenDocuments(deletes, reader, family);
    const hiddenFor = (shown: ShownDocuments) => documents.without(shown);
    const hidden = hiddenFor({ feeds: false, level: null });
    const linked = { ranks: ranked?.ranks ?? null, hostSignals: ranked?.hosts ?? null, anchors, vectors };
    return { reader, deletes, hidden, hiddenFor, ...linked, liveDocs: docCount - deletes.size, liveLength };
  } catch (error) {
    reader.close();
    throw error;
  }
}

/**
 * Throws if an undamaged file is not the segment that the manifest lists, for example because a wrong file was
 * copied.
 */
function checkIdentity({ docCount, checksum, sizeBytes }: SegmentReader, entry: SegmentEntry): void {
  const end = sizeBytes - SEAL_FOOTER_BYTES;
  if (docCount !== entry.docs)
    throw new CorruptError(entry.file, end, `${entry.docs} documents, as in the manifest`, `${docCount}`);
  if (entry.checksum !== null && checksum !== entry.checksum)
    throw new CorruptError(entry.file, end, `checksum ${entry.checksum}, as in the manifest`, checksum);
}

export function closeEntry({ reader, anchors }: Pick<OpenSegment, 'reader' | 'anchors'>): void {
  reader.close();
  anchors?.close();
}

function sumOfLive(reader: SegmentReader, deletes: DocSet): number {
  let sum = 0;
  for (let doc: DocId = 0; doc < reader.docCount; doc++) {
    if (!deletes.has(doc)) sum += reader.table.lengths[doc]!;
  }
  return sum;
}
