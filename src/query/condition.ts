/**
 * What a document must be like to match, as a tree. It says nothing of scores: those come from the query's words
 * alone, so that a stricter query lists fewer documents and scores the rest as before.
 *
 * An `and` without parts holds for every document, an `or` without parts for none.
 */
import { DocumentKind, Field, fieldOf } from '../index/mod.ts';
import { beginsExactly, isExactly } from '../text/mod.ts';
import type { Variant } from './word-terms.ts';

/** A word that is looked for: as it was typed until term-query.ts makes it a term of the index. */
export interface PhraseTerm {
  term: string;
  /** The word itself, if no other form of the term will do; `conn*` if all will do that begin so. */
  exact: string | null;
  /** Words that will do in its place; see endings.ts. */
  others?: readonly string[];
  /** The terms that documents of each language have it or the others under; none until term-query.ts has looked them up. */
  variants: readonly Variant[];
}

export type Condition =
  /** The terms stand side by side, all of them in one of the fields; one term is just a word. */
  | { kind: 'phrase'; terms: readonly PhraseTerm[]; fields: FieldSet }
  /** The phrases stand in any order, each at most so many words from the one before it in the query. */
  | { kind: 'near'; phrases: readonly (readonly PhraseTerm[])[]; distances: readonly number[] }
  | { kind: 'and' | 'or'; parts: readonly Condition[] }
  | { kind: 'not'; part: Condition }
  | Filter;

/** What is known of a document besides its words. */
export type Filter =
  /** The host, or one below it; and its address has these words side by side, if there are any. */
  | { kind: 'site'; host: string; address: readonly PhraseTerm[] }
  | { kind: 'hosts'; isWanted(host: string): boolean }
  /** The language, or a variant of it. */
  | { kind: 'language'; tag: string }
  | { kind: 'type'; name: string }
  | { kind: 'kind'; name: string }
  /** Days since 1970; a document without a date matches neither. */
  | { kind: 'before' | 'since'; day: number }
  /** A link to the document says these terms side by side, in any form. */
  | { kind: 'anchor'; terms: readonly PhraseTerm[] }
  /** One of these documents, by the fingerprints of their URLs. */
  | { kind: 'documents'; fingerprints: ReadonlySet<bigint> };

/** A bit for each field. */
export type FieldSet = number;

export const ANY_FIELD: FieldSet = -1;
export const TITLE: FieldSet = 1 << Field.title;
export const ADDRESS: FieldSet = 1 << Field.url;
export const BODY: FieldSet = ~(TITLE | ADDRESS);

export function isIn(fields: FieldSet, place: number): boolean {
  return (fields & (1 << fieldOf(place))) !== 0;
}

/** Words that may stand in any of their forms. */
export function inAnyForm(words: readonly string[]): PhraseTerm[] {
  return words.map((term) => ({ term, exact: null, variants: [] }));
}

/** Words that must stand as they were typed. */
export function asTyped(words: readonly string[]): PhraseTerm[] {
  return words.map((term) => ({ term, exact: term, variants: [] }));
}

/** A word that stands for all forms of its term that begin so. */
export function beginningWith(beginning: string, word: string): PhraseTerm {
  return { term: word, exact: `${beginning}*`, variants: [] };
}

/** Whether a form of a term will do; words have no stars. */
export function isWantedForm(exact: string, form: string): boolean {
  return exact.endsWith('*') ? beginsExactly(exact.slice(0, -1), form) : isExactly(exact, form);
}

/** Feeds are found only when they are asked for. */
export function asksForFeeds(condition: Condition | null): boolean {
  if (condition === null) return false;
  if (condition.kind === 'and' || condition.kind === 'or') return condition.parts.some(asksForFeeds);
  if (condition.kind === 'not') return asksForFeeds(condition.part);
  return condition.kind === 'kind' && condition.name === DocumentKind.feed;
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
