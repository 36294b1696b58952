/**
 * Converts the parsed query to the words that rank documents and the condition that documents must meet.
 *
 * A query of plain words matches documents with any of the words; documents with more of them rank higher. A clause
 * with an operator (a phrase, `+`, AND, OR, NEAR, a field) must be met, and then the plain words of the query affect
 * only the ranking. A filter is different: `cat site:example.org` still requires "cat". Several filters for the same
 * property (`site:a.org site:b.org`) match documents that pass any of them. A minus excludes documents.
 *
 * Synonyms and joined spellings ("data frame", `dataframe`) also match a plain word, with less weight. A word under
 * an operator matches only itself.
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

/** A term that also matches a word of the query, such as a synonym. Its frequencies are multiplied by `weight`. */
export interface Alternative {
  term: string;
  weight: number;
  /** True if the word of the query is a prefix, such as `conn*`, and this term begins with it. */
  isCompletion?: true;
  /** True if the term is a part of an identifier. It matches only if no document has the whole identifier. */
  isPart?: true;
}

export interface InterpretedQuery {
  /** The words that rank documents, each once, in the order of the query. */
  words: string[];
  /** For each element of `words`: other terms that match the word, such as synonyms. */
  alternatives: Alternative[][];
  /** The condition that a document must meet; null for an empty query. */
  condition: Condition | null;
  /**
   * The part of `condition` that does not come from plain words: clauses with an operator, filters and exclusions. A
   * document that is found by its meaning must meet it, but need not contain the plain words.
   */
  requirement: Condition;
  /** Phrases that the document must all contain. A phrase of one term is a single word. */
  phrases: PhraseTerm[][];
  /**
   * True if `condition` says no more than this: the document contains all `phrases`; or, if there are no phrases,
   * any of `words` or their alternatives. The search kernel supports only such queries.
   */
  isPlain: boolean;
  /** True if the query consists of exclusions only, such as `-cat`. */
  isOnlyExcluding: boolean;
}

/** Returns the words that may replace the last word of a phrase; see endings.ts. */
type EndingsOf = (words: readonly string[]) => readonly string[];

/** Returns true if a plain word must be in the document; see `readTokens`. */
export type IsRequired = (word: string) => boolean;

export function interpretQuery(
  tree: QueryNode & { kind: 'sequence' },
  endingsOf: EndingsOf,
  isRequired?: IsRequired,
): InterpretedQuery {
  const plain = isRequired ? tree.parts.filter(isPlainPart) : [];
  const rest = tree.parts.filter((part) => !plain.includes(part));
  const clauses = clausesOf(rest, endingsOf, true);
  if (isRequired) clauses.required.push(...requiredWords(plain, endingsOf, isRequired));
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

function isPlainPart({ kind }: QueryNode): boolean {
  return kind === 'words' || kind === 'prefix';
}

/**
 * Returns a condition for each plain word that is required: the document has the word or an alternative of it. If no
 * word is required, as in "the who", all are.
 */
function requiredWords(
  parts: readonly QueryNode[],
  endingsOf: EndingsOf,
  isRequired: IsRequired,
): Condition[] {
  const words = parts.flatMap((part): { word: string | null; condition: Condition }[] => {
    if (part.kind !== 'words') return [{ word: null, condition: toCondition(part, endingsOf) }];
    return part.terms.map((word, at) => {
      const terms = [word, ...(part.others?.[at] ?? []).map(({ term }) => term)];
      return { word, condition: anyOf(terms.map((term) => phraseOf(inAnyForm([term])))) };
    });
  });
  const required = words.filter(({ word }) => word === null || isRequired(word));
  return (required.length > 0 ? required : words).map(({ condition }) => condition);
}

interface Clauses {
  optional: Condition[];
  required: Condition[];
  /**
   * One condition for each property that has filters, such as the site. A document meets the condition if it
   * passes any of the filters for that property.
   */
  filters: Condition[];
  excluded: Condition[];
}

/**
 * Sorts the clauses of a sequence into plain words, required clauses, filters and exclusions. `isTop` is true for
 * the outermost sequence of the query, whose plain words may be replaced by synonyms.
 */
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

/**
 * Returns one condition per word, and one per alternative of the words if `isTop` is true. A document needs to meet
 * only one of them.
 */
function anyOfWords({ terms, others = [] }: QueryNode & { kind: 'words' }, isTop: boolean): Condition[] {
  const all = isTop ? [...terms, ...others.flat().map(({ term }) => term)] : terms;
  return [...new Set(all)].map((term) => phraseOf(inAnyForm([term])));
}

function conditionOf({ optional, required, filters, excluded }: Clauses): Condition {
  const words = required.length === 0 && optional.length > 0 ? [anyOf(optional)] : required;
  const forbidden = excluded.map((part): Condition => ({ kind: 'not', part }));
  return allOf([...words, ...filters, ...forbidden]);
}

/** Returns true if a clause consists of filters only, without words. */
function isFilter(node: QueryNode): boolean {
  if (node.kind === 'field') return node.isFilter;
  if (node.kind === 'must' || node.kind === 'not') return isFilter(node.part);
  return (
    (node.kind === 'and' || node.kind === 'or' || node.kind === 'sequence') && node.parts.every(isFilter)
  );
}

/**
 * Returns the condition for a clause under an operator. Words that were typed without a space between them, such as
 * `node.js`, are then a phrase.
 */
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

/**
 * Returns the terms of a clause that is a phrase. Words in quotes match only as typed, other words match in any
 * form.
 */
function phraseTerms(node: QueryNode, endingsOf: EndingsOf): readonly PhraseTerm[] {
  if (node.kind !== 'phrase' && node.kind !== 'words') return [];
  const terms = node.kind === 'phrase' ? asTyped(node.terms) : inAnyForm(node.terms);
  return endingIn(terms, endingsOf(node.terms));
}

function isSingleWord(node: QueryNode): boolean {
  return node.kind === 'words' && node.terms.length === 1;
}

/** Returns the terms of a phrase condition that applies to all fields; null for any other condition. */
function plainPhrase(condition: Condition): readonly PhraseTerm[] | null {
  return condition.kind === 'phrase' && condition.fields === ANY_FIELD ? condition.terms : null;
}

/**
 * Joins filters for the same property with `or` if the property is site, language, type or kind: `site:a.org
 * site:b.org` matches both sites. A document must pass all filters for dates and all filters that an operator has
 * joined.
 */
function joinedByKind(filters: readonly Condition[]): Condition[] {
  const kinds = new Map<string, Condition[]>();
  for (const filter of filters) kinds.set(filter.kind, [...(kinds.get(filter.kind) ?? []), filter]);
  return [...kinds].flatMap(([kind, same]) => (CHOICES.has(kind) ? [anyOf(same)] : same));
}

const CHOICES: ReadonlySet<string> = new Set(['site', 'language', 'type', 'kind', 'collection']);

/** Collects the words of the query that rank documents: all words that are not excluded. */
class Ranking {
  readonly words: string[] = [];
  readonly alternatives: Alternative[][] = [];

  /**
   * Adds the words of a clause. Their synonyms are added only if `isTop` is true: the clause is not under an
   * operator.
   */
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
