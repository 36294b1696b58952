/**
 * The vocabulary in memory; see vocabulary-format.ts. A word is identified by its number; the number -1 means that the
 * word is not listed.
 */
import { ByteReader, type Directory, readSealed } from '../base/mod.ts';
import { readU32s, startOf } from './columns.ts';
import { type Origin, readOrigin } from './origin.ts';
import { deletesOf, VOCABULARY_KIND, VOCABULARY_NAME } from './vocabulary-format.ts';

export const UNKNOWN_WORD = -1;

export class Vocabulary {
  readonly origin: Origin;
  readonly total: number;
  readonly counts: Uint32Array;
  readonly #words: string[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #pairEnds: Uint32Array;
  readonly #seconds: Uint32Array;
  readonly #together: Uint32Array;
  readonly #hashes: Uint32Array;
  readonly #owners: Uint32Array;

  constructor(body: Uint8Array) {
    const reader = new ByteReader(body, VOCABULARY_NAME);
    this.origin = readOrigin(reader);
    const count = reader.u32();
    this.total = reader.f64();
    this.counts = readU32s(reader, count);
    const ends = readU32s(reader, count);
    const bytes = reader.raw(ends.at(-1) ?? 0);
    this.#words = Array.from(ends, (end, at) => bytes.toString('utf8', startOf(ends, at), end));
    this.#numbers = new Map(this.#words.map((word, at) => [word, at]));
    const pairs = reader.u32();
    this.#pairEnds = readU32s(reader, count);
    this.#seconds = readU32s(reader, pairs);
    this.#together = readU32s(reader, pairs);
    const entries = reader.u32();
    this.#hashes = readU32s(reader, entries);
    this.#owners = readU32s(reader, entries);
  }

  get size(): number {
    return this.counts.length;
  }

  numberOf(word: string): number {
    return this.#numbers.get(word) ?? UNKNOWN_WORD;
  }

  wordOf(number: number): string {
    return this.#words[number]!;
  }

  /** Returns how often `second` occurred directly after `first`. */
  together(first: number, second: number): number {
    if (first === UNKNOWN_WORD || second === UNKNOWN_WORD) return 0;
    const end = this.#pairEnds[first]!;
    const at = lowerBound(this.#seconds, startOf(this.#pairEnds, first), end, second);
    return at < end && this.#seconds[at] === second ? this.#together[at]! : 0;
  }

  /**
   * Returns the words that share a delete with `word`: all words that are one edit apart from it, and also many words
   * that are not similar to it.
   */
  neighboursOf(word: string): Set<number> {
    const found = new Set<number>();
    for (const hash of deletesOf(word)) {
      const from = lowerBound(this.#hashes, 0, this.#hashes.length, hash);
      for (let at = from; this.#hashes[at] === hash; at++) found.add(this.#owners[at]!);
    }
    return found;
  }
}

/** Returns null if the file does not exist yet. */
export function openVocabulary(directory: Directory): Vocabulary | null {
  if (!directory.has(VOCABULARY_NAME)) return null;
  return new Vocabulary(readSealed(directory, VOCABULARY_NAME, VOCABULARY_KIND));
}

function lowerBound(column: Uint32Array, low: number, high: number, value: number): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (column[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
