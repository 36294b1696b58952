/**
 * The fields of the query language, such as `site:example.org` and `intitle:"http client"`. The table READERS has
 * one function per field, which parses its value.
 */
import { DAY_MS } from '../../base/mod.ts';
import { DocumentKind, formatNamed } from '../../index/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint, hostOf, pathOf, unescaped } from '../../url/mod.ts';
import { type Address, addressOf } from './address.ts';
import {
  ADDRESS,
  anyOf,
  asTyped,
  BODY,
  beginningWith,
  type Condition,
  type FieldSet,
  inAnyForm,
  phraseOf,
  TITLE,
} from './condition.ts';
import { endingIn, endingsOf } from './endings.ts';
import { type ExpansionBudget, MAX_EXPANSIONS } from './expansion-budget.ts';
import type { QueryLookups } from './lookups.ts';
import { readPrefix } from './prefix.ts';
import type { QueryNote } from './query-note.ts';
import { termsOf } from './query-words.ts';

/**
 * Parses the value of a field in a query, such as `example.org` in `site:example.org`. Returns null if the field
 * does not accept the value.
 */
type FieldReader = (
  value: string,
  lookups: QueryLookups,
  isQuoted: boolean,
  budget: ExpansionBudget,
) => FieldReading | null;

interface FieldReading {
  condition: Condition;
  /** The words in the value of the field by which documents are ranked; empty for fields such as `site:`. */
  words: readonly string[];
  /** If the value is a prefix such as `conn*`: the words of the index that begin with it. */
  completions?: readonly string[];
  /** The normalized value, for display. */
  value: string;
  /**
   * True if the field only restricts the matches of the other words, as `site:` does. A query that consists of
   * filters matches all documents that pass them.
   */
  isFilter: boolean;
  note?: QueryNote;
}

const READERS: Readonly<Record<string, FieldReader>> = {
  intitle: (value, _, isQuoted, budget) => inField(value, TITLE, isQuoted, budget),
  inurl: (value, _, isQuoted, budget) => inField(value, ADDRESS, isQuoted, budget),
  inbody: (value, _, isQuoted, budget) => inField(value, BODY, isQuoted, budget),
  inanchor: readAnchor,
  site: readSite,
  filetype: readType,
  kind: readKind,
  lang: readLanguage,
  collection: readCollection,
  before: (value) => readDay(value, 'before'),
  after: (value) => readDay(value, 'since'),
  link: readLink,
  related: readRelated,
};

export const FIELD_NAMES: readonly string[] = Object.keys(READERS);

export function isField(name: string): boolean {
  return Object.hasOwn(READERS, name);
}

/** Parses `name:value`. If `isQuoted` is true, the words of the value match only as typed. */
export function readField(
  name: string,
  value: string,
  lookups: QueryLookups,
  isQuoted: boolean,
  budget: ExpansionBudget,
): FieldReading | null {
  return READERS[name]!(value, lookups, isQuoted, budget);
}

function inField(
  value: string,
  fields: FieldSet,
  isQuoted: boolean,
  budget: ExpansionBudget,
): FieldReading | null {
  if (value.endsWith('*') && !isQuoted) return beginningInField(value, fields, budget);
  const terms = termsOf(value);
  if (terms.length === 0) return null;
  const { endings, note } = endingsOf(terms, budget);
  const condition = phraseOf(endingIn(isQuoted ? asTyped(terms) : inAnyForm(terms), endings), fields);
  const reading = { condition, words: terms, value, isFilter: false };
  return note === undefined ? reading : { ...reading, note };
}

function beginningInField(value: string, fields: FieldSet, budget: ExpansionBudget): FieldReading | null {
  return beginningIn(value, budget, (term, word) => phraseOf([beginningWith(term, word)], fields));
}

/** Parses a value such as `conn*` of a field. `meant` returns the condition for one word that begins with the prefix. */
function beginningIn(
  value: string,
  budget: ExpansionBudget,
  meant: (term: string, word: string) => Condition,
): FieldReading | null {
  const prefix = readPrefix(value, budget);
  if (!prefix) return null;
  const { term, words, note } = prefix;
  const condition = anyOf(words.map((word) => meant(term, word)));
  const reading = { condition, words: [term], completions: words, value: `${term}*`, isFilter: false };
  return note === undefined ? reading : { ...reading, note };
}

/**
 * Parses the value of `inanchor:`, which searches the anchor texts of links to a document. The index has the terms
 * of anchor texts, but not their written forms. Therefore a prefix is expanded to the words of pages that begin with
 * it, and the anchor texts are searched for the terms of these words.
 */
function readAnchor(
  value: string,
  lookups: QueryLookups,
  isQuoted: boolean,
  budget: ExpansionBudget,
): FieldReading | null {
  const reading =
    value.endsWith('*') && !isQuoted
      ? beginningInAnchor(value, budget)
      : wordsInAnchor(termsOf(value), value);
  return reading && !lookups.hasLinks
    ? { ...reading, note: { code: 'no-links', values: { text: 'inanchor' } } }
    : reading;
}

function wordsInAnchor(terms: string[], value: string): FieldReading | null {
  if (terms.length === 0) return null;
  return { condition: { kind: 'anchor', terms: inAnyForm(terms) }, words: terms, value, isFilter: false };
}

function beginningInAnchor(value: string, budget: ExpansionBudget): FieldReading | null {
  return beginningIn(value, budget, (_, word) => ({ kind: 'anchor', terms: inAnyForm([word]) }));
}

/**
 * Parses the value of `site:`. If the value has a path, as in `site:example.org/docs`, the URL of a document must
 * contain the words of host and path directly after each other.
 */
function readSite(value: string): FieldReading | null {
  const url = canonicalize(value.includes('://') ? value : `http://${value.replace(/^[*.]+/, '')}`);
  if (value === '' || !url) return null;
  const host = hostOf(url);
  const path = pathOf(url);
  const below = termsOf(unescaped(path));
  const address = below.length > 0 ? asTyped([...termsOf(host), ...below]) : [];
  const condition = { kind: 'site', host, address } as const;
  return { condition, words: [], value: below.length > 0 ? host + path : host, isFilter: true };
}

function readType(value: string): FieldReading | null {
  const typed = value.toLowerCase().replace(/^\./, '');
  if (!/^[a-z0-9]{1,10}$/.test(typed)) return null;
  const name = formatNamed(typed);
  return { condition: { kind: 'type', name }, words: [], value: name, isFilter: true };
}

/** The values of the field `kind:` and the kinds of documents that they stand for. */
const KIND_NAMES: Readonly<Record<string, DocumentKind>> = {
  ...DocumentKind,
  article: DocumentKind.news,
  products: DocumentKind.product,
  feeds: DocumentKind.feed,
};

function readKind(value: string): FieldReading | null {
  const typed = value.toLowerCase();
  const name = Object.hasOwn(KIND_NAMES, typed) ? KIND_NAMES[typed]! : null;
  return name && { condition: { kind: 'kind', name }, words: [], value: name, isFilter: true };
}

function readLanguage(value: string): FieldReading | null {
  const tag = value.toLowerCase().replaceAll('_', '-');
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/.test(tag)) return null;
  return { condition: { kind: 'language', tag }, words: [], value: tag, isFilter: true };
}

function readCollection(value: string): FieldReading | null {
  const name = value.toLowerCase();
  if (!/^[\w-]+$/.test(name)) return null;
  return { condition: { kind: 'collection', name }, words: [], value: name, isFilter: true };
}

/** Parses the date of `before:` or `since:`. A year or a month stands for its first day. */
function readDay(value: string, kind: 'before' | 'since'): FieldReading | null {
  const match = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/.exec(value);
  if (!match) return null;
  const [year, month, date] = [Number(match[1]), Number(match[2] ?? 1), Number(match[3] ?? 1)];
  const at = new Date(Date.UTC(year, month - 1, date));
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== date) return null;
  return { condition: { kind, day: at.getTime() / DAY_MS }, words: [], value, isFilter: true };
}

function readLink(value: string, lookups: QueryLookups): FieldReading | null {
  const address = addressOf(value);
  if (!address) return null;
  const known = knownOf(address, lookups);
  const sources = known.flatMap((url) => lookups.linksTo(url));
  const condition = { kind: 'documents', fingerprints: new Set(sources.map(fingerprint)) } as const;
  const reading = { condition, words: [], value, isFilter: true };
  if (!lookups.hasLinks) return { ...reading, note: { code: 'no-links', values: { text: 'link' } } };
  return sources.length > 0
    ? reading
    : { ...reading, note: { code: 'unlinked-page', values: { text: value } } };
}

/**
 * The number of words that one `related:` takes from the expansion budget of the query. It is large because a whole
 * page is read to find these words. A query may therefore have at most eight `related:` fields.
 */
export const RELATED_EXPANSIONS = MAX_EXPANSIONS / 8;

/**
 * Parses the URL after `related:`. The condition matches documents that have one of the most characteristic
 * words of the page at this URL, and excludes the page itself.
 */
function readRelated(
  value: string,
  lookups: QueryLookups,
  _isQuoted: boolean,
  budget: ExpansionBudget,
): FieldReading | null {
  const address = addressOf(value);
  if (!address || !budget.take(RELATED_EXPANSIONS)) return null;
  const known = knownOf(address, lookups);
  const words = known.map((url) => lookups.contentWords(url)).find((found) => found.length > 0) ?? [];
  const itself = { kind: 'documents', fingerprints: new Set(known.map(fingerprint)) } as const;
  const alike: Condition = { kind: 'or', parts: words.map((word) => phraseOf(inAnyForm([word]))) };
  const condition: Condition = { kind: 'and', parts: [alike, { kind: 'not', part: itself }] };
  const reading = { condition, words, value, isFilter: false };
  return words.length > 0 ? reading : { ...reading, note: { code: 'unknown-page', values: { text: value } } };
}

/**
 * Returns the URLs of the documents at a typed URL. If there is no such document, returns the URLs of documents
 * at similar URLs, for example with `www.`.
 */
export function knownOf(
  { typed, others }: Address,
  lookups: Pick<QueryLookups, 'documentOf'>,
): CanonicalUrl[] {
  const documents = (urls: readonly CanonicalUrl[]) =>
    [...new Set(urls.map((url) => lookups.documentOf(url)))].filter((url) => url !== null);
  const meant = documents(typed);
  return meant.length > 0 ? meant : documents(others);
}
