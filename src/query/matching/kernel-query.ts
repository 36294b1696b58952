/**
 * The queries that the search kernel accepts: words of which any is enough, or phrases that must all occur.
 *
 * A word is a group of postings lists: the lists of its own terms, one per language, and other lists that
 * also count for it, possibly with less weight: anchor texts and synonyms. A document has the word if it is
 * in any of the lists, and
 *
 *   score = (sum of scale * BM25 over all lists it is in) * (sum of mass over words / weight) + static
 *
 * where the mass of a word is the greatest mass among its lists that contain the document. A word with one
 * list, whose scale and mass are the word's IDF, gives the plain formula of scoring/.
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

/** A postings list that counts for a word. */
interface KernelList {
  /** One entry per segment of the query; null for a segment that does not have the list. */
  entries: readonly (TermEntry | null)[];
  /** True for a list of anchor texts, false for a list of page text. */
  inAnchors?: boolean;
  /** The list counts only in documents with these stemmings; absent if it counts in all documents. */
  stemmings?: StemmingSet;
  /** The factor of the list's scores: the word's IDF times the weight of the list. Not negative. */
  scale: number;
  /** The share of the query that a document has through this list, at most the word's IDF. */
  mass: number;
}

interface KernelWord {
  /** Lists whose positions count in phrases come first. */
  lists: readonly KernelList[];
  /** The number of lists whose positions count in phrases; if it is 0, no phrase can match the word. */
  phraseLists: number;
}

export interface KernelPhraseWord {
  /** An index into `words`. */
  word: number;
  /** Per segment and per phrase list: the forms of the word that count, as bits; null if all do. */
  forms: readonly (readonly bigint[])[] | null;
}

export interface KernelQuery {
  segments: readonly OpenSegment[];
  words: readonly KernelWord[];
  /**
   * The phrases that must all occur. A phrase of one word in any form matches a document in any of the lists of that
   * word.
   */
  phrases: readonly (readonly KernelPhraseWord[])[];
  /** The sum of the words' IDFs over the whole index, and the mean length of its documents. */
  weight: number;
  meanLength: number;
}

/**
 * Translates the query into words and phrases, with anchor texts; null if the kernel does not support the
 * query.
 */
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

/** Returns null if the kernel cannot distinguish the wanted forms of the word from its other forms. */
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

/** Returns null if a form number is too large for a bit. */
function bitsOf(forms: ReadonlySet<number> | null): bigint | null {
  if (forms === null) return ALL_FORMS;
  let bits = 0n;
  for (const form of forms) {
    if (form >= MAX_KERNEL_FORMS) return null;
    bits |= 1n << BigInt(form);
  }
  return bits;
}

/** Returns true if the query is within the kernel's limits. */
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
