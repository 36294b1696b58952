/**
 * Under which terms an index has a word.
 *
 * A document has a word under the term that the rules of its own language make of it, so a word of a query has a term
 * for each language of the index, and each of them counts in documents of just those languages that make it:
 *
 *   care   ->  care in English; car in German, Dutch, French …
 *
 * An English page about cars is no match for `care`, though a Dutch one is. So a document has a word by one of its
 * terms or not at all, and the documents of all terms together are those of the word.
 *
 * Words that differ in accents alone are one: people leave them out. Stemmers do not: `informações` and `informacoes`
 * have different stems. So all spellings that the index has of a word are looked for; `"quotes"` tell them apart.
 */
import { fold, isAscii, type Stemming, type StemmingSet } from '../text/mod.ts';
import { knownTermOf } from './known-terms.ts';

/** A term that documents of these stemmings have a word under. */
export interface Variant {
  term: string;
  stemmings: StemmingSet;
}

/**
 * Why a term counts for a word: as one of its own, as one of the same meaning, or because the word is only a beginning.
 * Links say the first two, too.
 */
export type TermRole = 'own' | 'synonym' | 'completion';

/** A term that counts for a word, for as much of its frequency as `weight` says. */
export interface WordTerm extends Variant {
  weight: number;
  role: TermRole;
}

/** The words of an index that are the same but for accents. */
export type SpellingsOf = (word: string) => readonly string[];

/** The variants of a word in an index with these stemmings, that of the first of them in front. */
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

/** What is left of `variants` besides `known`: where a term has counted already, it does not count again. */
export function further(variants: readonly Variant[], known: readonly Variant[]): readonly Variant[] {
  if (known.length === 0) return variants;
  return variants.flatMap(({ term, stemmings }) => {
    const counted = known.reduce((set, other) => (other.term === term ? set | other.stemmings : set), 0);
    const rest = stemmings & ~counted;
    return rest === 0 ? [] : [{ term, stemmings: rest }];
  });
}
