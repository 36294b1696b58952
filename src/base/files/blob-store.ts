/**
 * Immutable files under flat names, on this machine or in object storage. A blob exists completely or not at
 * all, and never changes; there is no append and no rename. Files that grow or are replaced do not belong here.
 *
 * The embedded store is a `Directory`.
 */
import { GyreError, systemCode } from '../errors.ts';
import type { Directory } from './directory.ts';

export interface BlobStore {
  /**
   * Stores a blob durably. Storing the same bytes again does nothing, so that an interrupted writer can repeat
   * its work; other bytes under an existing name are refused (`blob-exists`).
   */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Rejects with `no-blob` if no blob has this name; `range` does the same. */
  get(name: string): Promise<Buffer>;
  /** Returns `length` bytes from `start`, or fewer at the end of the blob. */
  range(name: string, start: number, length: number): Promise<Buffer>;
  /** The names that begin with `prefix`, sorted. */
  list(prefix: string): Promise<string[]>;
  /** Does nothing if there is no such blob. */
  delete(name: string): Promise<void>;
}

export function blobsIn(directory: Directory): BlobStore {
  return {
    put: async (name, bytes) => put(directory, name, bytes),
    get: async (name) => existing(directory, name, () => directory.read(name)),
    range: async (name, start, length) =>
      existing(directory, name, () => readRange(directory, name, start, length)),
    list: async (prefix) => directory.list().filter((name) => name.startsWith(prefix)),
    delete: async (name) => directory.remove(name),
  };
}

function put(directory: Directory, name: string, bytes: Uint8Array): void {
  if (!/^[\w.-]+$/.test(name)) throw new GyreError('blob-name', `"${name}" is not a name of a blob`);
  if (!directory.has(name)) directory.replace(name, bytes);
  else if (!directory.read(name).equals(bytes))
    throw new GyreError(
      'blob-exists',
      `${name} in ${directory.path} has other bytes, and blobs never change`,
    );
}

function readRange(directory: Directory, name: string, start: number, length: number): Buffer {
  const file = directory.open(name);
  try {
    return file.read(start, Math.max(0, Math.min(length, file.size - start)));
  } finally {
    file.close();
  }
}

function existing(directory: Directory, name: string, read: () => Buffer): Buffer {
  try {
    return read();
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    throw new GyreError('no-blob', `there is no ${name} in ${directory.path}`, { cause: error });
  }
}
