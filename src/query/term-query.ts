/**
 * A query in the terms of an index.
 *
 * Words become terms by the rules of one language, so a query has one: that under which the index knows most of it.
 * For each stemming that documents of the index have, the frequencies of the words' terms are added up (their
 * logarithms, so that a rare word counts too), and the greatest sum wins. A word that has no documents in the chosen
 * language is looked for in the others.
 */
import type { OpenSegment, TermEntry } from '../index/mod.ts';
import { analyseWord, DEFAULT_STEMMING, isExactly, type Stemming, termOf } from '../text/mod.ts';
import { reading } from './errors.ts';
import type { ParsedQuery, Phrase } from './parse.ts';
import { liveFrequency } from './statistics.ts';

/** A word of a phrase. */
export interface PhraseTerm {
  term: string;
  /** The word itself, if no other form of the term will do. */
  exact: string | null;
}

export interface TermQuery {
  stemming: Stemming;
  /** Every term to rank by, once, in order; those of phrases too. */
  words: string[];
  phrases: PhraseTerm[][];
  excluded: PhraseTerm[][];
  sites: readonly string[];
  excludedSites: readonly string[];
}

/** In how many documents a term is. */
export type DocFrequency = (term: string) => number;

/** `stemmings` are those of the index, the one with most documents first. */
export function termQueryOf(
  query: ParsedQuery,
  stemmings: readonly Stemming[],
  frequencyOf: DocFrequency,
): TermQuery {
  const stemming = chooseStemming(query.words, stemmings, frequencyOf);
  const others = stemmings.filter((other) => other !== stemming);
  const resolve = (word: string): string => {
    const { term, alternatives } = analyseWord(word, stemming, others);
    if (alternatives.length === 0 || frequencyOf(term) > 0) return term;
    return alternatives.toSorted((a, b) => frequencyOf(b) - frequencyOf(a)).find(frequencyOf) ?? term;
  };
  const inTerms = ({ words, isExact }: Phrase): PhraseTerm[] =>
    words.map((word) => ({ term: resolve(word), exact: isExact ? word : null }));
  return {
    stemming,
    words: [...new Set(query.words.map(resolve))],
    phrases: query.phrases.map(inTerms),
    excluded: query.excluded.map(inTerms),
    sites: query.sites,
    excludedSites: query.excludedSites,
  };
}

function chooseStemming(
  words: readonly string[],
  stemmings: readonly Stemming[],
  frequencyOf: DocFrequency,
): Stemming {
  let best = stemmings[0] ?? DEFAULT_STEMMING;
  if (stemmings.length < 2) return best;
  let most = -1;
  for (const stemming of stemmings) {
    const sum = words.reduce((total, word) => total + Math.log1p(frequencyOf(termOf(word, stemming))), 0);
    if (sum <= most) continue;
    most = sum;
    best = stemming;
  }
  return best;
}

/** Of live documents, so that a query has the same language however many deleted ones wait for a merge. */
export function frequencyIn(segments: readonly OpenSegment[]): DocFrequency {
  return (term) =>
    segments.reduce((sum, segment) => {
      const entry = reading(segment, () => segment.reader.findTerm(term));
      return sum + liveFrequency(segment, entry);
    }, 0);
}

/** The numbers of the forms that will do; null if all do. None may do: then the set is empty. */
export function wantedForms(entry: TermEntry, exact: string | null): ReadonlySet<number> | null {
  if (exact === null) return null;
  const words = entry.forms?.map(({ word }) => word) ?? [entry.term];
  const wanted = [...words.keys()].filter((form) => words[form] === '' || isExactly(exact, words[form]!));
  return wanted.length === words.length ? null : new Set(wanted);
}
