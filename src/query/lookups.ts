/**
 * What reading a query needs to know of the index and of the link graph: which words begin so, who links to a page,
 * what a page is about. `cli/` hands in the graph; `query/` itself knows nothing of it.
 */
import type { CanonicalUrl } from '../url/mod.ts';
import type { Alternative } from './meaning.ts';

/** Who links to whom; see graph/. Every list may be empty. What links say is in the index. */
export interface LinkLookup {
  /** Changes whenever the answers may. */
  readonly generation: number;
  /** Whether there is a link graph at all. */
  readonly hasLinks: boolean;
  /** The pages that link to this one. */
  linksTo(url: CanonicalUrl): CanonicalUrl[];
  /** The address by which the document of this one goes, which may be an alias; null if nobody has heard of it. */
  documentOf(url: CanonicalUrl): CanonicalUrl | null;
}

export interface QueryLookups {
  readonly hasLinks: boolean;
  /** The words of the index that begin with `prefix`, the most common first, at most `limit`. */
  wordsBeginning(prefix: string, limit: number): string[];
  linksTo(url: CanonicalUrl): CanonicalUrl[];
  /** The address by which a page is in the index, or by which links know it; null if neither has it. */
  documentOf(url: CanonicalUrl): CanonicalUrl | null;
  /** Words that mean the same, or nearly. */
  synonymsOf(word: string): readonly Alternative[];
  /** The words that tell this page from others, the most telling first; none if it is not in the index. */
  tellingWords(url: CanonicalUrl): string[];
}

/** For reading a query where no index is at hand: prefixes stand for themselves, and nobody links to anything. */
export const NO_LOOKUPS: QueryLookups = {
  hasLinks: false,
  wordsBeginning: () => [],
  linksTo: () => [],
  documentOf: () => null,
  synonymsOf: () => [],
  tellingWords: () => [],
};
