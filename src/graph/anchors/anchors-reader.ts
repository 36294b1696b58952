/** Reads anchor files; anchors-format.ts describes the bytes. */
import { crc32 } from 'node:zlib';
import {
  ByteReader,
  CorruptError,
  checkSealHeader,
  type Directory,
  type RandomFile,
  SEAL_HEADER_BYTES,
} from '../../base/mod.ts';
import { findFingerprint } from '../fingerprint-order.ts';
import { ranksGenerations } from '../ranks-format.ts';
import { ANCHORS_KIND, ANCHORS_TRAILER_BYTES, anchorsName, type LinkedText } from './anchors-format.ts';

export interface AnchorTable {
  readonly generation: number;
  readonly count: number;
  /** Returns the anchor texts of the document with the given fingerprint, by descending weight. */
  textsOf(fingerprint: bigint): LinkedText[];
  /** Yields every document that has anchor texts, in the order of the file. */
  entries(): Generator<{ fingerprint: bigint; texts: LinkedText[] }>;
  close(): void;
}

/** Opens the anchor file of the newest ranks. Returns null if there is none yet. */
export function openAnchors(directory: Directory): AnchorTable | null {
  const generation = ranksGenerations(directory).at(-1);
  if (generation === undefined || !directory.has(anchorsName(generation))) return null;
  return new AnchorFile(directory, generation);
}

class AnchorFile implements AnchorTable {
  readonly generation: number;
  readonly count: number;
  readonly #file: RandomFile;
  readonly #halves: Uint32Array;
  readonly #positions: Float64Array;
  readonly #indexAt: number;
  readonly #hasChecks: boolean;
  /**
   * The start offsets of all entries in ascending order, to find the end of an entry. Made when the first entry
   * is read.
   */
  #starts: Float64Array | null = null;

  constructor(directory: Directory, generation: number) {
    const name = anchorsName(generation);
    this.generation = generation;
    this.#file = directory.open(name);
    const { size } = this.#file;
    if (size < SEAL_HEADER_BYTES + ANCHORS_TRAILER_BYTES)
      throw new CorruptError(name, size, 'a trailer', 'the end');
    const header = this.#file.read(0, SEAL_HEADER_BYTES);
    checkSealHeader(header, ANCHORS_KIND, name);
    this.#hasChecks = header.readUInt32LE(4) > 1;
    this.count = this.#file.read(size - ANCHORS_TRAILER_BYTES, 4).readUInt32LE(0);
    this.#indexAt = size - ANCHORS_TRAILER_BYTES - this.count * 16;
    if (this.#indexAt < SEAL_HEADER_BYTES)
      throw new CorruptError(name, size, `${this.count} documents`, 'the end');
    const index = this.#file.read(this.#indexAt, size - this.#indexAt);
    const actual = crc32(index.subarray(0, -4));
    const expected = index.readUInt32LE(index.length - 4);
    if (actual !== expected)
      throw new CorruptError(name, size - 4, `checksum ${expected.toString(16)}`, actual.toString(16));
    this.#halves = new Uint32Array(this.count * 2);
    this.#positions = new Float64Array(this.count);
    new Uint8Array(this.#halves.buffer).set(index.subarray(0, this.count * 8));
    new Uint8Array(this.#positions.buffer).set(index.subarray(this.count * 8, this.count * 16));
  }

  textsOf(fingerprint: bigint): LinkedText[] {
    const at = findFingerprint(this.#halves, fingerprint);
    if (at < 0) return [];
    const position = this.#positions[at]!;
    return this.#read(position, this.#endOf(position));
  }

  /**
   * Returns the offset at which the entry at `position` ends: the start of the next entry or, for the last
   * entry, the start of the index.
   */
  #endOf(position: number): number {
    this.#starts ??= this.#positions.toSorted();
    let [from, to] = [0, this.#starts.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#starts[middle]! <= position) from = middle + 1;
      else to = middle;
    }
    return this.#starts[from] ?? this.#indexAt;
  }

  *entries(): Generator<{ fingerprint: bigint; texts: LinkedText[] }> {
    const order = Uint32Array.from(this.#positions, (_, at) => at);
    order.sort((a, b) => this.#positions[a]! - this.#positions[b]!);
    for (const [place, at] of order.entries()) {
      const next = order[place + 1];
      const end = next === undefined ? this.#indexAt : this.#positions[next]!;
      const bits = (BigInt(this.#halves[2 * at + 1]!) << 32n) | BigInt(this.#halves[2 * at]!);
      yield { fingerprint: BigInt.asIntN(64, bits), texts: this.#read(this.#positions[at]!, end) };
    }
  }

  close(): void {
    this.#file.close();
  }

  #read(position: number, end: number): LinkedText[] {
    const bytes = this.#file.read(position, end - position);
    const reader = new ByteReader(bytes, this.#file.name);
    const texts: LinkedText[] = [];
    for (let left = reader.varint(); left > 0; left--) {
      const weight = reader.f32();
      texts.push({ text: reader.text(), weight });
    }
    if (this.#hasChecks) this.#check(crc32(bytes.subarray(0, reader.at)), reader.u32(), position);
    return texts;
  }

  #check(actual: number, expected: number, position: number): void {
    if (actual === expected) return;
    const [wanted, got] = [expected.toString(16), actual.toString(16)];
    throw new CorruptError(this.#file.name, position, `checksum ${wanted}`, got, 'run gyre rank');
  }
}
