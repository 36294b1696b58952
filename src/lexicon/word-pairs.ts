/** The words and word pairs of all segments, for suggestions. Reads the tables of the segments without copying them. */
import { UNKNOWN_WORD, type WordTable } from './segments/mod.ts';

/**
 * The minimum lift of a pair that is suggested when nothing of the second word is typed. The lift says how many
 * times as often as by chance the pair occurs.
 */
const LEAST_LIFT = 8;
/**
 * The minimum share of the occurrences of the first word that such a pair must have. The pairs of a word such as
 * "the", in any language, are below it.
 */
const LEAST_SHARE = 0.01;
/**
 * The number of words of a segment that are compared, the most frequent ones. Decoding the text of a word takes most of
 * the time of a suggestion, and thousands of words begin with the same letter.
 */
const COMPARED = 64;

export class WordPairs {
  readonly #tables: readonly WordTable[];
  /** The sum of the counts of all words. */
  readonly #total: number;

  constructor(tables: readonly WordTable[]) {
    this.#tables = tables;
    this.#total = tables.reduce((sum, { counts }) => counts.reduce((all, count) => all + count, sum), 0);
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
   * times. The words that belong most closely to `first` come first. They are not ordered by frequency alone,
   * because then words that follow any word, such as "use", would come first. Each word is rated by its part of
   * the log-likelihood ratio (Dunning 1993): its count times the logarithm of its lift. The lift is the count
   * divided by the count that is expected if the order of words is random. If `beginning` is empty, words with
   * a lift below LEAST_LIFT or a share below LEAST_SHARE are left out.
   */
  followersOf(first: string, beginning: string, least: number): string[] {
    const firstCount = this.countOf(first);
    const counts = this.#countsOf((table, add) => {
      const number = table.numberOf(first);
      if (number === UNKNOWN_WORD) return;
      const [low, high] = rangeOf(table, beginning);
      table.eachFollower(number, (second, count) => {
        if (second >= low && second < high) add(second, count);
      });
    });
    const rated = [...counts].flatMap(([word, count]): [string, number][] => {
      if (count < least) return [];
      const lift = (count * this.#total) / (firstCount * this.countOf(word));
      const isLoose = beginning === '' && (lift < LEAST_LIFT || count < LEAST_SHARE * firstCount);
      return isLoose ? [] : [[word, count * Math.log(lift)]];
    });
    return highestFirst(rated);
  }

  /**
   * Returns the words that begin with `beginning` and were counted at least `least` times, most frequent first.
   */
  withPrefix(beginning: string, least: number): string[] {
    const counts = this.#countsOf((table, add) => {
      const [low, high] = rangeOf(table, beginning);
      for (let word = low; word < high; word++) add(word, table.counts[word]!);
    });
    return highestFirst([...counts].filter(([, count]) => count >= least));
  }

  /**
   * Adds up counts of words over the tables of all segments. `visit` reports the words and counts of one table, of which
   * the highest are used.
   */
  #countsOf(
    visit: (table: WordTable, add: (word: number, count: number) => void) => void,
  ): Map<string, number> {
    const totals = new Map<string, number>();
    for (const table of this.#tables) {
      const highest = new HighestCounts(COMPARED);
      visit(table, (number, count) => highest.add(number, count));
      for (const [number, count] of highest.entries) {
        const word = table.wordAt(number);
        totals.set(word, (totals.get(word) ?? 0) + count);
      }
    }
    return totals;
  }
}

/** Keeps the words with the highest counts, sorted by descending count. */
class HighestCounts {
  readonly entries: [word: number, count: number][] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(word: number, count: number): void {
    const { entries } = this;
    if (entries.length === this.#limit && count <= entries.at(-1)![1]) return;
    let place = entries.length;
    while (place > 0 && entries[place - 1]![1] < count) place--;
    entries.splice(place, 0, [word, count]);
    if (entries.length > this.#limit) entries.pop();
  }
}

function highestFirst(rated: readonly [string, number][]): string[] {
  return rated.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([word]) => word);
}

/** Returns the range of word numbers whose words begin with `beginning`. Words are sorted by UTF-16 units. */
function rangeOf(table: WordTable, beginning: string): [low: number, high: number] {
  return [table.firstFrom(beginning), table.firstFrom(`${beginning}\uffff`)];
}
