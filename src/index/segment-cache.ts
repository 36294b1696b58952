/**
 * Copies the files of an index to a local `Directory`, where searches can read them synchronously. If the
 * process also writes the index, the files are already there. A node that only searches gets them from a
 * `BlobStore` before it opens the manifest that lists them.
 *
 *   blob, in pieces -> NAME.part -> checksum -> NAME
 *
 * A file is complete if it has its name. Files of an earlier process are verified once before they are used again.
 */
import { setImmediate as turn } from 'node:timers/promises';
import {
  type BlobStore,
  type CorruptError,
  type Directory,
  findDamage,
  GyreError,
  type Log,
  partOf,
} from '../base/mod.ts';
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

export interface CachedSegmentsOptions {
  log: Log;
  /** The files of a manifest that the cache brings; by default all files of its segments. */
  filesOf?: (manifest: Manifest) => readonly string[];
  /** The disk space for the copies of all indexes of this process. By default it is not limited. */
  space?: CacheSpace;
}

const PIECE_BYTES = 8 * 1024 * 1024;
/** The number of times that a damaged file is fetched, because the bytes may have been damaged on the way. */
const ATTEMPTS = 3;

/**
 * Returns the files of an index that a search reads: all except the tables of record versions, which only the
 * index writer needs.
 */
export function searchedFilesOf(manifest: Manifest): string[] {
  return filesOf({ ...manifest, versions: [] });
}

/** The disk space that the copies of several indexes share. */
export class CacheSpace {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Throws the error `cache-full` if the space is too small. `name` is the file that needs it. */
  take(sizeBytes: number, name: string): void {
    if (this.#usedBytes + sizeBytes > this.#maxBytes)
      throw new GyreError(
        'cache-full',
        `${name} does not fit: expected at most ${this.#maxBytes} bytes in local copies of the index, got ${this.#usedBytes} and ${sizeBytes} more; allow more space or add search nodes`,
      );
    this.#usedBytes += sizeBytes;
  }

  free(sizeBytes: number): void {
    this.#usedBytes -= sizeBytes;
  }
}

/** The cache for a process that searches segments which another node writes. */
export class CachedSegments implements SegmentCache {
  readonly directory: Directory;
  readonly #blobs: BlobStore;
  readonly #log: Log;
  readonly #filesOf: (manifest: Manifest) => readonly string[];
  readonly #space: CacheSpace;
  /** The local files that were verified, with their sizes. */
  readonly #verified = new Map<string, number>();

  constructor(
    blobs: BlobStore,
    directory: Directory,
    { log, filesOf: chosen = searchedFilesOf, space = new CacheSpace() }: CachedSegmentsOptions,
  ) {
    this.#blobs = blobs;
    this.directory = directory;
    this.#log = log;
    this.#filesOf = chosen;
    this.#space = space;
  }

  async bring(manifest: Manifest): Promise<void> {
    for (const name of this.#filesOf(manifest)) {
      if (this.#verified.has(name)) continue;
      if (!(await this.#verifyLocal(name))) await this.#fetchWhole(name);
    }
  }

  async evict(manifest: Manifest): Promise<void> {
    const kept = new Set(this.#filesOf(manifest));
    for (const name of this.directory.list()) if (isIndexFile(name) && !kept.has(name)) this.#remove(name);
  }

  /** Makes the next `bring` verify all local files, because a reader has found a damaged one. */
  distrust(): void {
    for (const sizeBytes of this.#verified.values()) this.#space.free(sizeBytes);
    this.#verified.clear();
  }

  /** Returns true if the file is here and undamaged. Removes a damaged file. */
  async #verifyLocal(name: string): Promise<boolean> {
    if (!this.directory.has(name)) return false;
    const damage = await damageIn(this.directory, name);
    if (damage === null) {
      this.#keep(name, this.directory.sizeOf(name));
      return true;
    }
    this.#log.warn('local copy damaged, fetched again', { file: name, reason: damage.message });
    this.directory.remove(name);
    return false;
  }

  async #fetchWhole(name: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const part = partOf(name);
      const sizeBytes = await this.#fetch(name, part);
      const damage = await damageIn(this.directory, part);
      if (damage === null) {
        this.directory.rename(part, name);
        this.#verified.set(name, sizeBytes);
        return;
      }
      this.#space.free(sizeBytes);
      this.directory.remove(part);
      if (attempt === ATTEMPTS) throw damagedObject(name, damage);
      this.#log.warn('object damaged, fetched again', { object: name, reason: damage.message });
    }
  }

  /** Copies a blob to the file `part`. Takes space for it, and returns its size. */
  async #fetch(name: string, part: string): Promise<number> {
    const file = this.directory.append(part, 0);
    try {
      for (;;) {
        const piece = await this.#blobs.range(name, file.length, PIECE_BYTES);
        this.#space.take(piece.length, name);
        file.write(piece);
        if (piece.length < PIECE_BYTES) break;
      }
      await file.sync();
      return file.length;
    } catch (error) {
      this.#space.free(file.length);
      this.directory.remove(part);
      throw error;
    } finally {
      file.close();
    }
  }

  #keep(name: string, sizeBytes: number): void {
    this.#space.take(sizeBytes, name);
    this.#verified.set(name, sizeBytes);
  }

  #remove(name: string): void {
    this.#space.free(this.#verified.get(name) ?? 0);
    this.#verified.delete(name);
    this.directory.remove(name);
  }
}

function damagedObject(name: string, damage: CorruptError): GyreError {
  return new GyreError(
    'object-damaged',
    `the object ${name} is damaged (${damage.message}); restore it from a version or a copy of the bucket`,
    { cause: damage },
  );
}

/** Verifies the checksum of a file in steps, so that the process can answer other requests meanwhile. */
async function damageIn(directory: Directory, name: string): Promise<CorruptError | null> {
  const file = directory.open(name);
  try {
    const steps = findDamage(file);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      await turn();
    }
  } finally {
    file.close();
  }
}
