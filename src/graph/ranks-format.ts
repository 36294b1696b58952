/**
 * A rank file: the rank of each known URL, by fingerprint. It is sealed (magic GYR1); its body is:
 *
 *   generation    u32          the number in the file's name
 *   count         u32
 *   fingerprints  u64 × count  ascending as unsigned numbers
 *   ranks         f32 × count  in the same order
 *   nodes         u32 × count  the number of each URL's node in the graph file; not in version 1
 *   crawled       u8 × count   1 if the document was crawled, 0 if it is only linked to; not before version 3
 *
 * The ranks of all documents sum to 1; an alias has the rank and the node of its document. The first file is
 * called `ranks-00000001.ranks`. The file with the greatest number is valid, together with the files of the
 * same number beside it: the graph, its URLs, anchors and hosts, which are written before it. Files with
 * other numbers are removed afterwards.
 *
 * Example: with one crawled URL, which has the fingerprint 0123456789abcdef, the first file is
 *
 *   47 59 52 31  03 00 00 00  01 00 00 00  01 00 00 00  EF CD AB 89 67 45 23 01  00 00 80 3F  00 00 00 00  01  20 EA 49 FF
 */
import type { Directory, FileKind } from '../base/mod.ts';

export const RANKS_KIND: FileKind = { magic: 'GYR1', version: 3 };
export const RANKS_HEADER_BYTES = 8;

const NAME = /^ranks-(\d{8,})\.ranks$/;
const NUMBERED = /^(?:ranks|links|nodes|anchors|hosts|hostlinks)-(\d{8,})\.\w+$/;

export function ranksName(generation: number): string {
  return `ranks-${String(generation).padStart(8, '0')}.ranks`;
}

export function graphName(generation: number): string {
  return `links-${String(generation).padStart(8, '0')}.graph`;
}

export function hostGraphName(generation: number): string {
  return `hostlinks-${String(generation).padStart(8, '0')}.graph`;
}

/** Returns the generation numbers of the finished rank files, oldest first. */
export function ranksGenerations(directory: Directory): number[] {
  return directory
    .list()
    .map((name) => Number(NAME.exec(name)?.[1] ?? 0))
    .filter((generation) => generation > 0)
    .sort((a, b) => a - b);
}

export function removeOtherGenerations(directory: Directory, generation: number): void {
  for (const name of directory.list()) {
    const number = NUMBERED.exec(name)?.[1];
    if (number !== undefined && Number(number) !== generation) directory.remove(name);
  }
}
