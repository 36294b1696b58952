/**
 * A query in the terms of an index.
 *
 * A word becomes the terms under which documents have it, see word-terms.ts. The query as a whole has one language, by
 * which its words are told apart, hosts are compared, and pages preferred: the one that it asks for (`lang:de`), or else
 * the one whose documents know most of it. For each stemming that documents of the index have, the numbers of documents of
 * that stemming that have the words are added up (their logarithms, so that a rare word counts too), and the greatest
 * sum wins.
 */
import type { OpenSegment, TermEntry, TermLists } from '../index/mod.ts';
import { DEFAULT_STEMMING, type Stemming, type StemmingSet, stemmingOf } from '../text/mod.ts';
import { type Condition, isWantedForm, type PhraseTerm } from './condition.ts';
import { reading } from './errors.ts';
import { knownTermOf } from './known-terms.ts';
import type { Alternative } from './meaning.ts';
import type { ParsedQuery } from './parse.ts';
import { liveFrequency } from './statistics.ts';
import { further, type SpellingsOf, type Variant, variantsOf, type WordTerm } from './word-terms.ts';

/** A query whose words are terms. */
export interface TermQuery extends Omit<ParsedQuery, 'alternatives'> {
  /** That of the query's language. */
  stemming: Stemming;
  /** Per word, the terms that count for it: its own in front, that of the query's language first. */
  terms: WordTerm[][];
  /** Per word, what was typed for it. */
  typed: string[][];
}

/** What an index knows of words. */
export interface KnownWords {
  /** Of its live documents, that of most of them first. */
  stemmings: readonly Stemming[];
  /** How many documents of these stemmings have a term. */
  frequencyOf(term: string, stemmings: StemmingSet): number;
  spellingsOf: SpellingsOf;
}

export function termQueryOf(query: ParsedQuery, index: KnownWords): TermQuery {
  const stemming = chooseStemming(query, index);
  const stemmings = [stemming, ...index.stemmings.filter((other) => other !== stemming)];
  const known = new Map<string, Variant[]>();
  const resolve: Resolve = (word) => {
    const variants = known.get(word) ?? variantsOf(word, stemmings, index.spellingsOf);
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
    ...termsToRankBy(query, resolve),
    phrases: query.phrases.map(inTerms),
    condition: query.condition && conditionInTerms(query.condition, inTerms),
  };
}

/** That of the query's language first. */
type Resolve = (word: string) => readonly Variant[];

/** Words with the same term in the query's language are one, with what counts for any of them. */
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

function chooseStemming({ words, condition }: ParsedQuery, { stemmings, frequencyOf }: KnownWords): Stemming {
  let best = stemmings[0] ?? DEFAULT_STEMMING;
  if (stemmings.length < 2) return best;
  const asked = languageAskedFor(condition);
  if (asked !== null && stemmings.includes(stemmingOf(asked))) return stemmingOf(asked);
  let most = -1;
  for (const stemming of stemmings) {
    const sum = words.reduce(
      (total, word) => total + Math.log1p(frequencyOf(knownTermOf(word, stemming), 1 << stemming)),
      0,
    );
    if (sum <= most) continue;
    most = sum;
    best = stemming;
  }
  return best;
}

/** The language that all results will be in; null if there may be several. */
function languageAskedFor(condition: Condition | null): string | null {
  if (condition?.kind === 'language') return condition.tag;
  const asked = condition?.kind === 'and' ? condition.parts.find(({ kind }) => kind === 'language') : null;
  return asked?.kind === 'language' ? asked.tag : null;
}

/**
 * Of live documents, so that a query has the same language however many deleted ones wait for a merge: those that have
 * the term, or those of which links say it, whichever are more.
 */
export function frequencyIn(segments: readonly OpenSegment[]): KnownWords['frequencyOf'] {
  return (term, stemmings) => {
    const among = (listsOf: (segment: OpenSegment) => TermLists | null) =>
      segments.reduce((sum, segment) => {
        const lists = listsOf(segment);
        const entry = reading(segment, () => lists?.findTerm(term) ?? null);
        return lists ? sum + liveFrequency(segment, entry, stemmings, lists) : sum;
      }, 0);
    return Math.max(
      among(({ reader }) => reader),
      among(({ anchors }) => anchors),
    );
  };
}

/** The numbers of the forms that will do; null if all do. None may do: then the set is empty. */
export function wantedForms(entry: TermEntry, exact: string | null): ReadonlySet<number> | null {
  if (exact === null) return null;
  const words = formsOf(entry);
  const wanted = [...words.keys()].filter((form) => words[form] === '' || isWantedForm(exact, words[form]!));
  return wanted.length === words.length ? null : new Set(wanted);
}

/** The words that a term stands for, by the numbers of the forms; '' is some that have no number of their own. */
export function formsOf({ term, forms }: TermEntry): string[] {
  return forms?.map(({ word }) => word) ?? [term];
}
