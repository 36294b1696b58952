/**
 * The words of all segments in memory, for corrections. A word is identified by a number, which stays the same
 * as long as the vocabulary is in use; UNKNOWN_WORD means that no segment lists the word.
 *
 * When a segment is added or removed, only its own words are added or subtracted, so the cost does not depend
 * on the other segments. A word that no segment lists keeps its number, with the count 0.
 */
import { BoundedCache } from '../base/mod.ts';
import { DeletesTable } from './deletes.ts';
import { UNKNOWN_WORD, type WordTable } from './segments/mod.ts';

/** The maximum number of words whose numbers in the segments' tables are cached, at about 100 bytes each. */
const MAX_PLACED = 4096;

export class Vocabulary {
  #total = 0;
  readonly #words: string[] = [];
  #counts = new Float64Array(1024);
  /** The number of words with a count above 0. */
  #listed = 0;
  readonly #numbers = new Map<string, number>();
  readonly #deletes: DeletesTable[] = [];
  #tables: readonly WordTable[] = [];
  /** A cache: for a word of the vocabulary, its number in the table of each segment. */
  readonly #places = BoundedCache.clearedWhenFull<number, readonly number[]>(MAX_PLACED);

  /**
   * The number of occurrences of all words, including words that the lexicons do not list because they are
   * rare.
   */
  get total(): number {
    return this.#total;
  }

  /** The number of word numbers in use, including words with the count 0. */
  get size(): number {
    return this.#words.length;
  }

  /**
   * True if more than half of the words are no longer listed by any segment. A new vocabulary would then take
   * half the memory or less.
   */
  get isWasteful(): boolean {
    return this.#listed < this.#words.length / 2;
  }

  /**
   * Replaces the tables of the segments. A table that was there before must be passed as the same object, so
   * that its words are not counted again.
   */
  setTables(tables: readonly WordTable[]): void {
    const [old, next] = [new Set(this.#tables), new Set(tables)];
    for (const table of this.#tables) if (!next.has(table)) this.#count(table, -1);
    for (const table of tables) if (!old.has(table)) this.#count(table, 1);
    this.#tables = tables;
    this.#places.clear();
  }

  numberOf(word: string): number {
    const number = this.#numbers.get(word) ?? UNKNOWN_WORD;
    return this.countOf(number) > 0 ? number : UNKNOWN_WORD;
  }

  wordOf(number: number): string {
    return this.#words[number]!;
  }

  /** Returns how often the word was counted; 0 for UNKNOWN_WORD. */
  countOf(number: number): number {
    return number === UNKNOWN_WORD ? 0 : this.#counts[number]!;
  }

  /** Returns how often `second` occurred directly after `first`. */
  together(first: number, second: number): number {
    if (first === UNKNOWN_WORD || second === UNKNOWN_WORD) return 0;
    const [firsts, seconds] = [this.#placesOf(first), this.#placesOf(second)];
    let sum = 0;
    for (let at = 0; at < this.#tables.length; at++)
      sum += this.#tables[at]!.together(firsts[at]!, seconds[at]!);
    return sum;
  }

  /**
   * Returns candidates for corrections of `word`. A candidate becomes equal to `word` if a few letters are
   * removed from each (deletes.ts). The candidates include all words that are one edit apart from `word`, and
   * also many words that are not similar to it.
   */
  neighboursOf(word: string): Set<number> {
    const found = new Set<number>();
    for (const table of this.#deletes) table.collect(word, found);
    if (this.#listed < this.#words.length)
      for (const number of found) if (this.#counts[number] === 0) found.delete(number);
    return found;
  }

  #placesOf(number: number): readonly number[] {
    return this.#places.remember(number, () =>
      this.#tables.map((table) => table.numberOf(this.#words[number]!)),
    );
  }

  #count(table: WordTable, sign: 1 | -1): void {
    this.#total += sign * table.total;
    const firstNew = this.#words.length;
    for (const [at, word] of table.allWords().entries()) {
      let number = this.#numbers.get(word);
      if (number === undefined) {
        number = this.#words.push(word) - 1;
        this.#numbers.set(word, number);
        if (number === this.#counts.length) this.#grow();
      }
      if (this.#counts[number] === 0) this.#listed++;
      this.#counts[number]! += sign * table.counts[at]!;
      if (this.#counts[number] === 0) this.#listed--;
    }
    const added = this.#words.slice(firstNew);
    if (added.length > 0)
      this.#deletes.push(
        new DeletesTable(
          added,
          added.map((_, at) => firstNew + at),
        ),
      );
  }

  #grow(): void {
    const counts = new Float64Array(2 * this.#counts.length);
    counts.set(this.#counts);
    this.#counts = counts;
  }
}
