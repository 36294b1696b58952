/**
 * Looks up the synonyms of a word in the operator's rules, the shipped list and the mined pairs. A synonym always
 * has less weight than the word itself. If several sources have the same synonym, the operator's rule wins over the
 * shipped list, and the shipped list wins over the mined pairs.
 */
import type { SynonymPair } from '../../../lexicon/mod.ts';
import { SHIPPED_SYNONYMS } from './shipped-synonyms.ts';
import type { SynonymRule } from './synonyms-file.ts';

const RULE_WEIGHT = 0.7;
const SHIPPED_WEIGHT = 0.6;
/** The maximum number of synonyms of a word. More would turn a query of one word into a search for many words. */
const MAX_PER_WORD = 4;

interface Synonym {
  term: string;
  /** The factor for frequencies of this synonym in documents, below 1. */
  weight: number;
  source: 'operator' | 'shipped' | 'mined';
}

export class Synonyms {
  readonly #byWord = new Map<string, Map<string, Synonym>>();

  constructor(rules: readonly SynonymRule[], pairs: readonly SynonymPair[]) {
    for (const { first, second, weight } of pairs) {
      this.#add(first, { term: second, weight, source: 'mined' });
      this.#add(second, { term: first, weight, source: 'mined' });
    }
    for (const { word, other } of SHIPPED_SYNONYMS)
      this.#add(word, { term: other, weight: SHIPPED_WEIGHT, source: 'shipped' });
    for (const { word, other } of rules)
      this.#add(word, { term: other, weight: RULE_WEIGHT, source: 'operator' });
  }

  /** Returns the synonyms of a word, greatest weight first. */
  of(word: string): Synonym[] {
    const all = [...(this.#byWord.get(word)?.values() ?? [])];
    return all.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1)).slice(0, MAX_PER_WORD);
  }

  /** Returns all words that have a synonym from the operator's rules or the mined pairs, sorted. */
  words(): string[] {
    const isOwn = (synonym: Synonym) => synonym.source !== 'shipped';
    return [...this.#byWord]
      .flatMap(([word, known]) => ([...known.values()].some(isOwn) ? [word] : []))
      .sort();
  }

  #add(word: string, synonym: Synonym): void {
    const known = this.#byWord.get(word) ?? new Map<string, Synonym>();
    this.#byWord.set(word, known.set(synonym.term, synonym));
  }
}
