/**
 * Finds words that people use for the same thing: two names of one page (its title, what links to it say) that differ in
 * one word only. "upenn" and "penn" lead to the same page, so do "js guide" and "javascript guide".
 *
 * A page whose names differ in many ways is a list of other things (`close`, `connect` and `destroy` all lead to one
 * page of a manual), and says nothing. A pair of one page may be chance. It counts when two pages have it and it is a fair share of all the names in which the
 * rarer word occurs, or when one word contains the other. Forms of one word (`client`, `clients`) are left to stemming.
 */
import { tokenize } from '../text/mod.ts';
import type { SynonymPair } from './synonyms-format.ts';

const MAX_NAME_WORDS = 4;
const MAX_PAIRS_OF_PAGE = 2;
const MIN_LENGTH = 2;
const MIN_CONTAINED = 4;
const MIN_SHARE = 0.3;
/** Letters that an ending may have. */
const MAX_ENDING = 3;
const MAX_WEIGHT = 0.5;
const LIMIT = 200_000;

export class SynonymMiner {
  /** How many pages have each pair, as `first second`. */
  readonly #votes = new Map<string, number>();
  /** How many pages have each word in a name. */
  readonly #pages = new Map<string, number>();

  /** All names of one page. */
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

/** The one pair of words in which two names of the same length differ. */
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

/** The same beginning, and only an ending more or another one. */
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

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
