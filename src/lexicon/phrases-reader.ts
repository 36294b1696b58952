/**
 * The phrases in memory, sorted by key, as an implicit trie. A node is a range of phrases and a depth in
 * bytes; the phrases of the range have their first `depth` bytes in common. Descending by a byte is a binary
 * search in the range. The root is the whole table at depth 0.
 */
import { ByteReader, type Directory, readSealed } from '../base/mod.ts';
import { readF32s, readU32s, startOf } from './columns.ts';
import { type Origin, readOrigin } from './origin.ts';
import { PHRASES_KIND, PHRASES_NAME, type Phrase } from './phrases-format.ts';

/** The value returned after the end of a key; it is less than all bytes. */
const KEY_END = -1;

export class PhraseTable {
  readonly origin: Origin;
  readonly count: number;
  readonly weights: Float32Array;
  readonly sizeBytes: number;
  readonly #keyEnds: Uint32Array;
  readonly #textEnds: Uint32Array;
  readonly #urlEnds: Uint32Array;
  readonly #keys: Buffer;
  readonly #texts: Buffer;
  readonly #urls: Buffer;

  constructor(body: Uint8Array) {
    const reader = new ByteReader(body, PHRASES_NAME);
    this.origin = readOrigin(reader);
    this.count = reader.u32();
    this.weights = readF32s(reader, this.count);
    this.#keyEnds = readU32s(reader, this.count);
    this.#textEnds = readU32s(reader, this.count);
    this.#urlEnds = readU32s(reader, this.count);
    this.#keys = reader.raw(this.#keyEnds.at(-1) ?? 0);
    this.#texts = reader.raw(this.#textEnds.at(-1) ?? 0);
    this.#urls = reader.raw(this.#urlEnds.at(-1) ?? 0);
    this.sizeBytes = body.length;
  }

  phrase(at: number): Phrase {
    const text = textAt(this.#texts, this.#textEnds, at) || textAt(this.#keys, this.#keyEnds, at);
    return { text, url: textAt(this.#urls, this.#urlEnds, at), weight: this.weights[at]! };
  }

  /** Returns the byte of a key at `depth`, or `KEY_END`. */
  byteAt(at: number, depth: number): number {
    const position = startOf(this.#keyEnds, at) + depth;
    return position < this.#keyEnds[at]! ? this.#keys[position]! : KEY_END;
  }

  /** Returns the first phrase in [low, high) whose byte at `depth` is at least `byte`. */
  lowerBound(low: number, high: number, depth: number, byte: number): number {
    let [from, to] = [low, high];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.byteAt(middle, depth) < byte) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Returns null if the file does not exist yet. */
export function openPhrases(directory: Directory): PhraseTable | null {
  if (!directory.has(PHRASES_NAME)) return null;
  return new PhraseTable(readSealed(directory, PHRASES_NAME, PHRASES_KIND));
}

function textAt(bytes: Buffer, ends: Uint32Array, at: number): string {
  return bytes.toString('utf8', startOf(ends, at), ends[at]!);
}
