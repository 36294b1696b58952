/** The WARC files of an archive, with the one that still grows as far as it is committed. */
import { type Directory, partOf } from '../base/mod.ts';
import { isWarcName, WARC_COMPRESSIONS, warcName, warcNumber } from './warc-compression.ts';
import type { WarcMark } from './warc-writer.ts';

export interface ArchiveFile {
  /** The name that it has now. */
  stored: string;
  /** The name that it has, or will have, when it is finished. */
  name: string;
  /** How many of its bytes are valid. */
  end: number;
}

/** The files up to `end`, oldest first. */
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
