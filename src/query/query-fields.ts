/** The words before a colon that mean something: `site:example.org`, `intitle:"http client"`. A field is a line in the table. */
import { DocumentKind, formatNamed } from '../index/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint, hostOf, pathOf, unescaped } from '../url/mod.ts';
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
import type { QueryLookups } from './lookups.ts';
import { readPrefix } from './prefix.ts';
import { termsOf } from './query-words.ts';

/** What `name:value` means; null if the value makes no sense. */
type FieldReader = (value: string, lookups: QueryLookups, isQuoted: boolean) => FieldReading | null;

export interface FieldReading {
  condition: Condition;
  /** Documents are ranked by these. */
  words: readonly string[];
  /** The words that the only one of them is the beginning of, if it is one. */
  completions?: readonly string[];
  /** The value as it was understood. */
  value: string;
  /** It only narrows what words find; alone it lists everything that it lets through. */
  isFilter: boolean;
  /** What the searcher should know. */
  note?: string;
}

const READERS: Readonly<Record<string, FieldReader>> = {
  intitle: (value, lookups, isQuoted) => inField(value, TITLE, lookups, isQuoted),
  inurl: (value, lookups, isQuoted) => inField(value, ADDRESS, lookups, isQuoted),
  inbody: (value, lookups, isQuoted) => inField(value, BODY, lookups, isQuoted),
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

/** `isQuoted`: words must stand as they are. */
export function readField(
  name: string,
  value: string,
  lookups: QueryLookups,
  isQuoted: boolean,
): FieldReading | null {
  return READERS[name]!(value, lookups, isQuoted);
}

function inField(
  value: string,
  fields: FieldSet,
  lookups: QueryLookups,
  isQuoted: boolean,
): FieldReading | null {
  if (value.endsWith('*') && !isQuoted) return beginningInField(value, fields, lookups);
  const terms = termsOf(value);
  if (terms.length === 0) return null;
  const { endings, note } = endingsOf(terms, lookups);
  const condition = phraseOf(endingIn(isQuoted ? asTyped(terms) : inAnyForm(terms), endings), fields);
  const reading = { condition, words: terms, value, isFilter: false };
  return note === undefined ? reading : { ...reading, note };
}

function beginningInField(value: string, fields: FieldSet, lookups: QueryLookups): FieldReading | null {
  return beginningIn(value, lookups, (term, word) => phraseOf([beginningWith(term, word)], fields));
}

/** `meant` says what it takes to have one of the words that begin with the term. */
function beginningIn(
  value: string,
  lookups: QueryLookups,
  meant: (term: string, word: string) => Condition,
): FieldReading | null {
  const prefix = readPrefix(value, lookups);
  if (!prefix) return null;
  const { term, words, note } = prefix;
  const condition = anyOf(words.map((word) => meant(term, word)));
  const reading = { condition, words: [term], completions: words, value: `${term}*`, isFilter: false };
  return note === undefined ? reading : { ...reading, note };
}

/**
 * Links are indexed by terms, without the words that they say. A beginning stands for the words of the index that begin
 * so, and each of those for its term: what links say stands on some page, so the index has it.
 */
function readAnchor(value: string, lookups: QueryLookups, isQuoted: boolean): FieldReading | null {
  const reading =
    value.endsWith('*') && !isQuoted
      ? beginningInAnchor(value, lookups)
      : wordsInAnchor(termsOf(value), value);
  return reading && !lookups.hasLinks
    ? { ...reading, note: `${NO_LINKS} inanchor: finds nothing.` }
    : reading;
}

function wordsInAnchor(terms: string[], value: string): FieldReading | null {
  if (terms.length === 0) return null;
  return { condition: { kind: 'anchor', terms: inAnyForm(terms) }, words: terms, value, isFilter: false };
}

function beginningInAnchor(value: string, lookups: QueryLookups): FieldReading | null {
  return beginningIn(value, lookups, (_, word) => ({ kind: 'anchor', terms: inAnyForm([word]) }));
}

/** With a path, the words of the address as far as the path goes. */
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

/** What people may call the kinds that documents have. */
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

const DAY_MS = 86_400_000;

/** A year, a month or a day; it begins with its first moment. */
function readDay(value: string, kind: 'before' | 'since'): FieldReading | null {
  const match = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$/.exec(value);
  if (!match) return null;
  const [year, month, date] = [Number(match[1]), Number(match[2] ?? 1), Number(match[3] ?? 1)];
  const at = new Date(Date.UTC(year, month - 1, date));
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== date) return null;
  return { condition: { kind, day: at.getTime() / DAY_MS }, words: [], value, isFilter: true };
}

const NO_LINKS = 'There are no links yet (gyre rank makes them):';

function readLink(value: string, lookups: QueryLookups): FieldReading | null {
  const address = addressOf(value);
  if (!address) return null;
  const known = knownOf(address, lookups);
  const sources = known.flatMap((url) => lookups.linksTo(url));
  const condition = { kind: 'documents', fingerprints: new Set(sources.map(fingerprint)) } as const;
  const reading = { condition, words: [], value, isFilter: true };
  if (!lookups.hasLinks) return { ...reading, note: `${NO_LINKS} link: finds nothing.` };
  return sources.length > 0 ? reading : { ...reading, note: `No link to this page is known: ${value}` };
}

/** Pages that share the most telling words of a page, without that page. */
function readRelated(value: string, lookups: QueryLookups): FieldReading | null {
  const address = addressOf(value);
  if (!address) return null;
  const known = knownOf(address, lookups);
  const words = known.map((url) => lookups.tellingWords(url)).find((found) => found.length > 0) ?? [];
  const itself = { kind: 'documents', fingerprints: new Set(known.map(fingerprint)) } as const;
  const alike: Condition = { kind: 'or', parts: words.map((word) => phraseOf(inAnyForm([word]))) };
  const condition: Condition = { kind: 'and', parts: [alike, { kind: 'not', part: itself }] };
  const reading = { condition, words, value, isFilter: false };
  return words.length > 0 ? reading : { ...reading, note: `This page is not in the index: ${value}` };
}

/** The documents that are meant: under the address as it was typed, or else under another that people take for the same. */
function knownOf({ typed, others }: Address, lookups: QueryLookups): CanonicalUrl[] {
  const documents = (urls: readonly CanonicalUrl[]) =>
    [...new Set(urls.map((url) => lookups.documentOf(url)))].filter((url) => url !== null);
  const meant = documents(typed);
  return meant.length > 0 ? meant : documents(others);
}
