/**
 * A rank file: how much each known URL is worth, found by its fingerprint. Sealed (magic GYR1), body:
 *
 *   generation    u32          the number in the file's name
 *   count         u32
 *   fingerprints  u64 × count  ascending as unsigned numbers
 *   ranks         f32 × count  in the same order
 *
 * Ranks of documents sum to 1; an alias is listed with the rank of its document. The file is called
 * `ranks-00000001.ranks` and so on. The one with the greatest number counts; older ones are removed
 * when a new one is in place.
 */
import type { Directory, FileKind } from '../base/mod.ts';

export const RANKS_KIND: FileKind = { magic: 'GYR1', version: 1 };
export const RANKS_HEADER_BYTES = 8;

const NAME = /^ranks-(\d{8,})\.ranks$/;

export function ranksName(generation: number): string {
  return `ranks-${String(generation).padStart(8, '0')}.ranks`;
}

/** The generations of the finished rank files, oldest first. */
export function ranksGenerations(directory: Directory): number[] {
  return directory
    .list()
    .map((name) => Number(NAME.exec(name)?.[1] ?? 0))
    .filter((generation) => generation > 0)
    .sort((a, b) => a - b);
}
