/**
 * Copies the files of an index to a local `Directory`, where searches can read them synchronously. If the
 * process also writes the index, the files are already there. A node that only searches gets them from a
 * `BlobStore` before it opens the manifest that lists them.
 */
import type { BlobStore, Directory } from '../base/mod.ts';
import { filesOf, isIndexFile, type Manifest } from './manifest.ts';

export interface SegmentCache {
  readonly directory: Directory;
  /** Copies all files that the manifest lists to the local directory, unless they are there already. */
  bring(manifest: Manifest): Promise<void>;
  /** Removes local files that the manifest does not list. Call this when readers have opened the manifest. */
  evict(manifest: Manifest): Promise<void>;
}

/**
 * The cache for a process that writes the index itself. It does nothing: every file is local, and the writer
 * removes old files.
 */
export function localSegments(directory: Directory): SegmentCache {
  return { directory, bring: async () => {}, evict: async () => {} };
}

/** The cache for a process that searches segments which another node writes. */
export function cachedSegments(blobs: BlobStore, directory: Directory): SegmentCache {
  return {
    directory,
    async bring(manifest) {
      for (const name of filesOf(manifest)) {
        if (!directory.has(name)) directory.replace(name, await blobs.get(name));
      }
    },
    async evict(manifest) {
      const kept = new Set(filesOf(manifest));
      for (const name of directory.list()) if (isIndexFile(name) && !kept.has(name)) directory.remove(name);
    },
  };
}
