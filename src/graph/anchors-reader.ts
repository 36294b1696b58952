/** Reads anchor files; see anchors-format.ts for the bytes. */
import { crc32 } from 'node:zlib';
import {
  ByteReader,
  CorruptError,
  checkSealHeader,
  type Directory,
  type RandomFile,
  SEAL_HEADER_BYTES,
} from '../base/mod.ts';
import {
  ANCHORS_KIND,
  ANCHORS_TRAILER_BYTES,
  type AnchorText,
  anchorsName,
  MAX_ENTRY_BYTES,
} from './anchors-format.ts';
import { findFingerprint } from './fingerprint-order.ts';
import { ranksGenerations } from './ranks-format.ts';

export interface AnchorTable {
  readonly generation: number;
  /** How many documents have a text. */
  readonly count: number;
  /** What links to the document with this fingerprint say, by falling weight. */
  textsOf(fingerprint: bigint): AnchorText[];
  /** Every document that has texts, in the order of the file: for whoever indexes them. */
  entries(): Generator<{ fingerprint: bigint; texts: AnchorText[] }>;
  close(): void;
}

/** The anchors of the newest ranks, or null if there are none yet. */
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

  constructor(directory: Directory, generation: number) {
    const name = anchorsName(generation);
    this.generation = generation;
    this.#file = directory.open(name);
    const { size } = this.#file;
    if (size < SEAL_HEADER_BYTES + ANCHORS_TRAILER_BYTES)
      throw new CorruptError(name, size, 'a trailer', 'the end');
    checkSealHeader(this.#file.read(0, SEAL_HEADER_BYTES), ANCHORS_KIND, name);
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

  textsOf(fingerprint: bigint): AnchorText[] {
    const at = findFingerprint(this.#halves, fingerprint);
    if (at < 0) return [];
    const position = this.#positions[at]!;
    return this.#read(position, Math.min(position + MAX_ENTRY_BYTES, this.#indexAt));
  }

  *entries(): Generator<{ fingerprint: bigint; texts: AnchorText[] }> {
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

  #read(position: number, end: number): AnchorText[] {
    const reader = new ByteReader(this.#file.read(position, end - position), this.#file.name);
    return Array.from({ length: reader.varint() }, () => {
      const weight = reader.f32();
      return { text: reader.text(), weight };
    });
  }
}
