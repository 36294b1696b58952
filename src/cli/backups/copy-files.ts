/** Copies files between data directories. A file that another process removes meanwhile is left out. */
import { constants, copyFileSync, mkdirSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { partOf, systemCode } from '../../base/mod.ts';

/** A data directory and its copy. */
interface CopyPaths {
  from: string;
  to: string;
}

const PART = partOf('');
/** Matches the number at the beginning of the name of an archive or journal file. */
const NUMBER = /^(\d{8})[-.]/;

/** Copies the files of a folder that are wanted and complete, without its sub-folders. */
export function copyFolder({ from, to }: CopyPaths, wanted: (name: string) => boolean = () => true): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const { name } = entry;
    if (entry.isFile() && !name.endsWith(PART) && wanted(name))
      copyFile({ from: join(from, name), to: join(to, name) });
  }
}

/** The last committed file of an archive or a journal, and the number of its committed bytes. */
interface LastFile {
  file: number;
  length: number;
}

/**
 * Copies the files of an archive or a journal up to a commit. The last file of the commit may have been finished since
 * then: its committed bytes become a file that is still being written, as it was at the commit. The CDXJ lines of
 * this file are left out, because the archive writes them again when it is opened.
 */
export function copyCommitted({ from, to }: CopyPaths, last: LastFile): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const number = Number(NUMBER.exec(name)?.[1] ?? 0);
    if (number > last.file) continue;
    const isLast = number === last.file;
    const finished = name.endsWith(PART) ? name.slice(0, -PART.length) : name;
    if (!isLast) {
      if (name === finished) copyFile({ from: join(from, name), to: join(to, name) });
    } else if (last.length > 0 && !finished.endsWith('.cdxj')) {
      const part = join(to, partOf(finished));
      // The file may be finished, and so renamed, between reading the folder and copying.
      if (
        copyFile({ from: join(from, name), to: part }) ||
        copyFile({ from: join(from, finished), to: part })
      )
        truncateSync(part, last.length);
    }
  }
}

/** Copies a file, sharing its blocks if the file system can. Returns false if it no longer exists. */
function copyFile({ from, to }: CopyPaths): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
