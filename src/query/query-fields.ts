/** The words before a colon that mean something: `site:example.org`, `intitle:"http client"`. A field is a line in the table. */
import { DocumentKind } from '../index/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint, hostOf, pathOf } from '../url/mod.ts';
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
  const prefix = readPrefix(value, lookups);
  if (!prefix) return null;
  const { term, words, note } = prefix;
  const condition = anyOf(words.map((word) => phraseOf([beginningWith(term, word)], fields)));
  const reading = { condition, words: [term], completions: words, value: `${term}*`, isFilter: false };
  return note === undefined ? reading : { ...reading, note };
}

/** Links are not indexed by the words that they say, only by terms: they cannot be asked for beginnings. */
function readAnchor(value: string, lookups: QueryLookups, isQuoted: boolean): FieldReading | null {
  const terms = termsOf(value);
  if (terms.length === 0 || (value.endsWith('*') && !isQuoted)) return null;
  const condition = { kind: 'anchor', terms: inAnyForm(terms) } as const;
  const reading = { condition, words: terms, value, isFilter: false };
  return lookups.hasLinks ? reading : { ...reading, note: `${NO_LINKS} inanchor: finds nothing.` };
}

function readSite(value: string): FieldReading | null {
  const url = canonicalize(value.includes('://') ? value : `http://${value.replace(/^[*.]+/, '')}`);
  if (value === '' || !url) return null;
  const host = hostOf(url);
  const reading = { condition: { kind: 'site', host }, words: [], value: host, isFilter: true } as const;
  return pathOf(url) === '/' ? reading : { ...reading, note: `site: looks at the host alone: ${host}` };
}

/** Other names of the types that `build/` gives to documents. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  htm: 'html',
  xhtml: 'html',
  text: 'txt',
  markdown: 'md',
};

function readType(value: string): FieldReading | null {
  const typed = value.toLowerCase().replace(/^\./, '');
  if (!/^[a-z0-9]{1,10}$/.test(typed)) return null;
  const name = TYPE_NAMES[typed] ?? typed;
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
  const urls = urlsOf(value);
  if (urls.length === 0) return null;
  const sources = urls.flatMap((url) => lookups.linksTo(url));
  const condition = { kind: 'documents', fingerprints: new Set(sources.map(fingerprint)) } as const;
  const reading = { condition, words: [], value, isFilter: true };
  return lookups.hasLinks ? reading : { ...reading, note: `${NO_LINKS} link: finds nothing.` };
}

/** Pages that share the most telling words of a page, without that page. */
function readRelated(value: string, lookups: QueryLookups): FieldReading | null {
  const urls = urlsOf(value);
  if (urls.length === 0) return null;
  const words = urls.map((url) => lookups.tellingWords(url)).find((found) => found.length > 0) ?? [];
  const itself = { kind: 'documents', fingerprints: new Set(urls.map(fingerprint)) } as const;
  const alike: Condition = { kind: 'or', parts: words.map((word) => phraseOf(inAnyForm([word]))) };
  const condition: Condition = { kind: 'and', parts: [alike, { kind: 'not', part: itself }] };
  const reading = { condition, words, value, isFilter: false };
  return words.length > 0 ? reading : { ...reading, note: `This page is not in the index: ${value}` };
}

/** Without a scheme, it may be either. */
function urlsOf(value: string): CanonicalUrl[] {
  if (value === '') return [];
  const typed = value.includes('://') ? [value] : [`https://${value}`, `http://${value}`];
  return typed.map((url) => canonicalize(url)).filter((url) => url !== null);
}
