/**
 * A query in the terms of an index.
 *
 * Words become terms by the rules of one language, so a query has one: that under which the index knows most of it.
 * For each stemming that documents of the index have, the frequencies of the words' terms are added up (their
 * logarithms, so that a rare word counts too), and the greatest sum wins. A word that has no documents in the chosen
 * language is looked for in the others.
 */
import type { OpenSegment, TermEntry, TermLists } from '../index/mod.ts';
import { analyseWord, DEFAULT_STEMMING, isExactly, STEMMINGS, type Stemming, termOf } from '../text/mod.ts';
import { type Condition, inAnyForm, type PhraseTerm } from './condition.ts';
import { reading } from './errors.ts';
import type { Alternative } from './meaning.ts';
import type { ParsedQuery } from './parse.ts';
import { liveFrequency } from './statistics.ts';

/** A query whose words are terms. */
export interface TermQuery extends ParsedQuery {
  stemming: Stemming;
  /** Per term, the words that were typed for it. */
  typed: string[][];
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
    if (others.length === 0) return knownTermOf(word, stemming);
    const { term, alternatives } = analyseWord(word, stemming, others);
    if (alternatives.length === 0 || frequencyOf(term) > 0) return term;
    return alternatives.toSorted((a, b) => frequencyOf(b) - frequencyOf(a)).find(frequencyOf) ?? term;
  };
  const inTerms = (phrase: readonly PhraseTerm[]): PhraseTerm[] =>
    phrase.map(({ term, exact }) => ({ term: resolve(term), exact }));
  return {
    ...query,
    stemming,
    ...termsToRankBy(query, resolve),
    phrases: query.phrases.map(inTerms),
    condition: query.condition && conditionInTerms(query.condition, inTerms),
  };
}

/** Per stemming, the terms of words that were asked for lately: most queries have words that others had. */
const knownTerms = STEMMINGS.map(() => new Map<string, string>());
/** Words, at about 100 bytes each. */
const MAX_KNOWN = 16_384;

function knownTermOf(word: string, stemming: Stemming): string {
  const terms = knownTerms[stemming]!;
  const term = terms.get(word) ?? termOf(word, stemming);
  if (terms.size >= MAX_KNOWN) terms.clear();
  terms.set(word, term);
  return term;
}

/** Words with the same term are one, with the alternatives of both. */
function termsToRankBy(
  query: ParsedQuery,
  resolve: (word: string) => string,
): Pick<TermQuery, 'words' | 'alternatives' | 'typed'> {
  const known = new Map<string, { typed: string[]; others: Map<string, Alternative> }>();
  for (const [at, word] of query.words.entries()) {
    const term = resolve(word);
    const own = known.get(term) ?? { typed: [], others: new Map<string, Alternative>() };
    own.typed.push(word);
    for (const { term: other, weight } of query.alternatives[at]!) {
      const otherTerm = resolve(other);
      if (otherTerm !== term && !own.others.has(otherTerm))
        own.others.set(otherTerm, { term: otherTerm, weight });
    }
    known.set(term, own);
  }
  const all = [...known.values()];
  return {
    words: [...known.keys()],
    typed: all.map(({ typed }) => typed),
    alternatives: all.map(({ others }) => [...others.values()]),
  };
}

function conditionInTerms(
  condition: Condition,
  inTerms: (phrase: readonly PhraseTerm[]) => PhraseTerm[],
): Condition {
  const convert = (part: Condition): Condition => {
    switch (part.kind) {
      case 'phrase':
        return { ...part, terms: inTerms(part.terms) };
      case 'near':
        return { ...part, phrases: part.phrases.map(inTerms) };
      case 'and':
      case 'or':
        return { ...part, parts: part.parts.map(convert) };
      case 'not':
        return { ...part, part: convert(part.part) };
      case 'anchor':
        return { ...part, terms: inTerms(inAnyForm(part.terms)).map(({ term }) => term) };
      default:
        return part;
    }
  };
  return convert(condition);
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
    const sum = words.reduce(
      (total, word) => total + Math.log1p(frequencyOf(knownTermOf(word, stemming))),
      0,
    );
    if (sum <= most) continue;
    most = sum;
    best = stemming;
  }
  return best;
}

/**
 * Of live documents, so that a query has the same language however many deleted ones wait for a merge: those that have
 * the term, or those of which links say it, whichever are more.
 */
export function frequencyIn(segments: readonly OpenSegment[]): DocFrequency {
  const among = (term: string, listsOf: (segment: OpenSegment) => TermLists | null) =>
    segments.reduce((sum, segment) => {
      const lists = listsOf(segment);
      const entry = reading(segment, () => lists?.findTerm(term) ?? null);
      return lists ? sum + liveFrequency(segment, entry, lists) : sum;
    }, 0);
  return (term) =>
    Math.max(
      among(term, ({ reader }) => reader),
      among(term, ({ anchors }) => anchors),
    );
}

/** The numbers of the forms that will do; null if all do. None may do: then the set is empty. */
export function wantedForms(entry: TermEntry, exact: string | null): ReadonlySet<number> | null {
  if (exact === null) return null;
  const words = entry.forms?.map(({ word }) => word) ?? [entry.term];
  const wanted = [...words.keys()].filter((form) => words[form] === '' || isExactly(exact, words[form]!));
  return wanted.length === words.length ? null : new Set(wanted);
}
