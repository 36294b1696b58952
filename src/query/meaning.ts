/**
 * From a query's tree to what is searched for.
 *
 * Words side by side rank documents: any of them will do, more are better. Whatever has an operator (a phrase, `+`,
 * AND, OR, NEAR, a field) must hold; if such a clause is there, the plain words beside it only rank. Filters are
 * not enough by themselves: `cat site:example.org` wants a cat. Several filters of one kind side by side mean any of
 * them. A minus leaves documents out.
 *
 * Words of the same meaning count, less, for a word that only ranks. What has an operator is meant as it was typed.
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
import type { QueryNode } from './query-tree.ts';

/** A term that counts for a word of the query, for as much of its frequency as `weight` says. */
export interface Alternative {
  term: string;
  weight: number;
  /** The word is the beginning of this one. */
  isCompletion?: true;
}

export interface Meaning {
  /** Every word to rank by, once, in order. */
  words: string[];
  /** Per word, what else counts for it. */
  alternatives: Alternative[][];
  /** What a document must be like; null for a query that asks for nothing. */
  condition: Condition | null;
  /** Phrases that must all occur; one of a single term is a word. */
  phrases: PhraseTerm[][];
  /** The condition is just this: all of `phrases`, or any of `words` and what else counts for them if there are none. */
  isPlain: boolean;
  /** There is nothing in it but what to leave out. */
  isOnlyExcluding: boolean;
}

/** What else the last of several words may be; see endings.ts. Asked for only where the words must stand side by side. */
type EndingsOf = (words: readonly string[]) => readonly string[];

export function meaningOf(tree: QueryNode & { kind: 'sequence' }, endingsOf: EndingsOf): Meaning {
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
    phrases: phrases.filter((phrase) => phrase !== null).map((phrase) => [...phrase]),
    isPlain: !isEmpty && filters.length + excluded.length === 0 && !phrases.includes(null),
    isOnlyExcluding,
  };
}

interface Clauses {
  optional: Condition[];
  required: Condition[];
  /** Of each kind any will do. */
  filters: Condition[];
  excluded: Condition[];
}

/** `isTop` says that no operator stands above the parts. */
function clausesOf(parts: readonly QueryNode[], endingsOf: EndingsOf, isTop = false): Clauses {
  const clauses: Clauses = { optional: [], required: [], filters: [], excluded: [] };
  const [only] = parts;
  const isChoice = parts.length === 1 && only?.kind === 'or' && only.parts.every(isSingleWord);
  for (const part of isChoice ? only.parts : parts) addClause(clauses, part, endingsOf, isTop && !isChoice);
  return { ...clauses, filters: joinedByKind(clauses.filters) };
}

function addClause(clauses: Clauses, part: QueryNode, endingsOf: EndingsOf, isTop: boolean): void {
  const meantBy = (node: QueryNode) => meant(node, endingsOf);
  if (part.kind === 'words') clauses.optional.push(...anyOfWords(part, isTop));
  else if (part.kind === 'prefix') clauses.optional.push(meantBy(part));
  else if (part.kind === 'not') clauses.excluded.push(meantBy(part.part));
  else if (isFilter(part)) clauses.filters.push(meantBy(part));
  else if (part.kind === 'and') clauses.required.push(...part.parts.map(meantBy));
  else clauses.required.push(meantBy(part));
}

/** Each of the words that were typed together, or what means the same. */
function anyOfWords({ terms, synonyms = [] }: QueryNode & { kind: 'words' }, isTop: boolean): Condition[] {
  const wordIn = (term: string) => phraseOf(inAnyForm([term]));
  if (!isTop || synonyms.length === 0) return terms.map(wordIn);
  return [anyOf([...terms, ...synonyms.map(({ term }) => term)].map(wordIn))];
}

function conditionOf({ optional, required, filters, excluded }: Clauses): Condition {
  const words = required.length === 0 && optional.length > 0 ? [anyOf(optional)] : required;
  const forbidden = excluded.map((part): Condition => ({ kind: 'not', part }));
  return allOf([...words, ...filters, ...forbidden]);
}

/** It has no words at all, only what narrows. */
function isFilter(node: QueryNode): boolean {
  if (node.kind === 'field') return node.isFilter;
  if (node.kind === 'must' || node.kind === 'not') return isFilter(node.part);
  return (
    (node.kind === 'and' || node.kind === 'or' || node.kind === 'sequence') && node.parts.every(isFilter)
  );
}

/** What a node demands where it stands under an operator. Words that were typed together are then a phrase. */
function meant(node: QueryNode, endingsOf: EndingsOf): Condition {
  const meantBy = (part: QueryNode) => meant(part, endingsOf);
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

/** Only what is quoted must stand as it is. */
function phraseTerms(node: QueryNode, endingsOf: EndingsOf): readonly PhraseTerm[] {
  if (node.kind !== 'phrase' && node.kind !== 'words') return [];
  const terms = node.kind === 'phrase' ? asTyped(node.terms) : inAnyForm(node.terms);
  return endingIn(terms, endingsOf(node.terms));
}

function isSingleWord(node: QueryNode): boolean {
  return node.kind === 'words' && node.terms.length === 1;
}

/** The terms, if this is a phrase that may stand anywhere. */
function plainPhrase(condition: Condition): readonly PhraseTerm[] | null {
  return condition.kind === 'phrase' && condition.fields === ANY_FIELD ? condition.terms : null;
}

/** Sites, languages, types. Dates must all hold, and so must what operators have joined. */
function joinedByKind(filters: readonly Condition[]): Condition[] {
  const kinds = new Map<string, Condition[]>();
  for (const filter of filters) kinds.set(filter.kind, [...(kinds.get(filter.kind) ?? []), filter]);
  return [...kinds].flatMap(([kind, same]) => (CHOICES.has(kind) ? [anyOf(same)] : same));
}

const CHOICES: ReadonlySet<string> = new Set(['site', 'language', 'type', 'kind']);

/** Gathers the words that are not left out. */
class Ranking {
  readonly words: string[] = [];
  readonly alternatives: Alternative[][] = [];

  /** Synonyms count where no operator stands above the node. */
  add(node: QueryNode, isTop = false): void {
    if ('part' in node) {
      if (node.kind === 'must') this.add(node.part);
    } else if (node.kind === 'prefix') this.#addAll(node.term, node.terms.map(completion));
    else if (node.kind === 'field' && node.completions)
      this.#addAll(node.words[0]!, node.completions.map(completion));
    else if (node.kind === 'field') for (const word of node.words) this.#addWord(word);
    else if ('parts' in node) for (const part of node.parts) this.add(part);
    else if (node.kind === 'words' && isTop && node.synonyms?.length)
      this.#addAll(node.terms[0]!, node.synonyms);
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
