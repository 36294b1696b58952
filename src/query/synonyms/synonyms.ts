/**
 * What else may count for a word: the operator's rules, and pairs that were mined. Always less than the word itself; an
 * operator's rule counts more than a mined pair, and decides where both speak of the same words.
 */
import type { SynonymPair } from '../../words/mod.ts';
import type { SynonymRule } from './synonyms-file.ts';

const RULE_WEIGHT = 0.7;
/** More would make a query of one word a search for many. */
const MAX_PER_WORD = 4;

export interface Synonym {
  term: string;
  /** How much of a match it is. */
  weight: number;
  source: 'operator' | 'mined';
}

export class Synonyms {
  readonly #byWord = new Map<string, Map<string, Synonym>>();

  constructor(rules: readonly SynonymRule[], pairs: readonly SynonymPair[]) {
    for (const { first, second, weight } of pairs) {
      this.#add(first, { term: second, weight, source: 'mined' });
      this.#add(second, { term: first, weight, source: 'mined' });
    }
    for (const { word, other } of rules)
      this.#add(word, { term: other, weight: RULE_WEIGHT, source: 'operator' });
  }

  /** The strongest first. */
  of(word: string): Synonym[] {
    const all = [...(this.#byWord.get(word)?.values() ?? [])];
    return all.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1)).slice(0, MAX_PER_WORD);
  }

  /** Every word that has any, in order. */
  words(): string[] {
    return [...this.#byWord.keys()].sort();
  }

  #add(word: string, synonym: Synonym): void {
    const known = this.#byWord.get(word) ?? new Map<string, Synonym>();
    this.#byWord.set(word, known.set(synonym.term, synonym));
  }
}
