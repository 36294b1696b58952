/**
 * What the search kernel can be asked: words of which any will do, or phrases of which all must be there.
 *
 * A word is a group of lists: that of its own term, and others that stand for it too, with less weight: other forms
 * of it, what links say of a page, words of the same meaning. A document has the word if it is in any of them, and
 *
 *   score = (sum of scale * BM25 over all lists it is in) * (sum of mass over words / weight) + static
 *
 * where the mass of a word is the greatest among its lists that have the document. A word of one list with its rarity
 * as scale and mass is the plain case of rank/.
 */
import { MAX_KERNEL_LISTS, MAX_KERNEL_MATCHES, type OpenSegment, type TermEntry } from '../index/mod.ts';
import type { QueryStatistics } from '../rank/mod.ts';
import type { ParsedQuery } from './parse.ts';
import type { SearchedSegment } from './statistics.ts';

/** A list of postings that stands for a word. */
export interface KernelList {
  /** Per segment of the query; null where there is none. */
  entries: readonly (TermEntry | null)[];
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

export interface KernelQuery {
  segments: readonly OpenSegment[];
  words: readonly KernelWord[];
  /** Indexes of words. All phrases must be there; a phrase of one word is a word that must occur, in any list. */
  phrases: readonly (readonly number[])[];
  /** The sum of the words' rarity over the whole index, and the mean length of its documents. */
  weight: number;
  meanLength: number;
}

/** The query as plain words, one list each; null if the kernel does not know what it asks for. */
export function kernelQueryOf(
  query: ParsedQuery,
  searched: readonly SearchedSegment[],
  { idfs, weight, meanLength }: QueryStatistics,
): KernelQuery | null {
  const hasMore = query.excluded.length + query.sites.length + query.excludedSites.length > 0;
  if (hasMore || query.words.length === 0) return null;
  return {
    segments: searched.map(({ segment }) => segment),
    words: query.words.map((_, word) => ({
      lists: [
        { entries: searched.map(({ entries }) => entries[word]!), scale: idfs[word]!, mass: idfs[word]! },
      ],
      phraseLists: 1,
    })),
    phrases: query.phrases.map((phrase) => phrase.map((term) => query.words.indexOf(term))),
    weight,
    meanLength,
  };
}

/** Whether the kernel has room for it. */
export function fitsKernel({ words, phrases }: KernelQuery, keep: number): boolean {
  const listCount = words.reduce((sum, { lists }) => sum + lists.length, 0);
  const slotCount = phrases.reduce((sum, phrase) => sum + 1 + phrase.length, 0);
  const isWanted = keep > 0 && keep <= MAX_KERNEL_MATCHES;
  return isWanted && listCount > 0 && listCount <= MAX_KERNEL_LISTS && slotCount <= 4 * MAX_KERNEL_LISTS;
}
