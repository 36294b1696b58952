/**
 * Computes the totals of an index, such as its number of documents, from the manifest alone. No segment is
 * opened, so the cost does not depend on the number of documents. Damaged segments are counted too.
 */
import type { Directory } from '../base/mod.ts';
import { filesOf, type Manifest, readManifest, type SegmentEntry } from './manifest.ts';
import { countVectors, readVectorColumn } from './vectors/mod.ts';

interface IndexSummary {
  docCount: number;
  /**
   * Number of documents with a vector of meaning. Deleted documents count until the next merge. Absent if there
   * are no vectors.
   */
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

/** Returns the total size in bytes of all files that the manifest lists. */
export function indexSize(directory: Directory, manifest: Manifest): number {
  return filesOf(manifest).reduce((sum, name) => sum + (directory.has(name) ? directory.sizeOf(name) : 0), 0);
}

/**
 * Returns the number of documents of a segment that have a vector. Old manifests do not state this number; then
 * the vectors are counted.
 */
function embeddedOf(directory: Directory, { vectors, embedded, docs }: SegmentEntry): number {
  if (!vectors || !directory.has(vectors)) return 0;
  return embedded ?? countVectors(readVectorColumn(directory, vectors, docs));
}
