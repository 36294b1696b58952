/**
 * Reads the walk of one page through the code from docs/architecture.md: the files that a page passes from
 * its URL to a result, in order. A short walk with few changes of room means that the path of a page is easy
 * to follow.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '..', 'docs', 'architecture.md');
const HEADING = '## Following one page through the code';

export interface PageWalk {
  /** The paths of the files below `src/`, in the order of the walk. */
  files: string[];
  /** The number of times that the room changes from one file to the next. */
  crossings: number;
}

export function readPageWalk(): PageWalk {
  const text = readFileSync(PAGE, 'utf8');
  const rows = text.slice(text.indexOf(HEADING)).match(/^\|.*$/gm) ?? [];
  const files = rows.flatMap((row) =>
    Array.from(row.matchAll(/`([\w-]+\/[\w/-]+\.ts)`/g), ([, file]) => file!),
  );
  return { files, crossings: countCrossings(files) };
}

function countCrossings(files: readonly string[]): number {
  const roomOf = (file: string) => file.split('/')[0];
  return files.filter((file, at) => at > 0 && roomOf(file) !== roomOf(files[at - 1]!)).length;
}
