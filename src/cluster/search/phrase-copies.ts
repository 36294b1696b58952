/**
 * Local copies of the lexicons of all shards, for the suggestions and corrections of a gateway. A lexicon has a few
 * percent of the size of its segment.
 */
import type { BlobStore, Directory, Log } from '../../base/mod.ts';
import { CachedSegments, type Manifest, type ManifestStore } from '../../index/mod.ts';
import { IndexCopy } from './index-copy.ts';

interface PhraseCopiesOptions {
  shards: readonly string[];
  manifestsOf(shard: string): ManifestStore;
  blobsOf(shard: string): BlobStore;
  /** The directory with a subdirectory for each shard. */
  directory: Directory;
  log: Log;
}

export interface PhraseCopies {
  /** For each shard, a directory with its manifest and lexicons. */
  directories: readonly Directory[];
  close(): Promise<void>;
}

export function copyPhrases(options: PhraseCopiesOptions): PhraseCopies {
  const { shards, manifestsOf, blobsOf, log } = options;
  const directories = shards.map((shard) => options.directory.directory(shard));
  const copies = shards.map((shard, at) => {
    const cache = new CachedSegments(blobsOf(shard), directories[at]!, { log, filesOf: phraseFilesOf });
    return new IndexCopy({ shard, manifests: manifestsOf(shard), cache, log, onChange: async () => {} });
  });
  return {
    directories,
    close: async () => {
      await Promise.all(copies.map((copy) => copy.close()));
    },
  };
}

/**
 * Returns the files of lexicons, with the files of page ranks and of deleted documents: phrases of pages with high ranks
 * count more, and those of deleted documents do not count.
 */
function phraseFilesOf({ segments }: Manifest): string[] {
  const files = segments.flatMap(({ lexicon, ranks, deletes }) => [lexicon, ranks, deletes]);
  return files.filter((name) => typeof name === 'string');
}
