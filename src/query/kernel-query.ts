/**
 * What the search kernel can be asked: words of which any will do, or phrases of which all must be there.
 *
 * A word is a group of lists: those of its own terms, one per language, and others that stand for it too, perhaps with
 * less weight: what links say of a page, words of the same meaning. A document has the word if it is in any of them, and
 *
 *   score = (sum of scale * BM25 over all lists it is in) * (sum of mass over words / weight) + static
 *
 * where the mass of a word is the greatest among its lists that have the document. A word of one list with its rarity
 * as scale and mass is the plain case of rank/.
 */
import {
  ALL_FORMS,
  MAX_KERNEL_FORMS,
  MAX_KERNEL_LISTS,
  MAX_KERNEL_MATCHES,
  MAX_KERNEL_SLOTS,
  type OpenSegment,
  type TermEntry,
} from '../index/mod.ts';
import type { QueryStatistics } from '../rank/mod.ts';
import type { StemmingSet } from '../text/mod.ts';
import type { PhraseTerm } from './condition.ts';
import type { ListEntry, SearchedSegment } from './statistics.ts';
import { type TermQuery, wantedForms } from './term-query.ts';
import { areListsWanted } from './wanted-lists.ts';
import type { WordTerm } from './word-terms.ts';

/** A list of postings that stands for a word. */
export interface KernelList {
  /** Per segment of the query; null where there is none. */
  entries: readonly (TermEntry | null)[];
  /** Whether it is a list of what links say, and not of what pages say. */
  inAnchors?: boolean;
  /** In documents of which stemmings it counts; in all if there are none. */
  stemmings?: StemmingSet;
  /** By what its scores are multiplied: the word's rarity times the weight of the list. Not negative. */
  scale: number;
  /** How much of the query a document has by this list, at most the word's rarity. */
  mass: number;
}

export interface KernelWord {
  /** Those whose places count in phrases come first. */
  lists: readonly KernelList[];
  /** How many those are; none, and no phrase has the word. */
  phraseLists: number;
}

export interface KernelPhraseWord {
  /** An index of `words`. */
  word: number;
  /** Per segment, then per list of those for phrases, which forms of it count, as bits; null if all do. */
  forms: readonly (readonly bigint[])[] | null;
}

export interface KernelQuery {
  segments: readonly OpenSegment[];
  words: readonly KernelWord[];
  /** All of them must be there; a phrase of one word in any form is a word that must occur, in any list. */
  phrases: readonly (readonly KernelPhraseWord[])[];
  /** The sum of the words' rarity over the whole index, and the mean length of its documents. */
  weight: number;
  meanLength: number;
}

/** The query as words and phrases, with what links say of pages; null if the kernel does not know what it asks for. */
export function kernelQueryOf(
  query: TermQuery,
  searched: readonly SearchedSegment[],
  { idfs, weight, meanLength }: QueryStatistics,
): KernelQuery | null {
  if (!query.isPlain || !areListsWanted(query, searched)) return null;
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

/** What a segment has of a term; null if nothing. */
function entryOf({ term, stemmings }: WordTerm, lists: readonly ListEntry[]): TermEntry | null {
  for (const list of lists) if (list.term === term && list.stemmings === stemmings) return list.entry;
  return null;
}

/** Null if the kernel cannot tell the wanted forms from others. */
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

/** Null if there are numbers that have no bit. */
function bitsOf(forms: ReadonlySet<number> | null): bigint | null {
  if (forms === null) return ALL_FORMS;
  let bits = 0n;
  for (const form of forms) {
    if (form >= MAX_KERNEL_FORMS) return null;
    bits |= 1n << BigInt(form);
  }
  return bits;
}

/** Whether the kernel has room for it. */
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
