/**
 * A run: known fingerprints that no longer fit into memory, sorted, in a file of `seen/`. The high bits of a
 * fingerprint depend only on the host, so the URLs of a host are neighbours: the links of a page, most of which
 * stay on its host, are found in one or two blocks.
 *
 * A run has the fingerprints of one stretch of `seen.log`, and is named after it: `run-00000000000-00000000002`. Sealed
 * (magic GYSR), body:
 *
 *   end     f64           number of fingerprints of `seen.log` up to the end of the stretch
 *   check   u32           CRC-32 of these bytes of `seen.log`
 *   none    u32           0
 *   keys    u64 × count   ascending
 *
 * The run of a log with the fingerprints 2 and 1 is
 *
 *   47 59 53 52  01 00 00 00  00 00 00 00 00 00 00 40  A8 6E B1 A7  00 00 00 00
 *   01 00 00 00 00 00 00 00  02 00 00 00 00 00 00 00  8E BF A1 88
 *
 * In memory a run has the first key of each block and a Bloom filter with three probes, 8 to 16 bits a key. `fold` halves
 * the filter by adding its second half to its first: it then answers "perhaps" more often, but never "no" wrongly.
 */
import { crc32 } from 'node:zlib';
import {
  CorruptError,
  checkSealHeader,
  type Directory,
  type FileKind,
  partOf,
  type RandomFile,
  SEAL_FOOTER_BYTES,
  sealHeader,
} from '../../base/mod.ts';

const KIND: FileKind = { magic: 'GYSR', version: 1 };
const KEYS_AT = 24;
const KEY_BYTES = 8;
export const BLOCK_KEYS = 512;
const PIECE_KEYS = 128 * BLOCK_KEYS;
const FILTER_BITS_PER_KEY = 8;
const MIN_FILTER_WORDS = 1024;
const PROBES = 3;

/** The range of `seen.log` whose fingerprints are in a run, counted in fingerprints. */
export interface Stretch {
  first: number;
  end: number;
  /** CRC-32 of `seen.log` from its start to `end`. */
  check: number;
}

function runName({ first, end }: Pick<Stretch, 'first' | 'end'>): string {
  const padded = (count: number) => String(count).padStart(11, '0');
  return `run-${padded(first)}-${padded(end)}`;
}

/** Parses the file name of a run into its range of the log; returns null for other names. */
export function stretchOfName(name: string): Pick<Stretch, 'first' | 'end'> | null {
  const parts = /^run-(\d{11})-(\d{11})$/.exec(name);
  return parts && { first: Number(parts[1]), end: Number(parts[2]) };
}

export class SeenRun {
  readonly stretch: Stretch;
  readonly #file: RandomFile;
  readonly #count: number;
  /** The first fingerprint of each block, as low and high 32-bit word. */
  readonly #firstKeys: Uint32Array;
  #filter: Uint32Array;

  private constructor(file: RandomFile, stretch: Stretch, count: number) {
    this.#file = file;
    this.stretch = stretch;
    this.#count = count;
    this.#firstKeys = new Uint32Array(2 * Math.ceil(count / BLOCK_KEYS));
    const words = 2 ** Math.ceil(Math.log2((count * FILTER_BITS_PER_KEY) / 32 || 1));
    this.#filter = new Uint32Array(Math.max(MIN_FILTER_WORDS, words));
  }

  /**
   * Writes a run with the sorted fingerprints `keys`, without the fingerprints in `left`. The run can be read
   * at once; `sealed` resolves when the file is durable.
   */
  static write(
    directory: Directory,
    stretch: Stretch,
    keys: BigUint64Array,
    left: readonly bigint[],
  ): { run: SeenRun; sealed: Promise<void> } {
    const name = runName(stretch);
    const part = partOf(name);
    const out = directory.append(part, 0);
    const header = Buffer.alloc(KEYS_AT);
    sealHeader(KIND).copy(header);
    header.writeDoubleLE(stretch.end, 8);
    header.writeUInt32LE(stretch.check, 16);
    let check = crc32(header);
    out.write(header);
    let count = 0;
    for (const kept of without(keys, left)) {
      for (let at = 0; at < kept.length; at += PIECE_KEYS) {
        const piece = kept.subarray(at, at + PIECE_KEYS);
        const bytes = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
        check = crc32(bytes, check);
        out.write(bytes);
      }
      count += kept.length;
    }
    const footer = Buffer.alloc(SEAL_FOOTER_BYTES);
    footer.writeUInt32LE(check);
    out.write(footer);
    const run = new SeenRun(directory.open(part), stretch, count);
    run.#read();
    const seal = async () => {
      await out.sync();
      out.close();
      directory.rename(part, name);
    };
    return { run, sealed: seal() };
  }

  /** Opens a run and reads the whole file once. Throws a `CorruptError` if it is damaged. */
  static open(directory: Directory, name: string): SeenRun {
    const file = directory.open(name);
    try {
      const count = (file.size - KEYS_AT - SEAL_FOOTER_BYTES) / KEY_BYTES;
      if (count < 0 || !Number.isInteger(count))
        throw new CorruptError(name, file.size, 'whole fingerprints', 'a part of one');
      const header = file.read(0, KEYS_AT);
      checkSealHeader(header, KIND, name);
      const { first } = stretchOfName(name)!;
      const stretch = { first, end: header.readDoubleLE(8), check: header.readUInt32LE(16) };
      const run = new SeenRun(file, stretch, count);
      const check = run.#read(crc32(header));
      const expected = file.read(file.size - SEAL_FOOTER_BYTES, SEAL_FOOTER_BYTES).readUInt32LE();
      if (check !== expected)
        throw new CorruptError(name, file.size, `checksum ${expected.toString(16)}`, check.toString(16));
      return run;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  get count(): number {
    return this.#count;
  }

  get filterBytes(): number {
    return this.#filter.byteLength;
  }

  /** Halves the Bloom filter; returns false if it already has the minimum size. */
  fold(): boolean {
    const half = this.#filter.length / 2;
    if (half < MIN_FILTER_WORDS) return false;
    const folded = this.#filter.slice(0, half);
    for (let at = 0; at < half; at++) folded[at]! |= this.#filter[half + at]!;
    this.#filter = folded;
    return true;
  }

  /** Returns the number of the block that may contain the fingerprint, or -1 if the run does not contain it. */
  blockOf(low: number, high: number): number {
    if (!this.#mayHave(low, high)) return -1;
    const first = this.#firstKeys;
    let [from, to] = [0, first.length / 2];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const isAfter =
        first[2 * middle + 1]! > high || (first[2 * middle + 1] === high && first[2 * middle]! > low);
      if (isAfter) to = middle;
      else from = middle + 1;
    }
    return from - 1;
  }

  /** Returns the fingerprints of a block, each as low and high 32-bit word. */
  readBlock(block: number): Uint32Array {
    const count = Math.min(BLOCK_KEYS, this.#count - block * BLOCK_KEYS);
    const bytes = this.#file.read(
      KEYS_AT + block * BLOCK_KEYS * KEY_BYTES,
      count * KEY_BYTES,
      Buffer.alloc(count * KEY_BYTES),
    );
    return new Uint32Array(bytes.buffer, bytes.byteOffset, 2 * count);
  }

  close(): void {
    this.#file.close();
  }

  /**
   * Fills the Bloom filter and the table of blocks from the file. Returns the CRC-32 of the fingerprints, continued
   * from `check`.
   */
  #read(check = 0): number {
    const piece = Buffer.alloc(PIECE_KEYS * KEY_BYTES);
    let sum = check;
    for (let at = 0; at < this.#count; at += PIECE_KEYS) {
      const count = Math.min(PIECE_KEYS, this.#count - at);
      const bytes = this.#file.read(KEYS_AT + at * KEY_BYTES, count * KEY_BYTES, piece);
      sum = crc32(bytes, sum);
      this.#takeKeys(at, new Uint32Array(bytes.buffer, bytes.byteOffset, 2 * count));
    }
    return sum;
  }

  #takeKeys(first: number, words: Uint32Array): void {
    const filter = this.#filter;
    const mask = 32 * filter.length - 1;
    for (let at = 0; at < words.length; at += 2) {
      const [low, high] = [words[at]!, words[at + 1]!];
      const step = stepOf(low, high);
      for (let probe = 0, bit = low; probe < PROBES; probe++, bit = (bit + step) | 0)
        filter[(bit & mask) >>> 5]! |= 1 << (bit & 31);
    }
    for (let at = 0; at < words.length; at += 2 * BLOCK_KEYS) {
      const block = (first + at / 2) / BLOCK_KEYS;
      this.#firstKeys[2 * block] = words[at]!;
      this.#firstKeys[2 * block + 1] = words[at + 1]!;
    }
  }

  #mayHave(low: number, high: number): boolean {
    const filter = this.#filter;
    const mask = 32 * filter.length - 1;
    const step = stepOf(low, high);
    for (let probe = 0, bit = low; probe < PROBES; probe++, bit = (bit + step) | 0)
      if ((filter[(bit & mask) >>> 5]! & (1 << (bit & 31))) === 0) return false;
    return true;
  }
}

/** Yields the parts of the sorted `keys` between the fingerprints in `left`, which are skipped. */
function* without(keys: BigUint64Array, left: readonly bigint[]): Generator<BigUint64Array> {
  const positions = left.map((key) => positionOf(keys, key)).sort((a, b) => a - b);
  let from = 0;
  for (const position of positions) {
    yield keys.subarray(from, position);
    from = position + 1;
  }
  yield keys.subarray(from);
}

/** Returns the index of a key, which must be present, in the sorted `keys`. */
function positionOf(keys: BigUint64Array, key: bigint): number {
  let [from, to] = [0, keys.length - 1];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (keys[middle]! < key) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns the distance between two Bloom filter probes of a fingerprint. It is odd, so that the probes differ. */
function stepOf(low: number, high: number): number {
  return Math.imul(high ^ (low >>> 15), 0x9e3779b1) | 1;
}
