/**
 * The condition that a document must meet to match a query, as a tree. The condition does not affect scores, which
 * depend only on the words of the query: a stricter query returns fewer documents, with unchanged scores.
 *
 * An `and` node without children matches every document. An `or` node without children matches none.
 */
import { DocumentKind, type FamilyLevel, Field, fieldOf, type ShownDocuments } from '../../index/mod.ts';
import { beginsExactly, isExactly, type StemmingSet } from '../../text/mod.ts';

/**
 * A term of the index that matches a word of the query, and the stemmings (languages) of the documents in which
 * it matches: the word `care` matches the term `car` in Dutch documents only.
 */
export interface Variant {
  term: string;
  stemmings: StemmingSet;
}

/**
 * A word of the query that a document must contain. After parsing it is the typed word; term-query.ts replaces it by
 * a term of the index.
 */
export interface PhraseTerm {
  term: string;
  /**
   * The typed word, if the document must contain exactly this form of the term; `conn*`, if any form with that
   * prefix matches; null if any form matches.
   */
  exact: string | null;
  /**
   * Other words that match at the position of `term`, such as the completions of a single Chinese character; see
   * endings.ts.
   */
  others?: readonly string[];
  /**
   * The terms of the index for `term` and `others`, one for each language that has a different stem. Empty until
   * term-query.ts fills it.
   */
  variants: readonly Variant[];
}

export type Condition =
  /**
   * A field of the document contains these terms, one directly after the other. A phrase of one term is a single
   * word.
   */
  | { kind: 'phrase'; terms: readonly PhraseTerm[]; fields: FieldSet }
  /**
   * The document contains all these phrases, in any order. Phrase i is at most `distances[i]` words from phrase i -
   * 1.
   */
  | { kind: 'near'; phrases: readonly (readonly PhraseTerm[])[]; distances: readonly number[] }
  | { kind: 'and' | 'or'; parts: readonly Condition[] }
  | { kind: 'not'; part: Condition }
  | Filter;

/** A condition on a property of a document other than its words: site, language, format, collection, date. */
type Filter =
  /**
   * The document is on this host or on a subdomain of it. If `address` is not empty, the URL must also contain these
   * words directly after each other: `site:example.org/docs/api`.
   */
  | { kind: 'site'; host: string; address: readonly PhraseTerm[] }
  /**
   * The host of the document is not on a blocked site. If the lists of blocked and allowed sites both have a site
   * that contains the host, the site with the longest name decides: `docs.a.org` allowed wins over `a.org` blocked.
   */
  | { kind: 'unblocked'; blocked: readonly string[]; allowed: readonly string[] }
  /** Matches every document. It replaces the default level of the family filter for this query. */
  | { kind: 'family'; level: FamilyLevel }
  /** Matches the documents that the family filter hides at this level. */
  | { kind: 'rated'; level: FamilyLevel }
  /** The document is in this language or in a regional variant of it: `en` matches `en-gb`. */
  | { kind: 'language'; tag: string }
  | { kind: 'type'; name: string }
  | { kind: 'kind'; name: string }
  /** The document is in the collection with this name. */
  | { kind: 'collection'; name: string }
  /**
   * `before`: the date of the document is earlier than this day. `since`: it is this day or later. `day` counts the
   * days since 1970. A document without a date matches neither.
   */
  | { kind: 'before' | 'since'; day: number }
  /** A link to the document has an anchor text that contains these terms directly after each other, in any form. */
  | { kind: 'anchor'; terms: readonly PhraseTerm[] }
  /** The document is one of a given set, which has the fingerprints of the URLs. */
  | { kind: 'documents'; fingerprints: ReadonlySet<bigint> };

/** A set of fields, such as title and body, with one bit per field. */
export type FieldSet = number;

export const ANY_FIELD: FieldSet = -1;
export const TITLE: FieldSet = 1 << Field.title;
export const ADDRESS: FieldSet = (1 << Field.url) | (1 << Field.name);
export const BODY: FieldSet = ~(TITLE | ADDRESS);

export function isIn(fields: FieldSet, place: number): boolean {
  return (fields & (1 << fieldOf(place))) !== 0;
}

/** Makes phrase terms that match any form of each word: "connect" also matches "connected". */
export function inAnyForm(words: readonly string[]): PhraseTerm[] {
  return words.map((term) => ({ term, exact: null, variants: [] }));
}

/** Makes phrase terms that match each word only as it was typed. */
export function asTyped(words: readonly string[]): PhraseTerm[] {
  return words.map((term) => ({ term, exact: term, variants: [] }));
}

/** Makes a phrase term that matches only the forms of `word` that begin with `beginning`. */
export function beginningWith(beginning: string, word: string): PhraseTerm {
  return { term: word, exact: `${beginning}*`, variants: [] };
}

/**
 * Returns true if a written form of a term matches `exact`. A trailing star makes `exact` a prefix, because words
 * themselves contain no stars.
 */
export function isWantedForm(exact: string, form: string): boolean {
  return exact.endsWith('*') ? beginsExactly(exact.slice(0, -1), form) : isExactly(exact, form);
}

/**
 * Returns which documents the results may contain besides ordinary pages. Feeds are included only if the query asks
 * for them.
 */
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

/** Returns all words of the condition, in the order of the query. */
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
