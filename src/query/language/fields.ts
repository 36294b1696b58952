/**
 * The fields of the query language: `site:example.org`, `intitle:"http client"`. READERS has one entry per
 * field.
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

/** Interprets `name:value`; returns null if the value is not valid for the field. */
type FieldReader = (
  value: string,
  lookups: QueryLookups,
  isQuoted: boolean,
  budget: ExpansionBudget,
) => FieldReading | null;

interface FieldReading {
  condition: Condition;
  /** The words by which documents are ranked. */
  words: readonly string[];
  /** The completions of the single word in `words`, if it is a prefix. */
  completions?: readonly string[];
  /** The value as it was parsed. */
  value: string;
  /**
   * True if the field only narrows the matches of the words. A filter alone matches everything that it
   * allows.
   */
  isFilter: boolean;
  /** A message for the visitor. */
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
  before: (value) => readDay(value, 'before'),
  after: (value) => readDay(value, 'since'),
  link: readLink,
  related: readRelated,
};

export const FIELD_NAMES: readonly string[] = Object.keys(READERS);

export function isField(name: string): boolean {
  return Object.hasOwn(READERS, name);
}

/** If `isQuoted`, words match only as typed. */
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

/** Reads a prefix; `meant` makes the condition for one of the words that begin with it. */
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
 * Anchor texts are indexed by terms, without the written forms. A prefix stands for the words of the index
 * that begin with it, and each of these for its term. The words of anchor texts also occur on pages, so the
 * index has them.
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

/** A path in the value becomes words that the URL must contain, together with the words of the host. */
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

/** Names that users may type for the kinds of documents. */
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

/** Reads a year, a month or a day as its first day. */
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
 * The expansions that `related:` takes from the budget, because a whole page is read to find its words. A
 * query may have eight such fields.
 */
export const RELATED_EXPANSIONS = MAX_EXPANSIONS / 8;

/** Matches documents that share the most characteristic words of a page, except that page. */
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

/** Returns the documents at the typed URL, or else at one of its likely variants. */
export function knownOf(
  { typed, others }: Address,
  lookups: Pick<QueryLookups, 'documentOf'>,
): CanonicalUrl[] {
  const documents = (urls: readonly CanonicalUrl[]) =>
    [...new Set(urls.map((url) => lookups.documentOf(url)))].filter((url) => url !== null);
  const meant = documents(typed);
  return meant.length > 0 ? meant : documents(others);
}
