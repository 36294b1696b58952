/**
 * A query in the terms of an index.
 *
 * A word becomes the terms under which documents are indexed for it; see word-terms.ts. The query as a whole
 * has one language. It decides which words are the same, how host names are compared, and which pages are
 * preferred. It is the language that the query asks for (`lang:de`), or else the one whose documents have
 * most of the words: for each stemming of the index, the logarithms of the words' document frequencies in
 * that stemming are added up (so that a rare word counts too), and the greatest sum wins. If the words are
 * about as common in the searcher's own language, as names are, that is the language of the query.
 */

import type { TermEntry } from '../../index/mod.ts';
import {
  DEFAULT_STEMMING,
  ownStemmingOf,
  type Stemming,
  type StemmingSet,
  stemmingOf,
} from '../../text/mod.ts';
import {
  type Alternative,
  allOf,
  type Condition,
  isWantedForm,
  type ParsedQuery,
  type PhraseTerm,
  phraseTermsIn,
  type Variant,
} from '../language/mod.ts';
import { knownTermOf } from './term-cache.ts';
import { further, type SpellingsOf, variantsOf, type WordTerm } from './word-terms.ts';

/** The vector of a query, and the model that computed it. Vectors of other models cannot be compared with it. */
export interface QueryVector {
  model: string;
  vector: Int8Array;
}

interface QueryMeaning extends QueryVector {
  /** From 0 to 1: the share of the documents in languages that the model knows that have a vector. */
  knownMeanings: number;
}

/** A query whose words are terms. */
export interface TermQuery extends Omit<ParsedQuery, 'alternatives'> {
  /** The stemming of the query's language. */
  stemming: Stemming;
  /**
   * The stemmings of the languages that the words are from: that of the query, and those of words that nearly only
   * documents in another language have. "debian usb stick erstellen" is English and German.
   */
  languages: readonly Stemming[];
  /**
   * Per word, the terms that count for it. Its own terms come first, beginning with that of the query's
   * language.
   */
  terms: WordTerm[][];
  /** Per word, the words that were typed for it. */
  typed: string[][];
  /** The vector of the page after `related:`; absent if there is none. */
  relatedTo?: QueryVector;
  /** The vector of the query; absent if its meaning is not known or does not matter. */
  meaning?: QueryMeaning;
}

/** The lookups in an index that this module needs. */
interface KnownWords {
  /** The number of live documents by stemming, the most frequent stemming first. */
  docCounts: ReadonlyMap<Stemming, number>;
  /**
   * Returns the greater of two numbers of live documents of these stemmings: those that have the term, and
   * those whose anchor texts have it.
   */
  frequencyOf(term: string, stemmings: StemmingSet): number;
  spellingsOf: SpellingsOf;
}

/**
 * The maximum number of terms of all words of a query together. A word has one term for each language and
 * spelling of the index that gives a different stem, so the words of a prefix could have thousands of terms
 * in an index of many languages. All words have the same share of the terms: those of the query's language
 * first, then those of the most common languages.
 */
export const MAX_TERMS = 1024;

/**
 * The query counts as being in the searcher's language if each of its words is at least this fraction as common in that
 * language as in the language with most of the words. "Common" means the share of the documents of a language that have
 * the word.
 */
const ABOUT_AS_COMMON = 0.5;
/** A word is from another language if a smaller share of its documents are in the language of the query. */
const NATIVE_SHARE = 0.1;

/** `preferredLanguage` is the searcher's language; empty if it is not known. */
export function termQueryOf(query: ParsedQuery, index: KnownWords, preferredLanguage = ''): TermQuery {
  const stemming = chooseStemming(query, index, preferredLanguage);
  const stemmings = [...new Set([stemming, ...index.docCounts.keys()])];
  const share = Math.max(1, Math.floor(MAX_TERMS / Math.max(1, wordsOf(query).size)));
  const known = new Map<string, Variant[]>();
  const resolve: Resolve = (word) => {
    const variants = known.get(word) ?? variantsOf(word, stemmings, index.spellingsOf).slice(0, share);
    known.set(word, variants);
    return variants;
  };
  const inTerms = (phrase: readonly PhraseTerm[]): PhraseTerm[] =>
    phrase.map(({ term, exact, others = [] }) => ({
      term: resolve(term)[0]!.term,
      exact,
      variants: [term, ...others].flatMap(resolve),
    }));
  return {
    ...query,
    stemming,
    languages: languagesOf(query.words, stemming, index),
    ...termsToRankBy(query, resolve),
    phrases: query.phrases.map(inTerms),
    condition: query.condition && conditionInTerms(query.condition, inTerms),
    requirement: conditionInTerms(query.requirement, inTerms),
  };
}

/** Returns the query with one more condition that every document must meet, whatever its words are. */
export function withRequirement(query: TermQuery, added: Condition): TermQuery {
  return {
    ...query,
    condition: query.condition && allOf([query.condition, added]),
    requirement: allOf([query.requirement, added]),
    isPlain: false,
  };
}

/** Returns the different words of a query, its expansions included. */
export function wordsOf({ words, alternatives, condition }: ParsedQuery): Set<string> {
  const all = new Set(words);
  for (const own of alternatives) for (const { term } of own) all.add(term);
  for (const { term, others = [] } of phraseTermsIn(condition)) {
    all.add(term);
    for (const word of others) all.add(word);
  }
  return all;
}

/** Returns the variants of a word, that of the query's language first. */
type Resolve = (word: string) => readonly Variant[];

/** Merges words that have the same term in the query's language, together with their alternatives. */
function termsToRankBy(query: ParsedQuery, resolve: Resolve): Pick<TermQuery, 'words' | 'terms' | 'typed'> {
  const known = new Map<string, { typed: string[]; own: WordTerm[]; others: Alternative[] }>();
  for (const [at, word] of query.words.entries()) {
    const variants = resolve(word);
    const { term } = variants[0]!;
    const group = known.get(term) ?? { typed: [], own: [], others: [] };
    group.typed.push(word);
    group.own.push(
      ...further(variants, group.own).map((one) => ({ ...one, weight: 1, role: 'own' as const })),
    );
    group.others.push(...query.alternatives[at]!);
    known.set(term, group);
  }
  const all = [...known.values()];
  return {
    words: [...known.keys()],
    typed: all.map(({ typed }) => typed),
    terms: all.map(({ own, others }) => withAlternatives(own, others, resolve)),
  };
}

function withAlternatives(own: WordTerm[], others: readonly Alternative[], resolve: Resolve): WordTerm[] {
  const terms = [...own];
  for (const { term, weight, isCompletion } of others) {
    const role = isCompletion ? 'completion' : 'synonym';
    terms.push(...further(resolve(term), terms).map((one) => ({ ...one, weight, role }) as const));
  }
  return terms;
}

function conditionInTerms(
  condition: Condition,
  inTerms: (phrase: readonly PhraseTerm[]) => PhraseTerm[],
): Condition {
  const convert = (part: Condition): Condition => {
    switch (part.kind) {
      case 'phrase':
      case 'anchor':
        return { ...part, terms: inTerms(part.terms) };
      case 'site':
        return { ...part, address: inTerms(part.address) };
      case 'near':
        return { ...part, phrases: part.phrases.map(inTerms) };
      case 'and':
      case 'or':
        return { ...part, parts: part.parts.map(convert) };
      case 'not':
        return { ...part, part: convert(part.part) };
      default:
        return part;
    }
  };
  return convert(condition);
}

function chooseStemming(query: ParsedQuery, index: KnownWords, preferredLanguage: string): Stemming {
  const { words, condition } = query;
  const stemmings = [...index.docCounts.keys()];
  const asked = languageAskedFor(condition);
  if (asked !== null && stemmings.includes(stemmingOf(asked))) return stemmingOf(asked);
  let best = stemmings[0] ?? DEFAULT_STEMMING;
  if (stemmings.length < 2) return best;
  let most = -1;
  for (const stemming of stemmings) {
    const sum = words.reduce((total, word) => total + Math.log1p(frequencyIn(index, word, stemming)), 0);
    if (sum <= most) continue;
    most = sum;
    best = stemming;
  }
  const preferred = ownStemmingOf(preferredLanguage);
  if (preferred === null || !index.docCounts.has(preferred)) return best;
  const shareIn = (word: string, stemming: Stemming) =>
    frequencyIn(index, word, stemming) / index.docCounts.get(stemming)!;
  const isUndecided = words.every(
    (word) => shareIn(word, preferred) >= ABOUT_AS_COMMON * shareIn(word, best),
  );
  return isUndecided ? preferred : best;
}

function languagesOf(words: readonly string[], stemming: Stemming, index: KnownWords): Stemming[] {
  const languages = new Set([stemming]);
  for (const word of words) {
    const counts = Array.from(index.docCounts.keys(), (other) => ({
      other,
      count: frequencyIn(index, word, other),
    }));
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    if (frequencyIn(index, word, stemming) >= NATIVE_SHARE * total) continue;
    languages.add(counts.reduce((most, one) => (one.count > most.count ? one : most)).other);
  }
  return [...languages];
}

function frequencyIn({ frequencyOf }: KnownWords, word: string, stemming: Stemming): number {
  return frequencyOf(knownTermOf(word, stemming), 1 << stemming);
}

/** Returns the language that all results must have; null if the condition requires none. */
function languageAskedFor(condition: Condition | null): string | null {
  if (condition?.kind === 'language') return condition.tag;
  const asked = condition?.kind === 'and' ? condition.parts.find(({ kind }) => kind === 'language') : null;
  return asked?.kind === 'language' ? asked.tag : null;
}

/** The terms whose document frequencies decide the language of a query; empty if nothing has to be decided. */
export function languageTermsOf(
  { words, condition }: ParsedQuery,
  stemmings: readonly Stemming[],
): Variant[] {
  const asked = languageAskedFor(condition);
  if (stemmings.length < 2 || (asked !== null && stemmings.includes(stemmingOf(asked)))) return [];
  return stemmings.flatMap((stemming) =>
    words.map((word) => ({ term: knownTermOf(word, stemming), stemmings: 1 << stemming })),
  );
}

/** Returns the numbers of the forms that match `exact`; null if all match, an empty set if none does. */
export function wantedForms(entry: TermEntry, exact: string | null): ReadonlySet<number> | null {
  if (exact === null) return null;
  const words = formsOf(entry);
  const wanted = [...words.keys()].filter((form) => words[form] === '' || isWantedForm(exact, words[form]!));
  return wanted.length === words.length ? null : new Set(wanted);
}

/**
 * Returns the written forms of a term by form number; '' stands for forms that have no number of their own.
 */
export function formsOf({ term, forms }: TermEntry): string[] {
  return forms?.map(({ word }) => word) ?? [term];
}
