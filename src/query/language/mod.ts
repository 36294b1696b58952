/**
 * Parses the query language into tokens, a tree of clauses and the condition that a document must meet. A malformed
 * part of a query is read as plain words, and a note tells the visitor.
 */

export {
  ADDRESS,
  ANY_FIELD,
  allOf,
  anyOf,
  type Condition,
  type FieldSet,
  isIn,
  isWantedForm,
  type PhraseTerm,
  phraseTermsIn,
  shownBy,
  type Variant,
} from './condition.ts';
export { knownOf } from './fields.ts';
export type { Alternative } from './interpret-query.ts';
export type { LinkLookup, QueryLookups } from './lookups.ts';
export type { PrefixLookup } from './needed-lookups.ts';
export {
  MAX_QUERY_WORDS,
  type ParsedQuery,
  parseQuery,
  parseTokens,
  readTokens,
  type TokenizedQuery,
} from './parse.ts';
export { MAX_PREFIX_WORDS } from './prefix.ts';
export type { QueryNote } from './query-note.ts';
