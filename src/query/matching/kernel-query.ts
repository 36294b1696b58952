/**
 * The queries that the search kernel supports: either words, of which a document must have at least one, or
 * phrases, of which it must have all.
 *
 * Each word has several postings lists: one for its term in each language, and lists with possibly less weight for
 * anchor texts and synonyms. A document has the word if it is in any of these lists. Its score is
 *
 *   score = (sum of scale * BM25 over all lists it is in) * (sum of mass over words / weight) + static
 *
 * where the mass of a word is the greatest mass among the lists that contain the document. If each word has one
 * list, and both scale and mass are the IDF of the word, this is the formula in scoring/.
 */
import {
  ALL_FORMS,
  MAX_KERNEL_FORMS,
  MAX_KERNEL_LISTS,
  MAX_KERNEL_MATCHES,
  MAX_KERNEL_SLOTS,
  type OpenSegment,
  type TermEntry,
} from '../../index/mod.ts';
import type { QueryStatistics } from '../../scoring/mod.ts';
import type { StemmingSet } from '../../text/mod.ts';
import type { PhraseTerm } from '../language/mod.ts';
import {
  type ListEntry,
  type SearchedSegment,
  type TermQuery,
  type WordTerm,
  wantedForms,
} from '../terms/mod.ts';
import { canKernelAnswer } from './kernel-eligibility.ts';

/** A postings list that scores documents for a word of the query. */
interface KernelList {
  /**
   * For each segment, the dictionary entry of the postings list; null if the segment does not have the list.
   */
  entries: readonly (TermEntry | null)[];
  /** True for a list of anchor texts, false for a list of page text. */
  inAnchors?: boolean;
  /** The list is used only for documents with these stemmings; absent if it is used for all documents. */
  stemmings?: StemmingSet;
  /**
   * The factor for the scores of this postings list: the IDF of the word times the weight of the list. It is
   * not negative.
   */
  scale: number;
  /**
   * The part of the query's total weight that a document gets if it is in this postings list. It is at most the
   * IDF of the word.
   */
  mass: number;
}

interface KernelWord {
  /**
   * The postings lists of the word. Lists whose positions can match in a phrase come first; lists of synonyms and
   * of anchor texts follow.
   */
  lists: readonly KernelList[];
  /**
   * The number of lists, from the first on, whose positions can match in a phrase. If it is 0, no phrase with this
   * word matches.
   */
  phraseLists: number;
}

export interface KernelPhraseWord {
  /** The index of the word in `KernelQuery.words`. */
  word: number;
  /**
   * For each segment and postings list, a bit set of the written forms of the word that match; null if all
   * forms match.
   */
  forms: readonly (readonly bigint[])[] | null;
}

export interface KernelQuery {
  segments: readonly OpenSegment[];
  words: readonly KernelWord[];
  /**
   * The phrases that a document must all have. A phrase that is a single word in any form also matches
   * documents that have the word only in anchor texts.
   */
  phrases: readonly (readonly KernelPhraseWord[])[];
  /**
   * `weight` is the sum of the words' IDFs, and `meanLength` the mean length of the documents, both over the
   * whole index.
   */
  weight: number;
  meanLength: number;
}

/** Translates a query to words and phrases for the search kernel; null if the kernel does not support it. */
export function kernelQueryOf(
  query: TermQuery,
  searched: readonly SearchedSegment[],
  { idfs, weight, meanLength }: QueryStatistics,
): KernelQuery | null {
  if (!query.isPlain || !canKernelAnswer(query, searched)) return null;
  const words = query.terms.map((terms, word) => {
    const lists: KernelList[] = [];
    const add = (term: WordTerm, inAnchors: boolean) => {
      const entries = searched.map((one) => entryOf(term, (inAnchors ? one.anchors : one.lists)[word]!));
      if (!entries.some((entry) => entry !== null)) return;
      const scale = idfs[word]! * term.weight;
      lists.push({ entries, inAnchors, stemmings: term.stemmings, scale, mass: scale });
    };
    for (const term of terms) if (term.role === 'own') add(term, false);
    const phraseLists = lists.length;
    for (const term of terms) if (term.role !== 'own') add(term, false);
    for (const term of terms) add(term, true);
    return { lists, phraseLists };
  });
  const phrases = query.phrases.map((phrase) =>
    phrase.map((wanted) => phraseWord(wanted, query.words.indexOf(wanted.term), words, searched.length)),
  );
  if (phrases.flat().includes(null)) return null;
  const segments = searched.map(({ segment }) => segment);
  return { segments, words, phrases: phrases as KernelPhraseWord[][], weight, meanLength };
}

/** Returns the segment's entry for a term; null if the segment does not have the term. */
function entryOf({ term, stemmings }: WordTerm, lists: readonly ListEntry[]): TermEntry | null {
  for (const list of lists) if (list.term === term && list.stemmings === stemmings) return list.entry;
  return null;
}

/**
 * Translates a word of a phrase. Returns null if the phrase accepts only some forms of the word and the kernel
 * cannot distinguish them.
 */
function phraseWord(
  { exact }: PhraseTerm,
  word: number,
  words: readonly KernelWord[],
  segmentCount: number,
): KernelPhraseWord | null {
  if (exact === null) return { word, forms: null };
  const { lists, phraseLists } = words[word]!;
  const forms = Array.from({ length: segmentCount }, (_, segment) =>
    lists.slice(0, phraseLists).map(({ entries }) => {
      const entry = entries[segment];
      return entry ? bitsOf(wantedForms(entry, exact)) : 0n;
    }),
  );
  return forms.flat().includes(null) ? null : { word, forms: forms as bigint[][] };
}

/** Returns a bit set of the form numbers; null if a number is too large for the bit set. */
function bitsOf(forms: ReadonlySet<number> | null): bigint | null {
  if (forms === null) return ALL_FORMS;
  let bits = 0n;
  for (const form of forms) {
    if (form >= MAX_KERNEL_FORMS) return null;
    bits |= 1n << BigInt(form);
  }
  return bits;
}

/** Returns true if the query has no more words, lists and phrases than the search kernel supports. */
export function fitsKernel({ words, phrases, weight }: KernelQuery, keep: number): boolean {
  let lists = 0;
  for (const word of words) lists += word.lists.length;
  let slots = phrases.length;
  for (const phrase of phrases) {
    for (const { word, forms } of phrase) slots += forms ? Math.max(1, words[word]!.phraseLists) : 1;
  }
  const isWanted = weight > 0 && keep > 0 && keep <= MAX_KERNEL_MATCHES;
  return isWanted && lists > 0 && lists <= MAX_KERNEL_LISTS && slots <= MAX_KERNEL_SLOTS;
}
