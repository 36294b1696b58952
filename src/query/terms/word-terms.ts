/**
 * Finds the terms under which the documents of an index have a word.
 *
 * A document is indexed with terms that were stemmed by the rules of its language. So a word of a query has a term
 * for each language of the index, and a term matches only documents in the languages whose rules produce it:
 *
 *   care   ->  care in English; car in German, Dutch, French …
 *
 * A query for `care` does not find an English page with the term `car`, but finds a Dutch page with this term.
 *
 * Words that differ only in accents are treated as the same word, because users leave accents out. Stemmers do not
 * do this: `informações` and `informacoes` have different stems. Therefore the query also searches for the other
 * spellings of a word in the index. A word in quotes matches only its exact spelling.
 */
import { fold, isAscii, type Stemming, type StemmingSet } from '../../text/mod.ts';
import type { Variant } from '../language/mod.ts';
import { knownTermOf } from './term-cache.ts';

/**
 * The reason why a term matches a word of the query: it is a term of the word itself, of a synonym, or of a
 * completion of a prefix. Completions do not match in anchor texts.
 */
type TermRole = 'own' | 'synonym' | 'completion';

/** A term that matches a word of the query. Its frequencies are multiplied by `weight`. */
export interface WordTerm extends Variant {
  weight: number;
  role: TermRole;
}

/** Returns the words of an index that differ from `word` only in accents. */
export type SpellingsOf = (word: string) => readonly string[];

/** Returns the terms that match a word in an index with these stemmings. The term for the first stemming comes first. */
export function variantsOf(
  word: string,
  stemmings: readonly Stemming[],
  spellingsOf: SpellingsOf,
): Variant[] {
  const spellings = spellingsOf(word);
  if (stemmings.length === 1 && spellings.length === 0 && isAscii(word))
    return [{ term: knownTermOf(word, stemmings[0]!), stemmings: 1 << stemmings[0]! }];
  const sets = new Map<string, StemmingSet>();
  const add = (spelling: string) => {
    for (const stemming of stemmings) {
      const term = knownTermOf(spelling, stemming);
      sets.set(term, (sets.get(term) ?? 0) | (1 << stemming));
    }
  };
  add(word);
  if (!isAscii(word)) add(fold(word));
  for (const spelling of spellings) add(spelling);
  return Array.from(sets, ([term, stemmings]) => ({ term, stemmings }));
}

/** Returns the `variants` (pairs of a term and a stemming) that are not in `known`. */
export function further(variants: readonly Variant[], known: readonly Variant[]): readonly Variant[] {
  if (known.length === 0) return variants;
  return variants.flatMap(({ term, stemmings }) => {
    const counted = known.reduce((set, other) => (other.term === term ? set | other.stemmings : set), 0);
    const rest = stemmings & ~counted;
    return rest === 0 ? [] : [{ term, stemmings: rest }];
  });
}
