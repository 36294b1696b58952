/**
 * The words that several documents share, for feedback: read from the beginnings of their texts.
 *
 * Some 2,500 words are counted per query. Words are therefore numbers here: each different word is folded, stemmed and
 * looked up once, a document is a list of numbers that is kept for the next query, and sums lie in one array.
 */
import type { DocId, OpenSegment } from '../index/mod.ts';
import { STEMMINGS, type Stemming, stemmingOf, termOf, tokenize } from '../text/mod.ts';
import { reading } from './errors.ts';
import type { Match } from './evaluate.ts';
import { FUNCTION_WORDS } from './function-words.ts';

/** Of a long text the beginning tells what it is about. */
const READ_CHARACTERS = 1000;
const SATURATION = 1.2;
/** Different words that are remembered, at about 150 bytes each; then all are forgotten, with the documents. */
const MAX_WORDS = 100_000;
/** Documents per segment, at about 1 kB each. */
const MAX_DOCUMENTS = 2000;
/** The number of a word that tells nothing. */
const NONE = -1;

export interface SharedWord {
  term: string;
  value: number;
}

/** The terms of a document, each once, and how often it has each. */
interface CountedTerms {
  terms: Uint32Array;
  counts: Uint16Array;
}

/** The words of at least `least` of the documents, the `limit` that are most theirs first; better documents count more. */
export function sharedWords(best: readonly Match[], least: number, limit: number): SharedWord[] {
  vocabulary.forgetIfFull();
  const counted = best.map((match) => vocabulary.termsOf(match));
  const sums = vocabulary.sums;
  const total = best.reduce((sum, { score }) => sum + score, 0);
  const shared: number[] = [];
  for (let at = 0; at < best.length; at++) {
    const share = best[at]!.score / total;
    const { terms, counts } = counted[at]!;
    for (let i = 0; i < terms.length; i++) {
      sums.values[terms[i]!]! += share * (counts[i]! / (counts[i]! + SATURATION));
      if (++sums.documents[terms[i]!]! === least) shared.push(terms[i]!);
    }
  }
  const words = shared.map((term) => ({ term: vocabulary.terms[term]!, value: sums.values[term]! }));
  for (const { terms } of counted) sums.clear(terms);
  return words.sort((a, b) => b.value - a.value || (a.term < b.term ? -1 : 1)).slice(0, limit);
}

/** What is summed up per term; all are 0 between uses. */
class Sums {
  readonly values: Float64Array;
  readonly documents: Uint16Array;

  constructor(size: number) {
    this.values = new Float64Array(size);
    this.documents = new Uint16Array(size);
  }

  clear(terms: Uint32Array): void {
    for (let i = 0; i < terms.length; i++) {
      this.values[terms[i]!] = 0;
      this.documents[terms[i]!] = 0;
    }
  }
}

class Vocabulary {
  readonly terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** Per stemming, the number of each word's term. */
  readonly #words = STEMMINGS.map(() => new Map<string, number>());
  #wordCount = 0;
  #documents = new WeakMap<OpenSegment, Map<DocId, CountedTerms>>();
  #sums = new Sums(0);
  /** How often the text that is being read has each term; all 0 between texts. */
  #counts = new Uint16Array(1024);

  /** With room for all terms that are known now. */
  get sums(): Sums {
    if (this.#sums.values.length < this.terms.length) this.#sums = new Sums(2 * this.terms.length);
    return this.#sums;
  }

  termsOf({ segment, doc }: Match): CountedTerms {
    const kept = this.#documents.get(segment) ?? new Map<DocId, CountedTerms>();
    const known = kept.get(doc);
    if (known) return known;
    const { title, text, language } = reading(segment, () => segment.reader.document(doc));
    const counted = this.#count(`${title}\n${text.slice(0, READ_CHARACTERS)}`, stemmingOf(language));
    if (kept.size >= MAX_DOCUMENTS) kept.clear();
    this.#documents.set(segment, kept.set(doc, counted));
    return counted;
  }

  /** Only between queries: numbers of before mean nothing any more. */
  forgetIfFull(): void {
    if (this.#wordCount < MAX_WORDS) return;
    this.terms.length = 0;
    this.#numbers.clear();
    for (const words of this.#words) words.clear();
    this.#wordCount = 0;
    this.#documents = new WeakMap();
  }

  #count(text: string, stemming: Stemming): CountedTerms {
    const found: number[] = [];
    tokenize(text, (word) => {
      const term = this.#numberOf(word, stemming);
      if (term !== NONE && this.#counts[term]!++ === 0) found.push(term);
    });
    const counted = {
      terms: Uint32Array.from(found),
      counts: Uint16Array.from(found, (term) => this.#counts[term]!),
    };
    for (const term of found) this.#counts[term] = 0;
    return counted;
  }

  #numberOf(word: string, stemming: Stemming): number {
    const words = this.#words[stemming]!;
    const known = words.get(word);
    if (known !== undefined) return known;
    const number = FUNCTION_WORDS.has(word) ? NONE : this.#numberOfTerm(termOf(word, stemming));
    words.set(word, number);
    this.#wordCount++;
    return number;
  }

  #numberOfTerm(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.terms.push(term) - 1;
    this.#numbers.set(term, number);
    if (number === this.#counts.length) this.#counts = twice(this.#counts);
    return number;
  }
}

function twice(counts: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const longer = new Uint16Array(2 * counts.length);
  longer.set(counts);
  return longer;
}

const vocabulary = new Vocabulary();
