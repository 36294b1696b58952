/**
 * The words and word pairs of the vocabulary, for suggestions: a part of vocabulary.gyre, in less memory than
 * `Vocabulary`. A word is identified by its number, and its text is decoded when it is needed.
 */
import { ByteReader, type Directory, readSealed } from '../base/mod.ts';
import { readU32s, startOf } from './columns.ts';
import { readOrigin } from './origin.ts';
import { VOCABULARY_KIND, VOCABULARY_NAME } from './vocabulary-format.ts';

export class WordPairs {
  readonly #counts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #bytes: Buffer;
  readonly #pairEnds: Uint32Array;
  readonly #seconds: Uint32Array;
  readonly #together: Uint32Array;

  constructor(body: Uint8Array) {
    const reader = new ByteReader(body, VOCABULARY_NAME);
    readOrigin(reader);
    const count = reader.u32();
    reader.f64();
    this.#counts = readU32s(reader, count);
    this.#ends = readU32s(reader, count);
    this.#bytes = Buffer.from(reader.raw(this.#ends.at(-1) ?? 0));
    const pairs = reader.u32();
    this.#pairEnds = readU32s(reader, count);
    this.#seconds = readU32s(reader, pairs);
    this.#together = readU32s(reader, pairs);
  }

  /** Returns how often the word was counted; 0 if it is not listed. */
  countOf(word: string): number {
    const number = this.#numberOf(word);
    return number === null ? 0 : this.#counts[number]!;
  }

  /** Returns the words that begin with `beginning` and followed `first` at least `least` times, most often first. */
  followersOf(first: string, beginning: string, least: number): string[] {
    const number = this.#numberOf(first);
    if (number === null) return [];
    const [low, high] = this.#rangeOf(beginning);
    const found: [word: number, count: number][] = [];
    for (let at = startOf(this.#pairEnds, number); at < this.#pairEnds[number]!; at++) {
      const second = this.#seconds[at]!;
      if (second >= low && second < high && this.#together[at]! >= least)
        found.push([second, this.#together[at]!]);
    }
    return found.sort(([, a], [, b]) => b - a).map(([word]) => this.#wordAt(word));
  }

  /** Returns the words that begin with `beginning` and were counted at least `least` times, most frequent first. */
  withPrefix(beginning: string, least: number): string[] {
    const [low, high] = this.#rangeOf(beginning);
    const found: number[] = [];
    for (let word = low; word < high; word++) if (this.#counts[word]! >= least) found.push(word);
    return found.sort((a, b) => this.#counts[b]! - this.#counts[a]!).map((word) => this.#wordAt(word));
  }

  #numberOf(word: string): number | null {
    const at = this.#firstFrom(word);
    return at < this.#ends.length && this.#wordAt(at) === word ? at : null;
  }

  /** Returns the range of words with this beginning; words ascend by UTF-16 units. */
  #rangeOf(beginning: string): [low: number, high: number] {
    return [this.#firstFrom(beginning), this.#firstFrom(`${beginning}\uffff`)];
  }

  #firstFrom(text: string): number {
    let [from, to] = [0, this.#ends.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#wordAt(middle) < text) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #wordAt(at: number): string {
    return this.#bytes.toString('utf8', startOf(this.#ends, at), this.#ends[at]!);
  }
}

/** Returns null if the file does not exist yet. */
export function openWordPairs(directory: Directory): WordPairs | null {
  if (!directory.has(VOCABULARY_NAME)) return null;
  return new WordPairs(readSealed(directory, VOCABULARY_NAME, VOCABULARY_KIND));
}
