/**
 * Which URLs are known, by fingerprint: an open-addressing table in memory, eight bytes a slot, at
 * most 70 % full. A look-up is a few neighbouring reads, so a page's links are sorted out without
 * asking the disk (docs/decisions/0007).
 *
 * Beside it lies `seen.log`, the fingerprints in the order in which they were added, eight bytes each,
 * so that a restart reads one file front to back instead of a whole B-tree. It is written with each
 * commit and, like the archive, cut to the length of the last commit when it is opened again; if it is
 * lost, it is made anew from the state.
 */
import { type AppendFile, CorruptError, type Directory } from '../base/mod.ts';

const LOG = 'seen.log';
const FIRST_CAPACITY = 1 << 16;
const MAX_LOAD = 0.7;
const READ_BYTES = 1 << 20;

/** Stands for an empty slot; the one fingerprint that looks like it is moved aside. */
const EMPTY = 0n;

export class SeenSet {
  #slots = new BigInt64Array(FIRST_CAPACITY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(fingerprint: bigint): boolean {
    return this.#slots[this.#find(keyOf(fingerprint))] !== EMPTY;
  }

  /** False when it was there already. */
  add(fingerprint: bigint): boolean {
    const key = keyOf(fingerprint);
    const slot = this.#find(key);
    if (this.#slots[slot] !== EMPTY) return false;
    this.#slots[slot] = key;
    if (++this.#size > this.#slots.length * MAX_LOAD) this.#grow(this.#slots.length * 2);
    return true;
  }

  /** Makes room for this many at once, which is cheaper than growing on the way. */
  reserve(count: number): void {
    let capacity = this.#slots.length;
    while (count > capacity * MAX_LOAD) capacity *= 2;
    if (capacity > this.#slots.length) this.#grow(capacity);
  }

  #find(key: bigint): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    // The low bits of a fingerprint depend on the whole URL; the high ones only on its host.
    let slot = Number(BigInt.asUintN(32, key)) & mask;
    for (let found = slots[slot]!; found !== EMPTY && found !== key; found = slots[slot]!)
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(capacity: number): void {
    const old = this.#slots;
    this.#slots = new BigInt64Array(capacity);
    for (const key of old) if (key !== EMPTY) this.#slots[this.#find(key)] = key;
  }
}

function keyOf(fingerprint: bigint): bigint {
  return fingerprint === EMPTY ? 1n : fingerprint;
}

/** The log beside the table. */
export class SeenLog {
  readonly #file: AppendFile;
  #pending: bigint[] = [];

  private constructor(file: AppendFile) {
    this.#file = file;
  }

  /** Opens the log as it stood at the last commit, and fills `seen` from it. */
  static open(directory: Directory, committedBytes: number, seen: SeenSet): SeenLog {
    if (committedBytes > 0) load(directory, committedBytes, seen);
    return new SeenLog(directory.append(LOG, committedBytes));
  }

  /** Makes the log anew from all that the state knows. */
  static rebuild(directory: Directory, fingerprints: Iterable<bigint>, seen: SeenSet): SeenLog {
    const log = new SeenLog(directory.append(LOG, 0));
    for (const fingerprint of fingerprints) {
      seen.add(fingerprint);
      log.append(fingerprint);
      if (log.#pending.length * 8 >= READ_BYTES) log.#write();
    }
    log.#write();
    return log;
  }

  /** Whether the log still has all that was committed. */
  static isWhole(directory: Directory, committedBytes: number): boolean {
    return directory.has(LOG) ? directory.sizeOf(LOG) >= committedBytes : committedBytes === 0;
  }

  get length(): number {
    return this.#file.length;
  }

  append(fingerprint: bigint): void {
    this.#pending.push(fingerprint);
  }

  /** Makes what was appended durable and returns the length to commit. */
  async flush(): Promise<number> {
    if (this.#pending.length > 0) {
      this.#write();
      await this.#file.sync();
    }
    return this.#file.length;
  }

  close(): void {
    this.#file.close();
  }

  #write(): void {
    this.#file.write(new Uint8Array(BigInt64Array.from(this.#pending).buffer));
    this.#pending = [];
  }
}

function load(directory: Directory, committedBytes: number, seen: SeenSet): void {
  if (committedBytes % 8 !== 0)
    throw new CorruptError(LOG, committedBytes, 'whole fingerprints', 'a part of one');
  seen.reserve(committedBytes / 8);
  const file = directory.open(LOG);
  for (let at = 0; at < committedBytes; at += READ_BYTES) {
    const bytes = file.read(at, Math.min(READ_BYTES, committedBytes - at));
    const fingerprints = new BigInt64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
    for (const fingerprint of fingerprints) seen.add(fingerprint);
  }
  file.close();
}
