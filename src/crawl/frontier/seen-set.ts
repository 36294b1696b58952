/**
 * The set of known URLs, by fingerprint: an open-addressing table in memory, eight bytes a slot, at most 70 %
 * full. A lookup reads a few neighbouring slots, so the links of a page are checked without disk access
 * (docs/decisions/0010).
 *
 * The file `seen.log` holds the same fingerprints in the order in which they were added, eight bytes each, so
 * that a restart reads one file front to back instead of a whole B-tree. It is written with each commit and,
 * like the archive, truncated to the length of the last commit when it is opened again. It has no magic: the
 * fingerprint 0123456789abcdef is EF CD AB 89 67 45 23 01, and so on to the end. The commit mark in
 * `crawl.db` has the length of the log and the CRC-32 of all its bytes. If the log is lost or damaged, it is
 * rebuilt from the state.
 */
import { crc32 } from 'node:zlib';
import { type AppendFile, CorruptError, type Directory } from '../../base/mod.ts';
import { type CrawlState, fingerprintPages } from '../state/mod.ts';

const LOG = 'seen.log';
const FIRST_CAPACITY = 1 << 16;
const MAX_LOAD = 0.7;
const READ_BYTES = 1 << 20;

export class SeenSet {
  /**
   * Two words a slot, low and high, as in the log; both 0 in an empty slot. BigInts would cost an object
   * each.
   */
  #words = new Uint32Array(2 * FIRST_CAPACITY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(fingerprint: bigint): boolean {
    const words = wordsOf(fingerprint);
    return this.#isTaken(this.#find(words[0]!, words[1]!));
  }

  /** Returns false if the fingerprint was already present. */
  add(fingerprint: bigint): boolean {
    const words = wordsOf(fingerprint);
    return this.#add(words[0]!, words[1]!);
  }

  /** Adds fingerprints in the layout of the log, low word first. */
  addWords(words: Uint32Array): void {
    for (let at = 0; at < words.length; at += 2) {
      const [low, high] = [words[at]!, words[at + 1]!];
      this.#add(low === 0 && high === 0 ? 1 : low, high);
    }
  }

  /** Makes room for this many fingerprints at once, which is cheaper than growing step by step. */
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

  /** Returns the slot of the fingerprint, or the empty slot where it would go. */
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

/** Maps fingerprint 0, which would look like an empty slot, to 1. */
function wordsOf(fingerprint: bigint): Uint32Array {
  scratch[0] = fingerprint === 0n ? 1n : fingerprint;
  return scratchWords;
}

/** Length of the log at a commit. */
export interface SeenMark {
  seenBytes: number;
  /** CRC-32 of those bytes; absent in commits of older versions. */
  seenCheck?: number | undefined;
}

/** The log file of a `SeenSet`. */
export class SeenLog {
  readonly #file: AppendFile;
  #check: number;
  #pending: bigint[] = [];

  private constructor(file: AppendFile, check: number) {
    this.#file = file;
    this.#check = check;
  }

  /**
   * Opens the log at the length of the last commit and fills `seen` from it. Throws a `CorruptError` if the
   * bytes differ from those committed.
   */
  static open(directory: Directory, { seenBytes, seenCheck }: SeenMark, seen: SeenSet): SeenLog {
    const check = seenBytes > 0 ? load(directory, seenBytes, seen) : 0;
    requireCheck(check, { seenBytes, seenCheck });
    return new SeenLog(directory.append(LOG, seenBytes), check);
  }

  /** Rebuilds the log from all fingerprints of the state. */
  static async rebuild(
    directory: Directory,
    pages: AsyncIterable<readonly bigint[]>,
    seen: SeenSet,
  ): Promise<SeenLog> {
    const log = new SeenLog(directory.append(LOG, 0), 0);
    for await (const page of pages) {
      for (const fingerprint of page) {
        seen.add(fingerprint);
        log.append(fingerprint);
      }
      log.#write();
    }
    return log;
  }

  get length(): number {
    return this.#file.length;
  }

  append(fingerprint: bigint): void {
    this.#pending.push(fingerprint);
  }

  /** Makes the appended fingerprints durable and returns the mark to commit. */
  async flush(): Promise<SeenMark> {
    const isChanged = this.#pending.length > 0;
    if (isChanged) this.#write();
    const mark = { seenBytes: this.#file.length, seenCheck: this.#check };
    if (isChanged) await this.#file.sync();
    return mark;
  }

  close(): void {
    this.#file.close();
  }

  #write(): void {
    const bytes = new Uint8Array(BigInt64Array.from(this.#pending).buffer);
    this.#check = crc32(bytes, this.#check);
    this.#file.write(bytes);
    this.#pending = [];
  }
}

/** Throws a `CorruptError` unless the log has the bytes of the last commit. */
export function checkSeenLog(directory: Directory, { seenBytes, seenCheck }: SeenMark): void {
  const check = seenBytes > 0 ? load(directory, seenBytes, null) : 0;
  requireCheck(check, { seenBytes, seenCheck });
}

/** Rebuilds the log; the caller must commit the returned mark. */
export async function rebuildSeenLog(directory: Directory, state: CrawlState): Promise<SeenMark> {
  const log = await SeenLog.rebuild(directory, fingerprintPages(state), new SeenSet());
  const mark = await log.flush();
  log.close();
  return mark;
}

function requireCheck(actual: number, { seenBytes, seenCheck = actual }: SeenMark): void {
  if (seenCheck === actual) return;
  throw new CorruptError(LOG, seenBytes, `checksum ${seenCheck.toString(16)}`, actual.toString(16));
}

/** Adds the fingerprints of the log to `seen` and returns the CRC-32 of the bytes. */
function load(directory: Directory, committedBytes: number, seen: SeenSet | null): number {
  if (committedBytes % 8 !== 0)
    throw new CorruptError(LOG, committedBytes, 'whole fingerprints', 'a part of one');
  if (!directory.has(LOG)) throw new CorruptError(LOG, 0, `${committedBytes} bytes`, 'no file');
  seen?.reserve(committedBytes / 8);
  const file = directory.open(LOG);
  let check = 0;
  try {
    for (let at = 0; at < committedBytes; at += READ_BYTES) {
      const bytes = file.read(at, Math.min(READ_BYTES, committedBytes - at));
      check = crc32(bytes, check);
      seen?.addWords(new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
    }
  } finally {
    file.close();
  }
  return check;
}
