/**
 * Cuts an archive into pieces of whole records, to copy it to another store. A piece has the places of its captures,
 * which are read from the records themselves, so CDXJ files are not needed.
 */
import type { Directory, RandomFile } from '../base/mod.ts';
import { archiveFiles } from './archive-files.ts';
import {
  cdxEntryOf,
  detectCompression,
  type EncodedBatch,
  noDamage,
  scanMembers,
  type WarcCompression,
  type WarcMark,
} from './warc/mod.ts';

/** The place in an archive up to which it was copied: in the WARC file with this name, or a later one. */
export interface ArchivePlace {
  name: string;
  offset: number;
}

export interface ArchivePiece extends EncodedBatch {
  compression: WarcCompression;
  /** The end of this piece. */
  end: ArchivePlace;
}

/** Yields the committed bytes of an archive after a place, in pieces of about `pieceBytes`. */
export function* archivePieces(
  directory: Directory,
  mark: WarcMark,
  after: ArchivePlace,
  pieceBytes: number,
): Generator<ArchivePiece> {
  for (const { stored, name, end } of archiveFiles(directory, mark)) {
    if (name < after.name) continue;
    const offset = name === after.name ? after.offset : 0;
    if (offset >= end) continue;
    const file = directory.open(stored);
    try {
      yield* piecesOf(file, name, { offset, end }, pieceBytes);
    } finally {
      file.close();
    }
  }
}

/** Returns a whole WARC file that is in memory as one piece. */
export function pieceOfFile(bytes: Buffer, name: string): ArchivePiece {
  const file = {
    name,
    size: bytes.length,
    read: (position: number, length: number) => bytes.subarray(position, position + length),
    close() {},
  };
  return piecesOf(file, name, { offset: 0, end: bytes.length }, Number.POSITIVE_INFINITY).next().value!;
}

function* piecesOf(
  file: RandomFile,
  name: string,
  range: { offset: number; end: number },
  pieceBytes: number,
): Generator<ArchivePiece, undefined> {
  const compression = detectCompression(file);
  if (compression === 'none') return;
  let start = range.offset;
  let entries: EncodedBatch['entries'] = [];
  const cut = (end: number): ArchivePiece => ({
    bytes: file.read(start, end - start),
    entries,
    compression,
    end: { name, offset: end },
  });
  for (const located of scanMembers(file, compression, noDamage(), range)) {
    const entry = cdxEntryOf(located, name);
    if (entry) entries.push({ ...entry, offset: entry.offset - start });
    const end = located.offset + located.length;
    if (end - start < pieceBytes || end >= range.end) continue;
    yield cut(end);
    start = end;
    entries = [];
  }
  yield cut(range.end);
}
