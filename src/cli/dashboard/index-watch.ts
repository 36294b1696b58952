/** Reads the state of the index from its manifest, and notices merges: files of segments that are no longer in it. */
import { existsSync } from 'node:fs';
import type { Clock } from '../../base/mod.ts';
import { type Manifest, readManifest, summarizeIndex } from '../../index/mod.ts';
import { journalFiles } from '../../journal/mod.ts';
import type { StoredFacts } from '../../serve/mod.ts';
import type { DataDirectory } from '../data-directory.ts';

export class IndexWatch {
  readonly #data: DataDirectory;
  readonly #clock: Clock;
  #known: ReadonlySet<string> | null = null;
  #id = '';
  #merges = 0;
  #mergedAt: number | null = null;

  constructor(data: DataDirectory, clock: Clock) {
    this.#data = data;
    this.#clock = clock;
  }

  look(): StoredFacts['index'] {
    const { index, journal } = this.#data;
    if (!existsSync(index.path)) return null;
    const manifest = readManifest(index);
    this.#noticeMerges(manifest);
    const { docCount, sizeBytes } = summarizeIndex(index);
    const newestAt = Math.max(0, ...manifest.versions.map(({ newest }) => newest));
    return {
      docs: docCount,
      sizeBytes,
      segments: manifest.segments.map(({ file, docs, deleted }) => ({
        name: file.replace(/\.seg$/, ''),
        docs,
        deleted,
        sizeBytes: index.has(file) ? index.sizeOf(file) : 0,
      })),
      merges: this.#merges,
      mergedAt: this.#mergedAt,
      newestAt: newestAt === 0 ? null : newestAt,
      waitingFiles: existsSync(journal.path) ? journalFiles(journal, manifest.journal).length : 0,
    };
  }

  /** A commit that replaces segments is one merge. Another index in the same directory is none. */
  #noticeMerges({ id, segments }: Manifest): void {
    const files = new Set(segments.map(({ file }) => file));
    const isMerged = this.#id === id && [...(this.#known ?? [])].some((file) => !files.has(file));
    if (isMerged) {
      this.#merges++;
      this.#mergedAt = this.#clock.now();
    }
    this.#id = id;
    this.#known = files;
  }
}
