/** A segment with what the manifest says about it: its deletes, its ranks, and what links say of its documents. */
import {
  CorruptError,
  type Directory,
  type Log,
  messageOf,
  SEAL_FOOTER_BYTES,
  systemCode,
} from '../base/mod.ts';
import { type AnchorLists, openAnchorLists } from './anchor-lists-reader.ts';
import { DocSet, readDocSet } from './doc-set.ts';
import type { DocId } from './document.ts';
import { DocumentKind, kindOf } from './document-type.ts';
import type { SegmentEntry } from './manifest.ts';
import { type HostColumns, readRankColumns } from './rank-column.ts';
import { openSegment, type SegmentReader } from './segment-reader.ts';

export interface OpenSegment {
  readonly reader: SegmentReader;
  readonly deletes: DocSet;
  /** What a search does not find: what is deleted, and feeds, unless they are asked for. */
  readonly hidden: DocSet;
  /** Relative to the mean; null when nobody has ranked the segment yet. */
  readonly ranks: Float32Array | null;
  /** What links tell of its hosts, by their numbers; null together with `ranks`. */
  readonly hostSignals: HostColumns | null;
  /** Null when links say nothing of any of its documents. */
  readonly anchors: AnchorLists | null;
  /** Documents that are not deleted, and the words in them. */
  readonly liveDocs: number;
  readonly liveLength: number;
}

/** Reads a file that lies beside a segment of so many documents. */
type ReadSide<T> = (directory: Directory, name: string, docCount: number) => T;

/** Throws a `CorruptError` if the segment is damaged or another one, or its deletes are damaged; damaged ranks or anchors only make a warning. */
export function openEntry(directory: Directory, entry: SegmentEntry, log: Log, verify: boolean): OpenSegment {
  const reader = openSegment(directory, entry.file);
  try {
    if (verify) reader.verify();
    checkIdentity(reader, entry);
    const docCount = reader.docCount;
    const readSide = <T>(what: 'ranks' | 'anchors', file: string | null, read: ReadSide<T>) =>
      file ? sideOrNone(what, file, log, () => read(directory, file, docCount)) : null;
    const deletes = entry.deletes ? readDocSet(directory, entry.deletes, docCount) : new DocSet(docCount);
    const hostCount = reader.table.hosts.length;
    const ranked = readSide('ranks', entry.ranks, (...side) => readRankColumns(...side, hostCount));
    const liveLength = sumOfLive(reader, deletes);
    const anchors = readSide('anchors', entry.anchors, openAnchorLists);
    const hidden = withFeeds(deletes, reader);
    const linked = { ranks: ranked?.ranks ?? null, hostSignals: ranked?.hosts ?? null, anchors };
    return { reader, deletes, hidden, ...linked, liveDocs: docCount - deletes.size, liveLength };
  } catch (error) {
    reader.close();
    throw error;
  }
}

/** A segment that is whole may still be another one, by a copy that went wrong. */
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

/** The file is damaged or gone: the rest of the index can do without it. Anything else is not mended so. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof CorruptError || systemCode(error) === 'ENOENT';
}

/** What the rest of the segment can do without: null, and a warning, if it is damaged. */
export function sideOrNone<T>(what: 'ranks' | 'anchors', file: string, log: Log, read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    log.warn(`${what} left out: gyre rank makes them anew`, { file, why: messageOf(error) });
    return null;
  }
}

/** The set itself if there are no feeds. */
function withFeeds(deletes: DocSet, { docCount, table }: SegmentReader): DocSet {
  const isFeed = table.types.map((type) => kindOf(type) === DocumentKind.feed);
  if (!isFeed.includes(true)) return deletes;
  const hidden = new DocSet(docCount, deletes.toBytes());
  for (let doc: DocId = 0; doc < docCount; doc++) if (isFeed[table.typeOf[doc]!]) hidden.add(doc);
  return hidden;
}

function sumOfLive(reader: SegmentReader, deletes: DocSet): number {
  let sum = 0;
  for (let doc: DocId = 0; doc < reader.docCount; doc++) {
    if (!deletes.has(doc)) sum += reader.table.lengths[doc]!;
  }
  return sum;
}
