/**
 * Turns the tree of a query into words to rank by and a condition to match.
 *
 * Plain words side by side rank documents: any one of them is enough, and more are better. Clauses with an
 * operator (a phrase, `+`, AND, OR, NEAR, a field) must hold; if there is such a clause, the plain words only
 * rank. Filters do not replace words: `cat site:example.org` still requires "cat". Several filters of one
 * kind side by side mean any of them. A minus excludes documents.
 *
 * Other terms (synonyms, words written as one) count for a word that only ranks, but with less weight. A word under an
 * operator is searched as typed.
 */
import {
  ANY_FIELD,
  allOf,
  anyOf,
  asTyped,
  beginningWith,
  type Condition,
  inAnyForm,
  type PhraseTerm,
  phraseOf,
} from './condition.ts';
import { endingIn } from './endings.ts';
import type { QueryNode } from './tree.ts';

/** A term that counts for a word of the query. Its frequencies are multiplied by `weight`. */
export interface Alternative {
  term: string;
  weight: number;
  /** True if the word of the query is a prefix of this term. */
  isCompletion?: true;
}

export interface InterpretedQuery {
  /** Every word to rank by, once, in order. */
  words: string[];
  /** Per word, the other terms that count for it. */
  alternatives: Alternative[][];
  /** The condition that a document must meet; null for an empty query. */
  condition: Condition | null;
  /**
   * The part of the condition that a document must meet whatever its words are: clauses with an operator, filters and
   * exclusions. A document that means the same as the query need not have its plain words.
   */
  requirement: Condition;
  /** Phrases that must all occur; a phrase of a single term is a word. */
  phrases: PhraseTerm[][];
  /**
   * True if the condition is equivalent to: all of `phrases`, or, if there are none, any of `words` and their
   * alternatives.
   */
  isPlain: boolean;
  /** True if the query consists of exclusions only. */
  isOnlyExcluding: boolean;
}

/**
 * Returns other options for the last of several words; see endings.ts. Used only for words that must be
 * adjacent.
 */
type EndingsOf = (words: readonly string[]) => readonly string[];

export function interpretQuery(
  tree: QueryNode & { kind: 'sequence' },
  endingsOf: EndingsOf,
): InterpretedQuery {
  const clauses = clausesOf(tree.parts, endingsOf, true);
  const ranking = new Ranking();
  for (const part of tree.parts) ranking.add(part, true);
  const { required, filters, excluded, optional } = clauses;
  const phrases = required.map(plainPhrase);
  const isOnlyExcluding = required.length + filters.length + optional.length === 0 && excluded.length > 0;
  const isEmpty = tree.parts.length === 0 || isOnlyExcluding;
  return {
    words: ranking.words,
    alternatives: ranking.alternatives,
    condition: isEmpty ? null : conditionOf(clauses),
    requirement: conditionOf({ ...clauses, optional: [] }),
    phrases: phrases.filter((phrase) => phrase !== null).map((phrase) => [...phrase]),
    isPlain: !isEmpty && filters.length + excluded.length === 0 && !phrases.includes(null),
    isOnlyExcluding,
  };
}

interface Clauses {
  optional: Condition[];
  required: Condition[];
  /**
   * One condition per kind of filter. A document that meets one of several filters of the same kind meets the
   * condition.
   */
  filters: Condition[];
  excluded: Condition[];
}

/** `isTop` is true if the parts are not under an operator. */
function clausesOf(parts: readonly QueryNode[], endingsOf: EndingsOf, isTop = false): Clauses {
  const clauses: Clauses = { optional: [], required: [], filters: [], excluded: [] };
  const [only] = parts;
  const isChoice = parts.length === 1 && only?.kind === 'or' && only.parts.every(isSingleWord);
  for (const part of isChoice ? only.parts : parts) addClause(clauses, part, endingsOf, isTop && !isChoice);
  return { ...clauses, filters: joinedByKind(clauses.filters) };
}

function addClause(clauses: Clauses, part: QueryNode, endingsOf: EndingsOf, isTop: boolean): void {
  const meantBy = (node: QueryNode) => toCondition(node, endingsOf);
  if (part.kind === 'words') clauses.optional.push(...anyOfWords(part, isTop));
  else if (part.kind === 'prefix') clauses.optional.push(meantBy(part));
  else if (part.kind === 'not') clauses.excluded.push(meantBy(part.part));
  else if (isFilter(part)) clauses.filters.push(meantBy(part));
  else if (part.kind === 'and') clauses.required.push(...part.parts.map(meantBy));
  else clauses.required.push(meantBy(part));
}

/** Returns a condition for each of the words that were typed together, and for the other terms that count. */
function anyOfWords({ terms, others = [] }: QueryNode & { kind: 'words' }, isTop: boolean): Condition[] {
  const all = isTop ? [...terms, ...others.flat().map(({ term }) => term)] : terms;
  return [...new Set(all)].map((term) => phraseOf(inAnyForm([term])));
}

function conditionOf({ optional, required, filters, excluded }: Clauses): Condition {
  const words = required.length === 0 && optional.length > 0 ? [anyOf(optional)] : required;
  const forbidden = excluded.map((part): Condition => ({ kind: 'not', part }));
  return allOf([...words, ...filters, ...forbidden]);
}

/** Returns true for a node that contains filters only, and no words. */
function isFilter(node: QueryNode): boolean {
  if (node.kind === 'field') return node.isFilter;
  if (node.kind === 'must' || node.kind === 'not') return isFilter(node.part);
  return (
    (node.kind === 'and' || node.kind === 'or' || node.kind === 'sequence') && node.parts.every(isFilter)
  );
}

/** Returns the condition of a node under an operator. Words that were typed together are then a phrase. */
function toCondition(node: QueryNode, endingsOf: EndingsOf): Condition {
  const meantBy = (part: QueryNode) => toCondition(part, endingsOf);
  switch (node.kind) {
    case 'words':
    case 'phrase':
      return phraseOf(phraseTerms(node, endingsOf));
    case 'prefix':
      return anyOf(node.terms.map((term) => phraseOf([beginningWith(node.term, term)])));
    case 'near':
      return {
        kind: 'near',
        phrases: node.parts.map((part) => phraseTerms(part, endingsOf)),
        distances: node.distances,
      };
    case 'field':
      return node.condition;
    case 'and':
      return allOf(node.parts.map(meantBy));
    case 'or':
      return anyOf(node.parts.map(meantBy));
    case 'sequence':
      return conditionOf(clausesOf(node.parts, endingsOf));
    case 'must':
      return meantBy(node.part);
    case 'not':
      return { kind: 'not', part: meantBy(node.part) };
  }
}

/** Quoted words match only as typed. */
function phraseTerms(node: QueryNode, endingsOf: EndingsOf): readonly PhraseTerm[] {
  if (node.kind !== 'phrase' && node.kind !== 'words') return [];
  const terms = node.kind === 'phrase' ? asTyped(node.terms) : inAnyForm(node.terms);
  return endingIn(terms, endingsOf(node.terms));
}

function isSingleWord(node: QueryNode): boolean {
  return node.kind === 'words' && node.terms.length === 1;
}

/** Returns the terms of a phrase that may occur in any field; null for other conditions. */
function plainPhrase(condition: Condition): readonly PhraseTerm[] | null {
  return condition.kind === 'phrase' && condition.fields === ANY_FIELD ? condition.terms : null;
}

/**
 * Joins filters for sites, languages, types and kinds with `or`. Dates must all hold, and so must filters
 * that operators have joined.
 */
function joinedByKind(filters: readonly Condition[]): Condition[] {
  const kinds = new Map<string, Condition[]>();
  for (const filter of filters) kinds.set(filter.kind, [...(kinds.get(filter.kind) ?? []), filter]);
  return [...kinds].flatMap(([kind, same]) => (CHOICES.has(kind) ? [anyOf(same)] : same));
}

const CHOICES: ReadonlySet<string> = new Set(['site', 'language', 'type', 'kind']);

/** Collects the words that are not excluded. */
class Ranking {
  readonly words: string[] = [];
  readonly alternatives: Alternative[][] = [];

  /** Other terms are added only if the node is not under an operator. */
  add(node: QueryNode, isTop = false): void {
    if ('part' in node) {
      if (node.kind === 'must') this.add(node.part);
    } else if (node.kind === 'prefix') this.#addAll(node.term, node.terms.map(completion));
    else if (node.kind === 'field' && node.completions)
      this.#addAll(node.words[0]!, node.completions.map(completion));
    else if (node.kind === 'field') for (const word of node.words) this.#addWord(word);
    else if ('parts' in node) for (const part of node.parts) this.add(part);
    else if (node.kind === 'words' && isTop)
      for (const [at, term] of node.terms.entries()) this.#addAll(term, node.others?.[at] ?? []);
    else for (const term of node.terms) this.#addWord(term);
  }

  #addWord(term: string): number {
    const at = this.words.indexOf(term);
    if (at >= 0) return at;
    this.alternatives.push([]);
    return this.words.push(term) - 1;
  }

  #addAll(word: string, alternatives: readonly Alternative[]): void {
    const list = this.alternatives[this.#addWord(word)]!;
    for (const other of alternatives) {
      if (other.term !== word && !list.some(({ term }) => term === other.term)) list.push(other);
    }
  }
}

function completion(term: string): Alternative {
  return { term, weight: 1, isCompletion: true };
}
