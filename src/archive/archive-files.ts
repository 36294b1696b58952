/** Lists the WARC files of an archive, including the committed part of the file that still grows. */
import { type Directory, partOf } from '../base/mod.ts';
import { isWarcName, WARC_COMPRESSIONS, type WarcMark, warcName, warcNumber } from './warc/mod.ts';

export interface ArchiveFile {
  /** The current file name. It ends in `.part` while the file grows. */
  stored: string;
  /** The file name after the file is finished. */
  name: string;
  /** The number of committed bytes of the file. */
  end: number;
}

/** Yields the files of the archive up to the mark `end`, oldest first. */
export function* archiveFiles(directory: Directory, end: WarcMark): Generator<ArchiveFile> {
  for (const name of directory.list().filter(isWarcName)) {
    if (warcNumber(name) <= end.file) yield { stored: name, name, end: directory.sizeOf(name) };
  }
  for (const compression of WARC_COMPRESSIONS) {
    const name = warcName(end.file, compression);
    const stored = partOf(name);
    if (directory.has(stored)) yield { stored, name, end: Math.min(end.length, directory.sizeOf(stored)) };
  }
}
