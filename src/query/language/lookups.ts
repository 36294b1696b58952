/**
 * The lookups that query parsing makes in the index and the link graph: words with a prefix, links to a page,
 * the most characteristic words of a page. `cli/` passes in the graph; `query/` does not import it.
 */
import type { CanonicalUrl } from '../../url/mod.ts';
import type { Alternative } from './interpret-query.ts';

/** Lookups in the link graph, for the field `link:`; see graph/. Each returned list may be empty. */
export interface LinkLookup {
  /** A number that changes when the link graph changes. Cached responses of an older generation are not used. */
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
   * Returns the words of the index that begin with `prefix`, most common first, at most `limit`. In each segment it
   * considers at most `maxRead` words.
   */
  wordsBeginning(prefix: string, limit: number, maxRead: number): string[];
  linksTo(url: CanonicalUrl): CanonicalUrl[];
  /** Returns the URL under which a page is in the index or in the link graph; null if neither has it. */
  documentOf(url: CanonicalUrl): CanonicalUrl | null;
  /**
   * Returns true if the index has the word. Works only for the words in `NeededLookups.joined`, which were looked up
   * before.
   */
  hasWord(word: string): boolean;
  /** Returns the synonyms of a word, with their weights. */
  synonymsOf(word: string): readonly Alternative[];
  /** Returns the most characteristic words of a page, best first; empty if the page is not in the index. */
  contentWords(url: CanonicalUrl): readonly string[];
}

/** Lookups for parsing a query without an index: prefixes do not expand, and no links are known. */
export const NO_LOOKUPS: QueryLookups = {
  hasLinks: false,
  wordsBeginning: () => [],
  linksTo: () => [],
  documentOf: () => null,
  hasWord: () => false,
  synonymsOf: () => [],
  contentWords: () => [],
};
