/**
 * The words and word pairs of one segment in memory. A word is identified by its number in the table, and its text is
 * decoded when it is needed. Words ascend by UTF-16 units.
 */
import { startOf } from '../columns.ts';

export const UNKNOWN_WORD = -1;

interface WordTableColumns {
  total: number;
  counts: Uint32Array;
  /** The offset in `bytes` at which each word ends. */
  ends: Uint32Array;
  bytes: Buffer;
  pairEnds: Uint32Array;
  seconds: Uint32Array;
  together: Uint32Array;
}

export class WordTable {
  readonly total: number;
  readonly counts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #bytes: Buffer;
  readonly #pairEnds: Uint32Array;
  readonly #seconds: Uint32Array;
  readonly #together: Uint32Array;

  constructor(columns: WordTableColumns) {
    this.total = columns.total;
    this.counts = columns.counts;
    this.#ends = columns.ends;
    this.#bytes = columns.bytes;
    this.#pairEnds = columns.pairEnds;
    this.#seconds = columns.seconds;
    this.#together = columns.together;
  }

  get size(): number {
    return this.counts.length;
  }

  get pairCount(): number {
    return this.#seconds.length;
  }

  wordAt(number: number): string {
    return this.#bytes.toString('utf8', startOf(this.#ends, number), this.#ends[number]!);
  }

  /** Decodes all words at once, which is several times faster than decoding them one by one. */
  allWords(): string[] {
    const all = this.#bytes.toString('utf8');
    const isOneByteEach = all.length === this.#bytes.length;
    return Array.from(this.#ends, (end, number) =>
      isOneByteEach ? all.slice(startOf(this.#ends, number), end) : this.wordAt(number),
    );
  }

  numberOf(word: string): number {
    const number = this.firstFrom(word);
    return number < this.size && this.wordAt(number) === word ? number : UNKNOWN_WORD;
  }

  /** Returns the number of the first word that is not less than `text`. */
  firstFrom(text: string): number {
    let [from, to] = [0, this.size];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.wordAt(middle) < text) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** Returns how often `second` occurred directly after `first`. */
  together(first: number, second: number): number {
    if (first === UNKNOWN_WORD || second === UNKNOWN_WORD) return 0;
    let [from, to] = [startOf(this.#pairEnds, first), this.#pairEnds[first]!];
    const end = to;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#seconds[middle]! < second) from = middle + 1;
      else to = middle;
    }
    return from < end && this.#seconds[from] === second ? this.#together[from]! : 0;
  }

  /** Calls `visit` for each pair that begins with the word `first`, in ascending order of the second word. */
  eachFollower(first: number, visit: (second: number, count: number) => void): void {
    for (let at = startOf(this.#pairEnds, first); at < this.#pairEnds[first]!; at++)
      visit(this.#seconds[at]!, this.#together[at]!);
  }
}
