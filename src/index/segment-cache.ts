/**
 * Brings the files of an index to a local `Directory`, where searching is synchronous. If the process also writes the
 * index, the files are already there. A node that only searches gets them from a `BlobStore` before it opens the
 * manifest that lists them.
 */
import type { BlobStore, Directory } from '../base/mod.ts';
import { filesOf, isIndexFile, type Manifest } from './manifest.ts';

export interface SegmentCache {
  readonly directory: Directory;
  /** Resolves when the directory has every file that the manifest lists. */
  bring(manifest: Manifest): Promise<void>;
  /** Frees the space of files that the manifest does not list. Call it when readers have opened the manifest. */
  evict(manifest: Manifest): Promise<void>;
}

/** The cache of the process that writes the index: every file is local, and the writer removes old ones. */
export function localSegments(directory: Directory): SegmentCache {
  return { directory, bring: async () => {}, evict: async () => {} };
}

/** A cache of segments that another node writes. */
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
