/**
 * The lookups that query parsing makes in the index and the link graph: words with a prefix, links to a page,
 * the most characteristic words of a page. `cli/` passes in the graph; `query/` does not import it.
 */
import type { CanonicalUrl } from '../../url/mod.ts';
import type { Alternative } from './interpret-query.ts';

/** The link graph; see graph/. Every list may be empty. Anchor texts are in the index. */
export interface LinkLookup {
  /** Changes whenever the results of the lookups may change. */
  readonly generation: number;
  /** False if there is no link graph. */
  readonly hasLinks: boolean;
  /** Returns the URLs of the pages that link to `url`. */
  linksTo(url: CanonicalUrl): CanonicalUrl[];
  /** Returns the URL of the document that has this URL or has it as an alias; null if it is unknown. */
  documentOf(url: CanonicalUrl): CanonicalUrl | null;
}

export interface QueryLookups {
  readonly hasLinks: boolean;
  /**
   * Returns the words of the index that begin with `prefix`, most common first, at most `limit`. Reads at
   * most `maxRead` words per segment to find them.
   */
  wordsBeginning(prefix: string, limit: number, maxRead: number): string[];
  linksTo(url: CanonicalUrl): CanonicalUrl[];
  /** Returns the URL under which a page is in the index or in the link graph; null if neither has it. */
  documentOf(url: CanonicalUrl): CanonicalUrl | null;
  /** Returns true if the index has a word; only for words that `NeededLookups` names. */
  hasWord(word: string): boolean;
  /** Returns synonyms and near synonyms. */
  synonymsOf(word: string): readonly Alternative[];
  /** Returns the most characteristic words of a page, best first; empty if the page is not in the index. */
  contentWords(url: CanonicalUrl): readonly string[];
}

/** Lookups for parsing without an index: prefixes do not expand, and there are no links. */
export const NO_LOOKUPS: QueryLookups = {
  hasLinks: false,
  wordsBeginning: () => [],
  linksTo: () => [],
  documentOf: () => null,
  hasWord: () => false,
  synonymsOf: () => [],
  contentWords: () => [],
};
