/**
 * Which URLs are known, by fingerprint: an open-addressing table in memory, eight bytes a slot, at
 * most 70 % full. A look-up is a few neighbouring reads, so a page's links are sorted out without
 * asking the disk (docs/decisions/0007).
 *
 * Beside it lies `seen.log`, the fingerprints in the order in which they were added, eight bytes each,
 * so that a restart reads one file front to back instead of a whole B-tree. It is written with each
 * commit and, like the archive, cut to the length of the last commit when it is opened again; if it is
 * lost, it is made anew from the state. It has neither magic nor checksum: the fingerprint 0123456789abcdef is
 * EF CD AB 89 67 45 23 01, and so on to the end.
 */
import { type AppendFile, CorruptError, type Directory } from '../base/mod.ts';

const LOG = 'seen.log';
const FIRST_CAPACITY = 1 << 16;
const MAX_LOAD = 0.7;
const READ_BYTES = 1 << 20;

export class SeenSet {
  /** Two words a slot, low and high, as in the log; both 0 in an empty slot. BigInts would cost an object each. */
  #words = new Uint32Array(2 * FIRST_CAPACITY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(fingerprint: bigint): boolean {
    const words = wordsOf(fingerprint);
    return this.#isTaken(this.#find(words[0]!, words[1]!));
  }

  /** False when it was there already. */
  add(fingerprint: bigint): boolean {
    const words = wordsOf(fingerprint);
    return this.#add(words[0]!, words[1]!);
  }

  /** Adds fingerprints as they lie in the log, low word first. */
  addWords(words: Uint32Array): void {
    for (let at = 0; at < words.length; at += 2) {
      const [low, high] = [words[at]!, words[at + 1]!];
      this.#add(low === 0 && high === 0 ? 1 : low, high);
    }
  }

  /** Makes room for this many at once, which is cheaper than growing on the way. */
  reserve(count: number): void {
    let capacity = this.#words.length / 2;
    while (count > capacity * MAX_LOAD) capacity *= 2;
    if (capacity > this.#words.length / 2) this.#grow(capacity);
  }

  #add(low: number, high: number): boolean {
    const slot = this.#find(low, high);
    if (this.#isTaken(slot)) return false;
    this.#words[slot] = low;
    this.#words[slot + 1] = high;
    if (++this.#size > (this.#words.length / 2) * MAX_LOAD) this.#grow(this.#words.length);
    return true;
  }

  #isTaken(slot: number): boolean {
    return this.#words[slot] !== 0 || this.#words[slot + 1] !== 0;
  }

  /** Where the fingerprint is, or would be. */
  #find(low: number, high: number): number {
    const words = this.#words;
    const mask = words.length - 1;
    // The low bits of a fingerprint depend on the whole URL; the high ones only on its host.
    let slot = (low * 2) & mask;
    while (
      (words[slot] !== 0 || words[slot + 1] !== 0) &&
      (words[slot] !== low || words[slot + 1] !== high)
    ) {
      slot = (slot + 2) & mask;
    }
    return slot;
  }

  #grow(capacity: number): void {
    const old = this.#words;
    this.#words = new Uint32Array(2 * capacity);
    for (let at = 0; at < old.length; at += 2) {
      const [low, high] = [old[at]!, old[at + 1]!];
      if (low === 0 && high === 0) continue;
      const slot = this.#find(low, high);
      this.#words[slot] = low;
      this.#words[slot + 1] = high;
    }
  }
}

const scratch = new BigInt64Array(1);
const scratchWords = new Uint32Array(scratch.buffer);

/** The one fingerprint that looks like an empty slot is moved aside. */
function wordsOf(fingerprint: bigint): Uint32Array {
  scratch[0] = fingerprint === 0n ? 1n : fingerprint;
  return scratchWords;
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
    seen.addWords(new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
  }
  file.close();
}
