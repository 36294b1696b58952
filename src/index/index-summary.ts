/**
 * The numbers of an index, from its manifest alone. It opens no segment, so the cost does not depend on the number of
 * documents, and a damaged segment is counted as if it could be read.
 */
import type { Directory } from '../base/mod.ts';
import { filesOf, type Manifest, readManifest, type SegmentEntry } from './manifest.ts';
import { countVectors, readVectorColumn } from './vectors/mod.ts';

interface IndexSummary {
  docCount: number;
  /** Documents that can be found by meaning; deleted ones count until the next merge. Absent if there are none. */
  embeddedDocs?: number;
  segmentCount: number;
  sizeBytes: number;
  generation: number;
}

export function summarizeIndex(directory: Directory): IndexSummary {
  const manifest = readManifest(directory);
  const { segments, generation } = manifest;
  const docCount = segments.reduce((sum, { docs, deleted }) => sum + docs - deleted, 0);
  const embeddedDocs = segments.reduce((sum, entry) => sum + embeddedOf(directory, entry), 0);
  return {
    docCount,
    ...(embeddedDocs > 0 && { embeddedDocs }),
    segmentCount: segments.length,
    sizeBytes: indexSize(directory, manifest),
    generation,
  };
}

/** The size of all files that the manifest lists. */
export function indexSize(directory: Directory, manifest: Manifest): number {
  return filesOf(manifest).reduce((sum, name) => sum + (directory.has(name) ? directory.sizeOf(name) : 0), 0);
}

/** Manifests of earlier versions do not have the number; the vectors are counted then. */
function embeddedOf(directory: Directory, { vectors, embedded, docs }: SegmentEntry): number {
  if (!vectors || !directory.has(vectors)) return 0;
  return embedded ?? countVectors(readVectorColumn(directory, vectors, docs));
}
