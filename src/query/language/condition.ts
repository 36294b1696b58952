/**
 * The condition that a document must meet to match a query, as a tree. It does not affect scores, which
 * depend on the query's words only: a stricter query lists fewer documents and scores them as before.
 *
 * An `and` without parts holds for every document, an `or` without parts for none.
 */
import { DocumentKind, type FamilyLevel, Field, fieldOf, type ShownDocuments } from '../../index/mod.ts';
import { beginsExactly, isExactly, type StemmingSet } from '../../text/mod.ts';

/** A term of a word, with the stemmings of the documents in which it counts. */
export interface Variant {
  term: string;
  stemmings: StemmingSet;
}

/** A word to search for: the typed word, until term-query.ts replaces it by a term of the index. */
export interface PhraseTerm {
  term: string;
  /**
   * The typed word if no other form of the term matches; `conn*` if all forms with that prefix match; else
   * null.
   */
  exact: string | null;
  /** Words that also match in place of `term`; see endings.ts. */
  others?: readonly string[];
  /**
   * The terms under which documents of each language are indexed for `term` and `others`; empty until
   * term-query.ts fills it.
   */
  variants: readonly Variant[];
}

export type Condition =
  /** The terms occur next to each other, all in one of the fields; a single term is a word. */
  | { kind: 'phrase'; terms: readonly PhraseTerm[]; fields: FieldSet }
  /**
   * The phrases occur in any order, each at most `distances[i]` words from the phrase that precedes it in the
   * query.
   */
  | { kind: 'near'; phrases: readonly (readonly PhraseTerm[])[]; distances: readonly number[] }
  | { kind: 'and' | 'or'; parts: readonly Condition[] }
  | { kind: 'not'; part: Condition }
  | Filter;

/** Conditions on properties of a document other than its words. */
type Filter =
  /**
   * The host or a subdomain of it. If `address` is not empty, the URL must also contain its words next to
   * each other.
   */
  | { kind: 'site'; host: string; address: readonly PhraseTerm[] }
  /**
   * The host belongs to none of the blocked sites. If several listed sites contain the host, the one with the longest
   * name decides.
   */
  | { kind: 'unblocked'; blocked: readonly string[]; allowed: readonly string[] }
  /** Holds for every document; the family filter hides documents by this level instead of that of the index. */
  | { kind: 'family'; level: FamilyLevel }
  /** The family filter of this level hides the document. */
  | { kind: 'rated'; level: FamilyLevel }
  /** The language or a regional variant of it. */
  | { kind: 'language'; tag: string }
  | { kind: 'type'; name: string }
  | { kind: 'kind'; name: string }
  /**
   * The document is dated before this day, or on it or later. `day` is in days since 1970. A document without a date
   * matches neither.
   */
  | { kind: 'before' | 'since'; day: number }
  /** The anchor text of a link to the document contains these terms next to each other, in any form. */
  | { kind: 'anchor'; terms: readonly PhraseTerm[] }
  /** One of these documents, by the fingerprints of their URLs. */
  | { kind: 'documents'; fingerprints: ReadonlySet<bigint> };

/** One bit per field. */
export type FieldSet = number;

export const ANY_FIELD: FieldSet = -1;
export const TITLE: FieldSet = 1 << Field.title;
export const ADDRESS: FieldSet = (1 << Field.url) | (1 << Field.name);
export const BODY: FieldSet = ~(TITLE | ADDRESS);

export function isIn(fields: FieldSet, place: number): boolean {
  return (fields & (1 << fieldOf(place))) !== 0;
}

/** Makes phrase terms that match any form of the words. */
export function inAnyForm(words: readonly string[]): PhraseTerm[] {
  return words.map((term) => ({ term, exact: null, variants: [] }));
}

/** Makes phrase terms that match the words only as typed. */
export function asTyped(words: readonly string[]): PhraseTerm[] {
  return words.map((term) => ({ term, exact: term, variants: [] }));
}

/** Makes a phrase term that matches all forms of the word's term that begin with `beginning`. */
export function beginningWith(beginning: string, word: string): PhraseTerm {
  return { term: word, exact: `${beginning}*`, variants: [] };
}

/**
 * Returns true if the form of a term matches `exact`. Words contain no stars, so a trailing star means a
 * prefix.
 */
export function isWantedForm(exact: string, form: string): boolean {
  return exact.endsWith('*') ? beginsExactly(exact.slice(0, -1), form) : isExactly(exact, form);
}

/** Returns which documents the results may contain besides ordinary ones: feeds only if the condition names them. */
export function shownBy(condition: Condition | null): ShownDocuments {
  let shown: ShownDocuments = { feeds: false, level: null };
  const look = (part: Condition): void => {
    if ('parts' in part) part.parts.forEach(look);
    else if (part.kind === 'not') look(part.part);
    else if (part.kind === 'kind' && part.name === DocumentKind.feed) shown = { ...shown, feeds: true };
    else if (part.kind === 'family') shown = { ...shown, level: part.level };
  };
  if (condition) look(condition);
  return shown;
}

/** Returns all words in the condition, in order. */
export function phraseTermsIn(condition: Condition | null): readonly PhraseTerm[] {
  switch (condition?.kind) {
    case 'phrase':
    case 'anchor':
      return condition.terms;
    case 'site':
      return condition.address;
    case 'near':
      return condition.phrases.flat();
    case 'and':
    case 'or':
      return condition.parts.flatMap(phraseTermsIn);
    case 'not':
      return phraseTermsIn(condition.part);
    default:
      return [];
  }
}

export function phraseOf(terms: readonly PhraseTerm[], fields: FieldSet = ANY_FIELD): Condition {
  return { kind: 'phrase', terms, fields };
}

export function allOf(parts: readonly Condition[]): Condition {
  return parts.length === 1 ? parts[0]! : { kind: 'and', parts };
}

export function anyOf(parts: readonly Condition[]): Condition {
  return parts.length === 1 ? parts[0]! : { kind: 'or', parts };
}
