/**
 * Removes files of an index that the manifest does not list, because they were replaced or a killed writer left
 * them.
 */
import { type Directory, partOf } from '../base/mod.ts';
import {
  deletesName,
  filesOf,
  isIndexFile,
  type Manifest,
  segmentAnchorsName,
  segmentLexiconName,
  segmentName,
  segmentRanksName,
  segmentVectorsName,
  versionsName,
} from './manifest.ts';
import type { MergePlan } from './merging/mod.ts';

/** Removes index files that neither the manifest nor a running merge uses. */
export function removeUnused(directory: Directory, manifest: Manifest, merges: Iterable<MergePlan>): void {
  const kept = new Set(filesOf(manifest));
  for (const { output, lexicon } of merges) kept.add(output).add(lexicon);
  const unused = directory.list().filter((name) => isIndexFile(name) && !kept.has(name));
  for (const name of unused) directory.remove(name);
}

/** Removes unfinished files (`.part`) that a killed writer or its merges may have left. */
export function removeParts(directory: Directory, { segments, nextSegment, generation }: Manifest): void {
  const next = generation + 1;
  const finished = directory.list().filter(isIndexFile).length;
  const remove = (name: string) => directory.remove(partOf(name));
  for (let number = 1; number <= nextSegment + finished; number++) {
    remove(segmentName(number));
    remove(versionsName(number));
    if (number >= nextSegment) remove(segmentLexiconName(segmentName(number), next));
  }
  const sides = [deletesName, segmentRanksName, segmentAnchorsName, segmentVectorsName, segmentLexiconName];
  for (const { file } of segments) for (const nameOf of sides) remove(nameOf(file, next));
}
