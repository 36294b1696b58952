/**
 * Counts words and pairs of adjacent words in bounded memory. When there are more words than twice the limit of words,
 * the words with count 1 are dropped, then the words with count 2, until the limit is met. The same applies to pairs.
 * Common words keep their counts, so their order does not change. The count of a rare word may be a little too low.
 */
import { tokenize } from '../text/mod.ts';
import type { WordCounts } from './vocabulary-format.ts';
import { MAX_VOCABULARY } from './vocabulary-writer.ts';

interface WordCounterLimits {
  words: number;
  pairs: number;
}

const DEFAULT_LIMITS: WordCounterLimits = { words: 200_000, pairs: 1_000_000 };
const MAX_WORD_LENGTH = 32;

export class WordCounter {
  readonly #limits: WordCounterLimits;
  readonly #words = new Map<string, number>();
  readonly #pairs = new Map<string, number>();
  #total = 0;

  constructor(limits: WordCounterLimits = DEFAULT_LIMITS) {
    this.#limits = { ...limits, words: Math.min(limits.words, MAX_VOCABULARY) };
  }

  /** `weight` is how many times the text counts. Words of one line are adjacent; pairs do not cross lines. */
  add(text: string, weight = 1): void {
    for (const line of text.split('\n')) this.#addLine(line, weight);
    if (this.#words.size > 2 * this.#limits.words) forgetRare(this.#words, this.#limits.words);
    if (this.#pairs.size > 2 * this.#limits.pairs) forgetRare(this.#pairs, this.#limits.pairs);
  }

  finish(): WordCounts {
    forgetRare(this.#words, this.#limits.words);
    forgetRare(this.#pairs, this.#limits.pairs);
    return { total: this.#total, words: this.#words, pairs: this.#pairs };
  }

  #addLine(line: string, weight: number): void {
    let last = '';
    tokenize(line, (term) => {
      this.#total += weight;
      if (term.length > MAX_WORD_LENGTH) last = '';
      else {
        increase(this.#words, term, weight);
        if (last !== '') increase(this.#pairs, `${last} ${term}`, weight);
        last = term;
      }
    });
  }
}

function increase(counts: Map<string, number>, key: string, weight: number): void {
  counts.set(key, (counts.get(key) ?? 0) + weight);
}

function forgetRare(counts: Map<string, number>, limit: number): void {
  for (let rare = 1; counts.size > limit; rare++) {
    for (const [key, count] of counts) if (count <= rare) counts.delete(key);
  }
}
