/** The words and word pairs of all segments, for suggestions. Reads the tables of the segments without copying them. */
import { UNKNOWN_WORD, type WordTable } from './segments/mod.ts';

export class WordPairs {
  readonly #tables: readonly WordTable[];

  constructor(tables: readonly WordTable[]) {
    this.#tables = tables;
  }

  /** Returns how often the word was counted in all segments; 0 if none lists it. */
  countOf(word: string): number {
    let sum = 0;
    for (const table of this.#tables) {
      const number = table.numberOf(word);
      if (number !== UNKNOWN_WORD) sum += table.counts[number]!;
    }
    return sum;
  }

  /**
   * Returns the words that begin with `beginning` and occurred directly after the word `first` at least `least`
   * times, most frequent first.
   */
  followersOf(first: string, beginning: string, least: number): string[] {
    return this.#ranked(least, (table, add) => {
      const number = table.numberOf(first);
      if (number === UNKNOWN_WORD) return;
      const [low, high] = rangeOf(table, beginning);
      table.eachFollower(number, (second, count) => {
        if (second >= low && second < high) add(second, count);
      });
    });
  }

  /**
   * Returns the words that begin with `beginning` and were counted at least `least` times, most frequent first.
   */
  withPrefix(beginning: string, least: number): string[] {
    return this.#ranked(least, (table, add) => {
      const [low, high] = rangeOf(table, beginning);
      for (let word = low; word < high; word++) add(word, table.counts[word]!);
    });
  }

  /**
   * Adds up the counts of words over the tables of all segments, and sorts the words by them. `visit` reports
   * the words and counts of one table.
   */
  #ranked(
    least: number,
    visit: (table: WordTable, add: (word: number, count: number) => void) => void,
  ): string[] {
    const totals = new Map<string, number>();
    for (const table of this.#tables)
      visit(table, (number, count) => {
        const word = table.wordAt(number);
        totals.set(word, (totals.get(word) ?? 0) + count);
      });
    return [...totals]
      .filter(([, count]) => count >= least)
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([word]) => word);
  }
}

/** Returns the range of word numbers whose words begin with `beginning`. Words are sorted by UTF-16 units. */
function rangeOf(table: WordTable, beginning: string): [low: number, high: number] {
  return [table.firstFrom(beginning), table.firstFrom(`${beginning}\uffff`)];
}
