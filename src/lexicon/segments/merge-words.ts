/**
 * Merges the words and word pairs of several tables. The counts of some tables are added, and the counts of
 * others are subtracted.
 *
 * The words of each table ascend, so the tables are walked in parallel. Each word gets a global number in ascending
 * order; therefore the pairs of a table also ascend by global numbers, and the tables can be walked once more for the
 * pairs. Only words that the new lexicon lists are kept as strings.
 */
import { Heap } from '../../base/mod.ts';
import { listWords } from './listed-words.ts';
import { leastCountOf, PAIR_COUNTS } from './pair-counter.ts';
import { MAX_PAIRS, type PairColumns, type WordColumns } from './segment-lexicon-format.ts';
import type { WordTable } from './word-table.ts';

export interface WordInput {
  table: WordTable;
  /** 1 if the counts of the table are added, -1 if they are subtracted. */
  sign: 1 | -1;
}

/** The distinct words of all tables, by global number. */
interface GlobalWords {
  counts: Float64Array;
  textOf(number: number): string;
  /** For each table, the global number of each of its words. */
  numbers: Uint32Array[];
}

export function mergeWords(inputs: readonly WordInput[]): WordColumns {
  const all = numberWords(inputs);
  const order = Uint32Array.from(all.counts.keys());
  const { words, counts, newNumbers } = listWords((number) => all.textOf(number), all.counts, order);
  const total = inputs.reduce((sum, { table, sign }) => sum + sign * table.total, 0);
  return {
    total: Math.max(0, total),
    words,
    counts,
    ...mergePairs(inputs, all.numbers, newNumbers, words.length),
  };
}

/** The next word of a table. */
interface Head {
  input: number;
  at: number;
  word: string;
}

function numberWords(inputs: readonly WordInput[]): GlobalWords {
  const most = inputs.reduce((sum, { table }) => sum + table.size, 0);
  const counts = new Float64Array(most);
  const sources = new Uint32Array(most);
  const places = new Uint32Array(most);
  const numbers = inputs.map(({ table }) => new Uint32Array(table.size));
  const headAt = (input: number, at: number): Head => ({ input, at, word: inputs[input]!.table.wordAt(at) });
  const heads = new Heap<Head>((a, b) => a.word < b.word);
  for (const [input, { table }] of inputs.entries()) if (table.size > 0) heads.push(headAt(input, 0));
  let count = 0;
  for (let last: string | null = null; heads.size > 0; ) {
    const { input, at, word } = heads.peek()!;
    const { table, sign } = inputs[input]!;
    if (word !== last) {
      sources[count] = input;
      places[count++] = at;
      last = word;
    }
    counts[count - 1]! += sign * table.counts[at]!;
    numbers[input]![at] = count - 1;
    if (at + 1 < table.size) heads.replaceTop(headAt(input, at + 1));
    else heads.pop();
  }
  const textOf = (number: number) => inputs[sources[number]!]!.table.wordAt(places[number]!);
  return { counts: counts.subarray(0, count), textOf, numbers };
}

/** Merges the pairs of listed words. If there are more than MAX_PAIRS, the rarest are left out. */
function mergePairs(
  inputs: readonly WordInput[],
  numbers: readonly Uint32Array[],
  newNumbers: Int32Array,
  words: number,
): PairColumns {
  const pairs = new PairList(
    words,
    inputs.reduce((sum, { table }) => sum + table.pairCount, 0),
  );
  const followers = new Followers(words);
  const next = new Uint32Array(inputs.length);
  for (let first = 0; first < newNumbers.length; first++) {
    for (const [input, { table, sign }] of inputs.entries()) {
      if (numbers[input]![next[input]!] !== first) continue;
      const local = next[input]!++;
      if (newNumbers[first]! < 0) continue;
      table.eachFollower(local, (second, count) => {
        const listed = newNumbers[numbers[input]![second]!]!;
        if (listed >= 0) followers.add(listed, sign * count);
      });
    }
    if (newNumbers[first]! >= 0)
      followers.take((second, count) => pairs.add(newNumbers[first]!, second, count));
  }
  return pairs.finish(MAX_PAIRS);
}

/** Adds up the counts of the words that follow one word. */
class Followers {
  readonly #sums: Float64Array;
  readonly #isKnown: Uint8Array;
  #known: number[] = [];

  constructor(words: number) {
    this.#sums = new Float64Array(words);
    this.#isKnown = new Uint8Array(words);
  }

  add(second: number, count: number): void {
    this.#sums[second]! += count;
    if (this.#isKnown[second]) return;
    this.#isKnown[second] = 1;
    this.#known.push(second);
  }

  /** Visits all words with a positive sum in ascending order, then forgets all sums. */
  take(visit: (second: number, count: number) => void): void {
    this.#known.sort((a, b) => a - b);
    for (const second of this.#known) {
      if (this.#sums[second]! > 0) visit(second, this.#sums[second]!);
      this.#sums[second] = 0;
      this.#isKnown[second] = 0;
    }
    this.#known = [];
  }
}

/** Pairs in the order of the lexicon file. */
class PairList {
  readonly #firsts: Uint32Array;
  readonly #seconds: Uint32Array;
  readonly #together: Uint32Array;
  readonly #withCount = new Uint32Array(PAIR_COUNTS);
  readonly #words: number;
  #count = 0;

  constructor(words: number, pairs: number) {
    this.#words = words;
    this.#firsts = new Uint32Array(pairs);
    this.#seconds = new Uint32Array(pairs);
    this.#together = new Uint32Array(pairs);
  }

  add(first: number, second: number, count: number): void {
    this.#firsts[this.#count] = first;
    this.#seconds[this.#count] = second;
    this.#together[this.#count++] = count;
    this.#withCount[Math.min(count, PAIR_COUNTS - 1)]!++;
  }

  finish(limit: number): PairColumns {
    const least = leastCountOf(this.#withCount, limit);
    const pairEnds = new Uint32Array(this.#words);
    let end = 0;
    for (let at = 0; at < this.#count; at++) {
      if (this.#together[at]! < least) continue;
      this.#seconds[end] = this.#seconds[at]!;
      this.#together[end++] = this.#together[at]!;
      pairEnds[this.#firsts[at]!] = end;
    }
    for (let word = 1; word < this.#words; word++)
      pairEnds[word] = Math.max(pairEnds[word]!, pairEnds[word - 1]!);
    return { pairEnds, seconds: this.#seconds.slice(0, end), together: this.#together.slice(0, end) };
  }
}
