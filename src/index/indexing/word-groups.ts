/**
 * Groups the words of a buffer by term, in the memory of the gathering kernel (assembly/indexing/group-words.ts). Every word is
 * stemmed once for each stemming whose documents have it, however often it occurs.
 */
import { ENGLISH_STEMMINGS, type Stemming, UNSTEMMED } from '../../text/mod.ts';

/** The exports of assembly/indexing/group-words.ts and sort-terms.ts, and of the counting in sort-tokens.ts. */
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

/** The location of the tables, and views of those that are read here. */
export interface WordGroups {
  documents: Uint32Array;
  documentsAt: number;
  targetsAt: number;
  /** Per stemming and word: the number of its term, and in the top 8 bits its form number. */
  targets: Uint32Array;
  /** Number of targets: words times stemmings. */
  uses: number;
  /** Number of words; higher numbers are stems. */
  words: number;
  /** Number of occurrences of all words of a term, per term. */
  totals: Uint32Array;
  /** The numbers of the terms in ascending order of their UTF-16 units. */
  order: Uint32Array;
  orderAt: number;
  /** The end of the tables. */
  end: number;
}

const WORDS_PER_CALL = 4096;

/** Numbers per document: the start and the end of its tokens, and the index of its stemming. */
const DOCUMENT_NUMBERS = 3;
const DOCS_PER_CALL = 64;

/** Treatment of ASCII words by a stemming, as in assembly/indexing/group-words.ts. */
const Rule = { host: 0, english: 1, unstemmed: 2 } as const;

/** The memory of the kernel. `reserve` makes it at least so large and returns its buffer. */
interface Tables {
  calls: GroupCalls;
  reserve(end: number): ArrayBuffer;
  termCount(): number;
  stemAt: number;
}

/** Groups the words of `documents`; the tables begin at `at`. `stemmings` are those of the documents, by index. */
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
  // Words that only removed documents have keep the count 0 and the target 0.
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
 * Calls `work` for some documents at a time. V8 switches to optimized code only at the next call of a
 * function, so a single call for all documents would run unoptimized code to its end.
 */
export function inParts(documents: Uint32Array, work: (from: number, end: number) => void): void {
  const count = documents.length / DOCUMENT_NUMBERS;
  for (let from = 0; from < count; from += DOCS_PER_CALL) work(from, Math.min(from + DOCS_PER_CALL, count));
}

/** Rounds a number of bytes up to a multiple of 8. */
export function padded(bytes: number): number {
  return (bytes + 7) & ~7;
}
