/**
 * A disk that fails on request. All files of the engine except those of SQLite are written by `DiskDirectory`
 * (src/base/files), with the functions of `node:fs` that are replaced here. Every change and every sync of a
 * file below `root` is an operation with a number.
 *
 * - `fault` lets operation `at` fail in this process. `EIO` fails once. `ENOSPC` also fails all later writes, as
 *   on a full disk. `short` writes only half of the bytes and returns their number, and later writes fail with ENOSPC.
 * - `before` is called before every operation. It may save the files as they would be if the process were killed
 *   or the power failed at this moment; see disk-image.ts.
 *
 * One disk can be watched at a time, and only the thread that watches it.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { DiskModel } from './disk-model.ts';

export type Fault = 'EIO' | 'ENOSPC' | 'short';

export interface DiskOptions {
  fault?: { kind: Fault; at: number };
  before?(operation: number, name: string): void;
}

/** The functions of `node:fs` as they were before a disk was watched. */
export const realFs = { ...fs };

const REPLACED = [
  'openSync',
  'closeSync',
  'writeSync',
  'ftruncateSync',
  'fsyncSync',
  'fdatasync',
  'renameSync',
  'rmSync',
  'mkdirSync',
] as const;

export class FaultDisk {
  readonly root: string;
  readonly model: DiskModel;
  readonly #options: DiskOptions;
  readonly #paths = new Map<number, string>();
  #operations = 0;
  #injected = 0;

  constructor(root: string, options: DiskOptions = {}) {
    this.root = root;
    this.model = new DiskModel(root);
    this.#options = options;
    Object.assign(fs, this.#functions());
    syncBuiltinESMExports();
  }

  /** Number of operations so far. */
  get operations(): number {
    return this.#operations;
  }

  /** Number of operations that failed or were cut short by a fault. */
  get injected(): number {
    return this.#injected;
  }

  /** Restores the functions of `node:fs`. */
  close(): void {
    for (const name of REPLACED) Object.assign(fs, { [name]: realFs[name] });
    syncBuiltinESMExports();
  }

  #isBelow(path: unknown): path is string {
    return typeof path === 'string' && (path === this.root || resolve(path).startsWith(this.root + sep));
  }

  /** Counts an operation. Throws the fault if it is due. Returns true if a write is to be cut short. */
  #operation(name: string, path: string, takesSpace: boolean): boolean {
    this.#options.before?.(this.#operations + 1, `${name} ${relative(this.root, path)}`);
    const number = ++this.#operations;
    const { fault } = this.#options;
    if (!fault || number < fault.at) return false;
    const { kind, at } = fault;
    if (kind === 'EIO' ? number > at : !takesSpace) return false;
    this.#injected++;
    if (kind === 'short' && this.#injected === 1 && name === 'write') return true;
    const code = kind === 'EIO' ? 'EIO' : 'ENOSPC';
    throw Object.assign(new Error(`${code}: injected fault, ${name} ${path}`), { code });
  }

  #functions(): Pick<typeof fs, (typeof REPLACED)[number]> {
    const { model } = this;
    const paths = this.#paths;
    return {
      openSync: (path, flags, mode) => {
        if (!this.#isBelow(path)) return realFs.openSync(path, flags, mode);
        const isWritten = flags === 'w' || flags === 'r+';
        const isNew = !realFs.existsSync(path);
        if (flags === 'w') this.#operation(isNew ? 'create' : 'empty', path, isNew);
        if (isWritten) model.opened(path, flags === 'w');
        const fd = realFs.openSync(path, flags, mode);
        paths.set(fd, path);
        if (isWritten) model.named(fd, path);
        return fd;
      },
      closeSync: (fd) => {
        paths.delete(fd);
        model.closed(fd);
        realFs.closeSync(fd);
      },
      writeSync: ((fd: number, bytes: Uint8Array, from: number, length: number, position: number) => {
        const path = paths.get(fd);
        if (path === undefined) return realFs.writeSync(fd, bytes, from, length, position);
        const isShort = this.#operation('write', path, true);
        const count = isShort ? length >> 1 : length;
        model.wrote(fd, position, bytes.subarray(from, from + count));
        return count === 0 ? 0 : realFs.writeSync(fd, bytes, from, count, position);
      }) as typeof fs.writeSync,
      ftruncateSync: (fd, length) => {
        const path = paths.get(fd);
        if (path !== undefined) {
          this.#operation('truncate', path, false);
          model.truncated(fd, length ?? 0);
        }
        realFs.ftruncateSync(fd, length);
      },
      fsyncSync: (fd) => {
        const path = paths.get(fd);
        if (path === undefined) return realFs.fsyncSync(fd);
        this.#operation('sync', path, true);
        // The model decides what is durable, so the real disk need not be waited for.
        model.syncing(fd, path)();
      },
      fdatasync: ((fd: number, done: (error: Error | null) => void) => {
        const path = paths.get(fd);
        if (path === undefined) return realFs.fdatasync(fd, done);
        try {
          this.#operation('sync', path, true);
        } catch (error) {
          return void setImmediate(done, error as Error);
        }
        const synced = model.syncing(fd, path);
        setImmediate(() => {
          synced();
          done(null);
        });
      }) as typeof fs.fdatasync,
      renameSync: (from, to) => {
        if (this.#isBelow(from)) {
          this.#operation('rename', from, false);
          model.renamed(from, to as string);
        }
        realFs.renameSync(from, to);
      },
      rmSync: (path, options) => {
        if (this.#isBelow(path) && realFs.existsSync(path)) {
          this.#operation('remove', path, false);
          model.removed(path);
        }
        realFs.rmSync(path, options);
      },
      mkdirSync: ((path: string, options: fs.MakeDirectoryOptions) => {
        if (!this.#isBelow(path) || realFs.existsSync(path)) return realFs.mkdirSync(path, options);
        this.#operation('mkdir', path, true);
        for (let each = path; !realFs.existsSync(each); each = dirname(each)) model.madeDirectory(each);
        return realFs.mkdirSync(path, options);
      }) as typeof fs.mkdirSync,
    };
  }
}
