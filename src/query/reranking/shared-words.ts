/**
 * Finds the terms that several documents share, for query expansion.
 *
 * Each term gets a number, so that sums over documents are kept in arrays. The term numbers of a document are
 * cached. The key is the object with the document's terms, because a shard in this process returns the same object
 * again.
 */

/** The distinct terms of a document, and the count of each. */
interface CountedTerms {
  terms: readonly string[];
  counts: ArrayLike<number>;
}

interface SharedWord {
  term: string;
  value: number;
}

const SATURATION = 1.2;
/**
 * The maximum number of terms that have a number, at about 150 bytes each. When it is reached, all numbers are
 * forgotten.
 */
const MAX_TERMS = 100_000;

/**
 * Returns the terms that at least `least` of the documents contain, those with the greatest values first, at most
 * `limit` terms. `scores` has the score of each document. Terms of documents with higher scores have greater values.
 */
export function sharedWords(
  documents: readonly CountedTerms[],
  scores: readonly number[],
  least: number,
  limit: number,
): SharedWord[] {
  numbers.forgetIfFull();
  const counted = documents.map((document) => numbers.of(document));
  const sums = numbers.sums;
  const total = scores.reduce((sum, score) => sum + score, 0);
  const shared: number[] = [];
  for (let at = 0; at < documents.length; at++) {
    const share = scores[at]! / total;
    const terms = counted[at]!;
    const { counts } = documents[at]!;
    for (let i = 0; i < terms.length; i++) {
      sums.values[terms[i]!]! += share * (counts[i]! / (counts[i]! + SATURATION));
      if (++sums.documents[terms[i]!]! === least) shared.push(terms[i]!);
    }
  }
  const words = shared.map((term) => ({ term: numbers.terms[term]!, value: sums.values[term]! }));
  for (const terms of counted) sums.clear(terms);
  return words.sort((a, b) => b.value - a.value || (a.term < b.term ? -1 : 1)).slice(0, limit);
}

/** Arrays of sums, indexed by term number. All sums are 0 before and after each call of `sharedWords`. */
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

class TermNumbers {
  readonly terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  #documents = new WeakMap<CountedTerms, Uint32Array>();
  #sums = new Sums(0);

  /**
   * The arrays of sums, one element per term number. They grow if they are too small for all terms that have a
   * number.
   */
  get sums(): Sums {
    if (this.#sums.values.length < this.terms.length) this.#sums = new Sums(2 * this.terms.length);
    return this.#sums;
  }

  of(document: CountedTerms): Uint32Array {
    const known = this.#documents.get(document);
    if (known) return known;
    const numbers = Uint32Array.from(document.terms, (term) => this.#numberOf(term));
    this.#documents.set(document, numbers);
    return numbers;
  }

  /**
   * Forgets all term numbers if there are too many. Must be called between queries only, because it invalidates the
   * numbers.
   */
  forgetIfFull(): void {
    if (this.terms.length < MAX_TERMS) return;
    this.terms.length = 0;
    this.#numbers.clear();
    this.#documents = new WeakMap();
  }

  #numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.terms.push(term) - 1;
    this.#numbers.set(term, number);
    return number;
  }
}

const numbers = new TermNumbers();
