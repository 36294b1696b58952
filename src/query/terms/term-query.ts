/**
 * Translates a parsed query to the terms of an index.
 *
 * Each word becomes the terms under which documents of the various languages have it; see word-terms.ts. The
 * query as a whole has one language. The language decides which words of the query are the same, how host names
 * are compared, and which pages are preferred. It is the language that the query asks for (`lang:de`), or else
 * the language whose documents have most of the words: for each stemming of the index, the logarithms of the
 * words' document frequencies are added up (so that a rare word counts too), and the greatest sum wins. The
 * searcher's language is used instead if the words, such as names, are about as common in it.
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

/**
 * The vector of a query or a page, and the model that computed it. It can be compared only with vectors of the same
 * model.
 */
export interface QueryVector {
  model: string;
  vector: Int8Array;
}

interface QueryMeaning extends QueryVector {
  /**
   * The share of documents that have a vector, from 0 to 1. Documents in languages that the model does not support
   * are not counted.
   */
  knownMeanings: number;
}

/** A parsed query whose words were replaced by terms of the index. */
export interface TermQuery extends Omit<ParsedQuery, 'alternatives'> {
  /** The stemming of the query's language. */
  stemming: Stemming;
  /**
   * The searcher's language as a primary subtag, if the words of the query are about as common in it as in any other;
   * otherwise empty.
   */
  searcherLanguage: string;
  /**
   * The stemmings of all languages in the query: the language of the query as a whole, and the languages of
   * words that occur almost only in documents of another language. "debian usb stick erstellen" is English and
   * German.
   */
  languages: readonly Stemming[];
  /**
   * For each word of the query, the terms that match it. The terms of the word itself come first, beginning with the
   * one in the query's language; terms of synonyms follow.
   */
  terms: WordTerm[][];
  /**
   * For each element of `words`, the typed words that it stands for. Two typed words with the same term, such as
   * "run" and "running", are one element.
   */
  typed: string[][];
  /** The vector of the page after `related:`, if it has one. */
  relatedTo?: QueryVector;
  /** The vector of the query; absent if the query is searched by its words only. */
  meaning?: QueryMeaning;
}

/** The index lookups that translating a query needs. */
interface KnownWords {
  /** The number of live documents per stemming. The stemming with the most documents comes first. */
  docCounts: ReadonlyMap<Stemming, number>;
  /**
   * Returns the number of live documents with these stemmings that have the term in their text, or the number
   * of such documents that have it in anchor texts, whichever is greater.
   */
  frequencyOf(term: string, stemmings: StemmingSet): number;
  spellingsOf: SpellingsOf;
}

/**
 * The maximum number of terms of a query. A word has one term for each language and spelling with a different
 * stem, so in an index of many languages the words of a prefix could have thousands of terms. The limit is
 * divided evenly among the words. Each word uses the terms of the query's language first, then the terms of the
 * most common languages.
 */
export const MAX_TERMS = 1024;

/**
 * The searcher's language is used for a query only if each word of the query is about as common in it as in the
 * language that has most of the query's words. Commonness is the share of a language's documents that have the
 * word. The searcher's language must reach at least this ratio.
 */
const ABOUT_AS_COMMON = 0.5;
/** A word of a query is foreign if less than this share of the documents that have it are in the query's language. */
const NATIVE_SHARE = 0.1;

/** Translates a parsed query. `preferredLanguage` is the searcher's language; empty if unknown. */
export function termQueryOf(query: ParsedQuery, index: KnownWords, preferredLanguage = ''): TermQuery {
  const { stemming, searcherLanguage } = chooseLanguage(query, index, preferredLanguage);
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
    searcherLanguage,
    languages: languagesOf(query.words, stemming, index),
    ...termsToRankBy(query, resolve),
    phrases: query.phrases.map(inTerms),
    condition: query.condition && conditionInTerms(query.condition, inTerms),
    requirement: conditionInTerms(query.requirement, inTerms),
  };
}

/** Returns the query with an additional condition. Documents that are found by their meaning must meet it, too. */
export function withRequirement(query: TermQuery, added: Condition): TermQuery {
  return {
    ...query,
    condition: query.condition && allOf([query.condition, added]),
    requirement: allOf([query.requirement, added]),
    isPlain: false,
  };
}

/** Returns the different words of a query, including synonyms and completions of prefixes. */
export function wordsOf({ words, alternatives, condition }: ParsedQuery): Set<string> {
  const all = new Set(words);
  for (const own of alternatives) for (const { term } of own) all.add(term);
  for (const { term, others = [] } of phraseTermsIn(condition)) {
    all.add(term);
    for (const word of others) all.add(word);
  }
  return all;
}

/** Returns the terms of the index that match a word; the one in the query's language comes first. */
type Resolve = (word: string) => readonly Variant[];

/**
 * Returns the words that rank documents, with their terms. Words with the same term in the query's language, such as
 * "run" and "running", become one word.
 */
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

/**
 * Chooses the language of a query. A searcher whose language has no stemming of its own, such as Polish, does not change the
 * stemming, but the language of the results that have translations.
 */
function chooseLanguage(
  query: ParsedQuery,
  index: KnownWords,
  preferredLanguage: string,
): Pick<TermQuery, 'stemming' | 'searcherLanguage'> {
  const { words, condition } = query;
  const stemmings = [...index.docCounts.keys()];
  const asked = languageAskedFor(condition);
  if (asked !== null && stemmings.includes(stemmingOf(asked)))
    return { stemming: stemmingOf(asked), searcherLanguage: '' };
  const best = stemmingOfWords(words, index);
  const preferred = stemmingOf(preferredLanguage);
  if (preferredLanguage === '' || !index.docCounts.has(preferred))
    return { stemming: best, searcherLanguage: '' };
  const shareIn = (word: string, stemming: Stemming) =>
    frequencyIn(index, word, stemming) / index.docCounts.get(stemming)!;
  const isUndecided =
    preferred === best ||
    words.every((word) => shareIn(word, preferred) >= ABOUT_AS_COMMON * shareIn(word, best));
  if (!isUndecided) return { stemming: best, searcherLanguage: '' };
  const stemming = ownStemmingOf(preferredLanguage) === null ? best : preferred;
  return { stemming, searcherLanguage: preferredLanguage };
}

/** Returns the stemming of the language whose documents have most of the words. */
function stemmingOfWords(words: readonly string[], index: KnownWords): Stemming {
  const stemmings = [...index.docCounts.keys()];
  let best = stemmings[0] ?? DEFAULT_STEMMING;
  if (stemmings.length < 2) return best;
  let most = -1;
  for (const stemming of stemmings) {
    const sum = words.reduce((total, word) => total + Math.log1p(frequencyIn(index, word, stemming)), 0);
    if (sum <= most) continue;
    most = sum;
    best = stemming;
  }
  return best;
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

/** Returns the language that the query asks for with `lang:`; null if it asks for none. */
function languageAskedFor(condition: Condition | null): string | null {
  if (condition?.kind === 'language') return condition.tag;
  const asked = condition?.kind === 'and' ? condition.parts.find(({ kind }) => kind === 'language') : null;
  return asked?.kind === 'language' ? asked.tag : null;
}

/**
 * Returns the terms whose document frequencies decide the language of a query; empty if the language is already
 * certain.
 */
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

/**
 * Returns the form numbers of the written forms of a term that match `exact`, which is a typed word or a prefix
 * such as `conn*`. Returns null if all forms match.
 */
export function wantedForms(entry: TermEntry, exact: string | null): ReadonlySet<number> | null {
  if (exact === null) return null;
  const words = formsOf(entry);
  const wanted = [...words.keys()].filter((form) => words[form] === '' || isWantedForm(exact, words[form]!));
  return wanted.length === words.length ? null : new Set(wanted);
}

/**
 * Returns the written forms of a term by form number: "connect", "connected". An empty string stands for all
 * forms that have no number of their own.
 */
export function formsOf({ term, forms }: TermEntry): string[] {
  return forms?.map(({ word }) => word) ?? [term];
}
