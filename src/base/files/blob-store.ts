/**
 * A store of immutable files (blobs) under flat names, on this machine or in object storage. A blob exists
 * completely or not at all, and never changes. There is no append and no rename, so files that grow or are
 * replaced do not belong here.
 *
 * The embedded implementation is a `Directory`.
 */
import { GyreError, systemCode } from '../errors.ts';
import type { Directory } from './directory.ts';

export interface BlobStore {
  /**
   * Stores a blob durably. Storing the same bytes again does nothing, so that an interrupted writer can
   * repeat its work; different bytes under an existing name are refused with the error `blob-exists`.
   */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Reads a whole blob. `get` and `range` reject with the error `no-blob` if no blob has this name. */
  get(name: string): Promise<Buffer>;
  /** Returns `length` bytes from `start`, or fewer at the end of the blob. */
  range(name: string, start: number, length: number): Promise<Buffer>;
  /** Returns the names of the blobs that begin with `prefix`, sorted. */
  list(prefix: string): Promise<string[]>;
  /** Deletes a blob. Does nothing if it does not exist. */
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

/** Throws the error `blob-name` if the name is empty or has other characters than letters, digits, `_`, `.` and `-`. */
export function checkBlobName(name: string): void {
  if (!/^[\w.-]+$/.test(name)) throw new GyreError('blob-name', `"${name}" is not a name of a blob`);
}

function put(directory: Directory, name: string, bytes: Uint8Array): void {
  checkBlobName(name);
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
