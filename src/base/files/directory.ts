/**
 * The interface for all access to files. Tests use other implementations, for example one whose third write
 * fails or that truncates a file.
 *
 * A file whose name ends in `.part` is still being written, and `list` does not show it. Every other file is
 * complete: it was written in one step by `replace`, or it grew as a `.part` file and was renamed when it was
 * finished.
 *
 * After a power failure, data exist only if they were synced, and a name exists only if its directory was synced
 * after the name was given. Therefore `replace`, `rename`, `sync` and `openDirectory` sync both.
 */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CorruptError, messageOf, systemCode, UsageError } from '../errors.ts';

const PART = '.part';
/**
 * Codes of read errors that do not mean that the file is damaged: it does not exist, or this process has too
 * many open files or too little memory.
 */
const NOT_DAMAGE = new Set(['', 'ENOENT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

/**
 * A directory of files. If an existing file cannot be read, it counts as damaged: `read`, `open` and reads of
 * an open file throw a `CorruptError` with the reason.
 */
export interface Directory {
  /** The path of the directory, for messages and for programs that need a real path. */
  readonly path: string;
  /** Returns the names of the finished files, sorted. */
  list(): string[];
  has(name: string): boolean;
  /** Returns true if the directory has no file at all, neither finished nor `.part`. */
  isEmpty(): boolean;
  sizeOf(name: string): number;
  read(name: string): Buffer;
  /**
   * Writes a whole file durably: a reader sees the old bytes or the new ones, never a mixture. `mode`
   * restricts access to a file with secrets; without it, all users may read the file.
   */
  replace(name: string, bytes: Uint8Array, mode?: number): void;
  /** Opens a file for appending. Keeps its first `keepBytes` bytes and cuts the rest. */
  append(name: string, keepBytes: number): AppendFile;
  open(name: string): RandomFile;
  /**
   * Renames a file durably. After a power failure it has either its old or its new name, and under the new name
   * all bytes that were written before.
   */
  rename(from: string, to: string): void;
  /** Removes a file. Does nothing if it does not exist. */
  remove(name: string): void;
  directory(name: string): Directory;
}

export interface AppendFile {
  readonly length: number;
  write(bytes: Uint8Array): void;
  /** Resolves when all bytes written to the file are on disk, and the name of a new file too. */
  sync(): Promise<void>;
  close(): void;
}

export interface RandomFile {
  readonly name: string;
  readonly size: number;
  /**
   * Reads bytes of an open file into new memory, or into the beginning of `into`. A caller that reads a large
   * file in pieces can use the same `into` again.
   */
  read(position: number, length: number, into?: Buffer): Buffer;
  close(): void;
}

/** Returns the name that a file has while it is being written. */
export function partOf(name: string): string {
  return name + PART;
}

/** Opens a directory and creates it if necessary. */
export function openDirectory(path: string): Directory {
  try {
    const first = mkdirSync(path, { recursive: true });
    if (first !== undefined) syncNames(first, path);
    return new DiskDirectory(path);
  } catch (cause) {
    const why = systemCode(cause) || String(cause);
    throw new UsageError(
      'directory-unusable',
      `cannot use the directory ${path} (${why}): make it writable or choose another directory with --data`,
      { cause },
    );
  }
}

/** Opens a directory for reading. It is not created and need not exist. */
export function directoryAt(path: string): Directory {
  return new DiskDirectory(path);
}

class DiskDirectory implements Directory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  list(): string[] {
    const entries = readdirSync(this.path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(PART))
      .map((entry) => entry.name)
      .sort();
  }

  has(name: string): boolean {
    return existsSync(join(this.path, name));
  }

  isEmpty(): boolean {
    return readdirSync(this.path).length === 0;
  }

  sizeOf(name: string): number {
    return statSync(join(this.path, name)).size;
  }

  read(name: string): Buffer {
    try {
      return readFileSync(join(this.path, name));
    } catch (error) {
      throw damageBehind(error, name, 0);
    }
  }

  replace(name: string, bytes: Uint8Array, mode?: number): void {
    const part = partOf(name);
    const fd = openSync(join(this.path, part), 'w', mode);
    try {
      if (mode !== undefined) fchmodSync(fd, mode);
      writeAll(fd, bytes);
      fsyncSync(fd);
    } catch (error) {
      // Removes the incomplete file, which would only take up space on a full disk.
      this.remove(part);
      throw error;
    } finally {
      closeSync(fd);
    }
    this.#renameSynced(part, name);
  }

  append(name: string, keepBytes: number): AppendFile {
    const size = keepBytes > 0 && this.has(name) ? this.sizeOf(name) : 0;
    if (size < keepBytes)
      throw new CorruptError(join(this.path, name), size, `${keepBytes} committed bytes`, 'the end');
    const fd = openSync(join(this.path, name), keepBytes === 0 ? 'w' : 'r+');
    ftruncateSync(fd, keepBytes);
    return new DiskAppendFile(fd, keepBytes, this.path);
  }

  open(name: string): RandomFile {
    try {
      return new DiskRandomFile(this.path, name);
    } catch (error) {
      throw damageBehind(error, name, 0);
    }
  }

  rename(from: string, to: string): void {
    syncPath(join(this.path, from));
    this.#renameSynced(from, to);
  }

  remove(name: string): void {
    rmSync(join(this.path, name), { force: true });
  }

  directory(name: string): Directory {
    return openDirectory(join(this.path, name));
  }

  #renameSynced(from: string, to: string): void {
    renameSync(join(this.path, from), join(this.path, to));
    syncPath(this.path);
  }
}

class DiskAppendFile implements AppendFile {
  readonly #fd: number;
  /** The directory of the file until it is synced, which makes the name of the file durable; null afterwards. */
  #unsyncedDirectory: string | null;
  #length: number;

  constructor(fd: number, length: number, unsyncedDirectory: string) {
    this.#fd = fd;
    this.#length = length;
    this.#unsyncedDirectory = unsyncedDirectory;
  }

  get length(): number {
    return this.#length;
  }

  write(bytes: Uint8Array): void {
    writeAll(this.#fd, bytes, this.#length);
    this.#length += bytes.length;
  }

  async sync(): Promise<void> {
    if (this.#unsyncedDirectory !== null) syncPath(this.#unsyncedDirectory);
    this.#unsyncedDirectory = null;
    await promisify(fdatasync)(this.#fd);
  }

  close(): void {
    closeSync(this.#fd);
  }
}

class DiskRandomFile implements RandomFile {
  readonly name: string;
  readonly size: number;
  readonly #fd: number;

  constructor(path: string, name: string) {
    this.name = name;
    this.#fd = openSync(join(path, name), 'r');
    this.size = statSync(join(path, name)).size;
  }

  read(position: number, length: number, into?: Buffer): Buffer {
    // The file may have grown since it was opened. The length is checked before memory is allocated for it, because it may
    // come from a damaged file.
    if (!(length >= 0 && position + length <= this.size)) this.#require(position, length);
    const bytes = into?.subarray(0, length) ?? Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const count = this.#readInto(bytes, done, position + done);
      if (count === 0)
        throw new CorruptError(this.name, position + done, `${length - done} more bytes`, 'the end');
      done += count;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #require(position: number, length: number): void {
    const { size } = fstatSync(this.#fd);
    if (length >= 0 && position + length <= size) return;
    const present = Math.max(0, size - position);
    throw new CorruptError(this.name, position + present, `${length - present} more bytes`, 'the end');
  }

  #readInto(bytes: Buffer, from: number, position: number): number {
    try {
      return readSync(this.#fd, bytes, from, bytes.length - from, position);
    } catch (error) {
      throw damageBehind(error, this.name, position);
    }
  }
}

/** Syncs the data of a file, or the names in a directory. */
function syncPath(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes the names of new directories durable, from `path` up to `first`, which is the outermost of them. */
function syncNames(first: string, path: string): void {
  const top = dirname(resolve(first));
  for (let each = resolve(path); each !== top; ) {
    each = dirname(each);
    syncPath(each);
  }
}

function damageBehind(error: unknown, name: string, position: number): unknown {
  if (NOT_DAMAGE.has(systemCode(error))) return error;
  return new CorruptError(name, position, 'bytes that can be read', messageOf(error));
}

function writeAll(fd: number, bytes: Uint8Array, position = 0): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
}
