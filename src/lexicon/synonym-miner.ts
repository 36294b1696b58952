/**
 * Finds synonyms: two words are candidates if two names of one page (its title or anchor texts) differ in these
 * words only. For example, a page named both "js guide" and "javascript guide" gives the pair js, javascript.
 *
 * A page whose names give more than MAX_PAIRS_OF_PAGE pairs is ignored: it describes several subjects (links
 * named `close`, `connect` and `destroy` may all lead to one page of a manual). A pair is accepted if one word
 * contains the other. Any other pair needs at least two pages, because a pair of a single page may be chance,
 * and these must be at least MIN_SHARE of the pages that have the rarer word. Forms of one word (`client`,
 * `clients`) are left to stemming.
 */
import { tokenize } from '../text/mod.ts';
import type { SynonymPair } from './synonyms-format.ts';

const MAX_NAME_WORDS = 4;
const MAX_PAIRS_OF_PAGE = 2;
const MIN_LENGTH = 2;
const MIN_CONTAINED = 4;
const MIN_SHARE = 0.3;
/**
 * The maximum length of an inflectional ending, such as `ing`. Words that differ only in their endings are not
 * synonyms.
 */
const MAX_ENDING = 3;
const MAX_WEIGHT = 0.5;
const LIMIT = 200_000;

/** The counts of a miner: the number of pages that gave each pair of words, and that have each word in a name. */
export interface NameCounts {
  votes: ReadonlyMap<string, number>;
  pages: ReadonlyMap<string, number>;
}

export class SynonymMiner {
  /** The number of pages that gave each pair. Keys are `first second`. */
  readonly #votes = new Map<string, number>();
  /** The number of pages that have each word in one of their names. */
  readonly #pages = new Map<string, number>();

  /** Adds all names of one page: its title and anchor texts. */
  add(names: readonly string[]): void {
    const rows = names.map(wordsOf).filter(({ length }) => length > 0 && length <= MAX_NAME_WORDS);
    for (const word of new Set(rows.flat())) increase(this.#pages, word);
    const pairs = new Set<string>();
    for (const [at, one] of rows.entries()) {
      for (const other of rows.slice(at + 1)) {
        const pair = differenceOf(one, other);
        if (pair) pairs.add(pair.sort().join(' '));
      }
    }
    if (pairs.size <= MAX_PAIRS_OF_PAGE) for (const pair of pairs) increase(this.#votes, pair);
    if (this.#votes.size > LIMIT)
      for (const [pair, votes] of this.#votes) if (votes === 1) this.#votes.delete(pair);
  }

  /** The counts of all added pages. */
  get counts(): NameCounts {
    return { votes: this.#votes, pages: this.#pages };
  }

  /** Adds the counts of other pages, which another miner has counted. */
  addCounts({ votes, pages }: NameCounts): void {
    for (const [pair, count] of votes) increase(this.#votes, pair, count);
    for (const [word, count] of pages) increase(this.#pages, word, count);
  }

  finish(): SynonymPair[] {
    return [...this.#votes.keys()]
      .sort()
      .map((pair) => this.#pairOf(pair))
      .filter((pair) => pair !== null);
  }

  #pairOf(pair: string): SynonymPair | null {
    const [first = '', second = ''] = pair.split(' ');
    const votes = this.#votes.get(pair)!;
    const rarer = Math.min(this.#pages.get(first)!, this.#pages.get(second)!);
    const isFair = votes >= 2 && votes >= MIN_SHARE * rarer;
    if (!isFair && !isContained(first, second)) return null;
    return { first, second, weight: Math.min(MAX_WEIGHT, 0.2 + 0.1 * votes) };
  }
}

/**
 * Returns the two words in which two names with the same number of words differ; null if they differ in more
 * than one word.
 */
function differenceOf(one: readonly string[], other: readonly string[]): [string, string] | null {
  if (one.length !== other.length) return null;
  const places = [...one.keys()].filter((at) => one[at] !== other[at]);
  const [a, b] = [one[places[0]!], other[places[0]!]];
  if (places.length !== 1 || !a || !b) return null;
  return [a, b].every(isWord) && !areForms(a, b) ? [a, b] : null;
}

function isWord(word: string): boolean {
  return word.length >= MIN_LENGTH && /^\p{L}+$/u.test(word);
}

/**
 * Returns true if two words are forms of one word: they have the same beginning and differ only in a short
 * ending.
 */
function areForms(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same >= MIN_LENGTH + 1 && Math.max(a.length, b.length) - same <= MAX_ENDING;
}

function isContained(a: string, b: string): boolean {
  return Math.min(a.length, b.length) >= MIN_CONTAINED && (a.includes(b) || b.includes(a));
}

function wordsOf(name: string): string[] {
  const words: string[] = [];
  tokenize(name, (term) => words.push(term));
  return words;
}

function increase(counts: Map<string, number>, key: string, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
