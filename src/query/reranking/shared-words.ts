/**
 * Finds the words that several documents share, for query expansion. Only the beginnings of their texts are
 * read.
 *
 * About 2,500 words are counted per query. Words are therefore represented by numbers: each different word is
 * folded, stemmed and looked up once; a document becomes a list of numbers that is cached for later queries;
 * and sums are kept in one array.
 */
import type { DocId, OpenSegment } from '../../index/mod.ts';
import { STEMMINGS, type Stemming, stemmingOf, termOf, tokenize } from '../../text/mod.ts';
import { reading } from '../errors.ts';
import type { Match } from '../matching/mod.ts';
import { FUNCTION_WORDS } from '../terms/mod.ts';

/** The beginning of a long text shows its topic. */
const READ_CHARACTERS = 1000;
const SATURATION = 1.2;
/**
 * The number of different words that are cached, at about 150 bytes each. When it is reached, all words and
 * documents are dropped.
 */
const MAX_WORDS = 100_000;
/** The number of cached documents per segment, at about 1 kB each. */
const MAX_DOCUMENTS = 2000;
/** The number of every function word. */
const NONE = -1;

interface SharedWord {
  term: string;
  value: number;
}

/** The distinct terms of a document, and the count of each. */
interface CountedTerms {
  terms: Uint32Array;
  counts: Uint16Array;
}

/**
 * Returns the words that are in at least `least` of the documents, the `limit` with the greatest value first.
 * Documents with higher scores count more.
 */
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

/** Sums per term; all are 0 between uses. */
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
  /** Counts per term for the current text; all are 0 between texts. */
  #counts = new Uint16Array(1024);

  /** Has room for all terms known at this moment. */
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

  /** Must be called between queries only, because it invalidates all term numbers. */
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
