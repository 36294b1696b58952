/**
 * Models which parts of the files of a directory are left after a power failure. Data are durable after a sync of the file, and names
 * after a sync of the directory. Everything else may or may not have reached the disk:
 *
 * - of the writes to a file since its last sync, any subset, in any order, and the last one perhaps in part;
 * - of the changes to the names in a directory since its last sync, the first ones.
 *
 * The second rule holds on journaling file systems (ext4, XFS, Btrfs). The model is stricter than they are in one
 * point: the sync of a new file does not make its name durable. POSIX does not promise it.
 */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Random } from '../../src/base/mod.ts';

/**
 * `kill`: nothing is lost, as after SIGKILL. `nothing`: all that was not synced is lost. `zeros`: names and sizes
 * survive, but unsynced data are zeros. `random`: some of it survives.
 */
export const LOSSES = ['kill', 'nothing', 'zeros', 'random'] as const;
export type Loss = (typeof LOSSES)[number];

type Change = { position: number; bytes: Buffer } | { length: number };

interface TrackedFile {
  /** The bytes that a power failure cannot change. */
  durable: Buffer;
  changes: Change[];
}

type Entry = TrackedFile | 'directory' | null;

interface TrackedDirectory {
  /** The durable entries of all names that were changed. */
  durable: Map<string, Entry>;
  current: Map<string, Entry>;
  changes: (readonly [name: string, entry: Entry])[][];
}

export class DiskModel {
  readonly #root: string;
  readonly #directories = new Map<string, TrackedDirectory>();
  readonly #files = new Map<number, TrackedFile>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Reports that a file is about to be opened for writing. */
  opened(path: string, isEmptied: boolean): void {
    const entry = this.#entryOf(path);
    if (entry === null) this.#change(path, [[basename(path), { durable: Buffer.alloc(0), changes: [] }]]);
    else if (entry !== 'directory' && isEmptied) entry.changes.push({ length: 0 });
  }

  named(fd: number, path: string): void {
    this.#files.set(fd, this.#entryOf(path) as TrackedFile);
  }

  closed(fd: number): void {
    this.#files.delete(fd);
  }

  wrote(fd: number, position: number, bytes: Uint8Array): void {
    this.#files.get(fd)!.changes.push({ position, bytes: Buffer.from(bytes) });
  }

  truncated(fd: number, length: number): void {
    this.#files.get(fd)!.changes.push({ length });
  }

  /** Reports that a sync has begun. The caller calls the result when the sync has ended. */
  syncing(fd: number, path: string): () => void {
    const file = this.#files.get(fd);
    const { length } = file?.changes ?? [];
    if (file) {
      return () => {
        file.durable = contentOf(file.durable, file.changes.splice(0, length));
      };
    }
    const directory = this.#directories.get(path);
    if (directory) return () => keep(directory);
    // The file was opened for reading, and its pending writes are synced all the same.
    const entry = this.#entryOf(path);
    return () => {
      if (entry && entry !== 'directory') entry.durable = contentOf(entry.durable, entry.changes.splice(0));
    };
  }

  renamed(from: string, to: string): void {
    const entry = this.#entryOf(from);
    this.#entryOf(to);
    this.#change(from, [
      [basename(from), null],
      [basename(to), entry],
    ]);
  }

  removed(path: string): void {
    this.#entryOf(path);
    this.#change(path, [[basename(path), null]]);
  }

  madeDirectory(path: string): void {
    this.#change(path, [[basename(path), 'directory']]);
  }

  /** Writes to `target` what is left after a kill or a power failure at this moment. */
  writeImage(target: string, loss: Loss, random: Random): void {
    cpSync(this.#root, target, { recursive: true });
    if (loss === 'kill') return;
    for (const [path, directory] of this.#directories) {
      const to = join(target, relative(this.#root, path));
      const names = new Map(directory.durable);
      const most = directory.changes.length;
      const kept = loss === 'nothing' ? 0 : loss === 'zeros' ? most : random.below(most + 1);
      for (const [name, entry] of directory.changes.slice(0, kept).flat()) names.set(name, entry);
      for (const [name, entry] of names) {
        if (!existsSync(to)) break;
        if (entry === null) rmSync(join(to, name), { recursive: true, force: true });
        else if (entry !== 'directory') {
          writeFileSync(join(to, name), contentOf(entry.durable, survivors(entry.changes, loss, random)));
        }
      }
    }
  }

  #directoryOf(path: string): TrackedDirectory {
    const parent = dirname(path);
    const known = this.#directories.get(parent);
    if (known) return known;
    const directory = { durable: new Map(), current: new Map(), changes: [] };
    this.#directories.set(parent, directory);
    return directory;
  }

  /** Returns the current entry of a path. An entry that was not tracked is durable as it is. */
  #entryOf(path: string): Entry {
    const directory = this.#directoryOf(path);
    const name = basename(path);
    if (!directory.current.has(name)) {
      const entry = existsSync(path) ? { durable: readFileSync(path), changes: [] } : null;
      directory.current.set(name, entry);
      directory.durable.set(name, entry);
    }
    return directory.current.get(name)!;
  }

  #change(path: string, entries: (readonly [string, Entry])[]): void {
    const directory = this.#directoryOf(path);
    for (const [name, entry] of entries) {
      if (!directory.durable.has(name)) directory.durable.set(name, null);
      directory.current.set(name, entry);
    }
    directory.changes.push(entries);
  }
}

function keep(directory: TrackedDirectory): void {
  for (const [name, entry] of directory.changes.flat()) directory.durable.set(name, entry);
  directory.changes = [];
}

function survivors(changes: readonly Change[], loss: Loss, random: Random): Change[] {
  if (loss === 'nothing') return [];
  if (loss === 'zeros') {
    return changes.map((each) =>
      'bytes' in each ? { position: each.position, bytes: Buffer.alloc(each.bytes.length) } : each,
    );
  }
  const kept = changes.filter(() => random.chance(0.5));
  const last = kept.at(-1);
  if (!last || !('bytes' in last)) return kept;
  return [
    ...kept.slice(0, -1),
    { ...last, bytes: last.bytes.subarray(0, random.below(last.bytes.length + 1)) },
  ];
}

function contentOf(durable: Buffer, changes: readonly Change[]): Buffer {
  let content = durable;
  for (const change of changes) {
    const length =
      'length' in change ? change.length : Math.max(content.length, change.position + change.bytes.length);
    const next = Buffer.alloc(length);
    content.copy(next);
    if ('bytes' in change) change.bytes.copy(next, change.position);
    content = next;
  }
  return content;
}
