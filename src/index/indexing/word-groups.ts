/**
 * Groups the words of a segment buffer by term. A kernel does the work in its own memory
 * (assembly/indexing/group-words.ts). Each word is stemmed only once for each set of stemming rules, however
 * often it occurs.
 */
import { ENGLISH_STEMMINGS, type Stemming, UNSTEMMED } from '../../text/mod.ts';

/**
 * The kernel functions that group and sort words, exported by group-words.ts, sort-terms.ts and sort-tokens.ts.
 */
export interface GroupCalls {
  countWords(documentsAt: number, from: number, end: number, countsAt: number, words: number): void;
  startGroups(
    stemAt: number,
    wordCount: number,
    stemmings: number,
    countsAt: number,
    targetsAt: number,
  ): void;
  stemWords(index: number, stemming: number, rule: number, from: number, end: number): void;
  linkTerms(totalsAt: number, firstsAt: number, nextsAt: number): void;
  sortTerms(scratchAt: number, toAt: number): void;
}

/** The addresses of the tables of the grouped words, with views of the tables that TypeScript code reads. */
export interface WordGroups {
  documents: Uint32Array;
  documentsAt: number;
  targetsAt: number;
  /**
   * For each pair of stemming rules and word, the number of the word's term, with the form number in the top 8
   * bits.
   */
  targets: Uint32Array;
  /** The number of entries in `targets`: the number of words times the number of sets of stemming rules. */
  uses: number;
  /**
   * The number of words. In the table of terms, words have numbers below this one, and stems that are not words
   * have higher numbers.
   */
  words: number;
  /** For each term, the number of occurrences of all of its words. */
  totals: Uint32Array;
  /** The term numbers, sorted by the texts of the terms in UTF-16 units. */
  order: Uint32Array;
  orderAt: number;
  /** The address after the tables of the grouped words. */
  end: number;
}

const WORDS_PER_CALL = 4096;

/**
 * The number of values that describe a document: start and end of its tokens, and index of its stemming rules.
 */
const DOCUMENT_NUMBERS = 3;
const DOCS_PER_CALL = 64;

/**
 * How words in ASCII are stemmed: by a call to JavaScript, by the English stemmer in the kernel, or not at all.
 * assembly/indexing/group-words.ts has the same numbers.
 */
const Rule = { host: 0, english: 1, unstemmed: 2 } as const;

/** The memory of the kernel. `reserve` grows it to at least the given size and returns its buffer. */
interface Tables {
  calls: GroupCalls;
  reserve(end: number): ArrayBuffer;
  termCount(): number;
  stemAt: number;
}

/**
 * Groups the words of `documents` by term. The tables are placed from address `at` on. `stemmings` has the
 * stemming rules that the documents refer to by index.
 */
export function groupWords(
  { calls, reserve, termCount, stemAt }: Tables,
  at: number,
  documents: Uint32Array,
  stemmings: readonly Stemming[],
): WordGroups {
  const words = termCount();
  const uses = words * stemmings.length;
  const countsAt = at + padded(documents.byteLength);
  const targetsAt = countsAt + padded(4 * uses);
  const totalsAt = targetsAt + padded(4 * uses);
  const first = reserve(totalsAt);
  new Uint32Array(first, at, documents.length).set(documents);
  // Clears the counts and targets. For words that occur only in removed documents, both stay 0.
  new Uint8Array(first, countsAt, totalsAt - countsAt).fill(0);
  inParts(documents, (from, end) => calls.countWords(at, from, end, countsAt, words));
  calls.startGroups(stemAt, words, stemmings.length, countsAt, targetsAt);
  for (const [index, stemming] of stemmings.entries()) {
    for (let from = 0; from < words; from += WORDS_PER_CALL)
      calls.stemWords(index, stemming, ruleOf(stemming), from, Math.min(words, from + WORDS_PER_CALL));
  }
  const terms = termCount();
  const firstsAt = totalsAt + padded(4 * terms);
  const nextsAt = firstsAt + padded(4 * terms);
  const orderAt = nextsAt + padded(4 * uses);
  const end = orderAt + padded(4 * terms);
  const buffer = reserve(end + 16 * terms);
  calls.linkTerms(totalsAt, firstsAt, nextsAt);
  calls.sortTerms(end, orderAt);
  return {
    ...{ documents, documentsAt: at, targetsAt, uses, words, orderAt, end },
    targets: new Uint32Array(buffer, targetsAt, uses),
    totals: new Uint32Array(buffer, totalsAt, terms).slice(),
    order: new Uint32Array(buffer, orderAt, terms).slice(),
  };
}

function ruleOf(stemming: Stemming): number {
  if (ENGLISH_STEMMINGS.includes(stemming)) return Rule.english;
  return stemming === UNSTEMMED ? Rule.unstemmed : Rule.host;
}

/**
 * Calls `work` for some documents at a time. V8 switches to optimized code only when a function is called
 * again, so a single call for all documents would run unoptimized code to the end.
 */
export function inParts(documents: Uint32Array, work: (from: number, end: number) => void): void {
  const count = documents.length / DOCUMENT_NUMBERS;
  for (let from = 0; from < count; from += DOCS_PER_CALL) work(from, Math.min(from + DOCS_PER_CALL, count));
}

/** Rounds a number of bytes up to a multiple of 8. */
export function padded(bytes: number): number {
  return (bytes + 7) & ~7;
}
