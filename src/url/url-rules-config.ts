/**
 * Reads and validates the URL rules of the configuration:
 *
 *   "rules": [
 *     { "verb": "ignore", "domain": "example.org", "extension": ["zip", "iso"] },
 *     { "verb": "follow", "prefix": "https://example.org/tags/" },
 *     { "host": "shop.example.org", "query": { "keep": ["id"], "sort": true } }
 *   ]
 *
 * A list of one value may be written as that value. Errors name the number of the rule.
 */
import { messageOf, UsageError } from '../base/mod.ts';
import { canonicalize } from './canonical.ts';
import { readHostName } from './host-name.ts';
import { compilePattern } from './linear-pattern.ts';
import type { QueryHandling } from './query-parameters.ts';
import { isLanguageCode } from './url-language.ts';
import { isWord, readUrlList } from './url-list.ts';
import type { UrlRule, UrlVerb } from './url-rules.ts';

/** Reads the JSON value of `crawl.rules`. Throws a UsageError that names the invalid rule. */
export function parseUrlRules(json: unknown): readonly UrlRule[] {
  if (!Array.isArray(json)) throw wrong(`expected a list of rules, got ${shown(json)}`);
  return Object.freeze(json.map((entry, index) => inside(`rule ${index + 1}`, () => readRule(entry, index))));
}

const VERBS: readonly UrlVerb[] = ['index', 'follow', 'ignore'];

/** For each condition whose value is a text, the function that validates and normalises this value. */
const TEXTS = {
  host: readHost,
  domain: readHost,
  suffix: readHost,
  language: readLanguage,
  prefix: readPrefix,
  pattern: readPattern,
  extension: (text) => text.toLowerCase().replace(/^\./, ''),
  word: readWord,
  list: readListName,
} as const satisfies Record<string, (text: string) => string>;

const COUNTS = ['longerThan', 'deeperThan'] as const;
const KEYS: readonly string[] = ['name', 'verb', ...Object.keys(TEXTS), ...COUNTS, 'query'];

function readRule(entry: unknown, index: number): UrlRule {
  const fields = expectFields(entry, KEYS);
  const { name, verb = null, query } = fields;
  if (name !== undefined && (typeof name !== 'string' || name === '')) throw wrong('"name" is a text');
  if (verb !== null && !VERBS.includes(verb as UrlVerb)) {
    throw wrong(`"verb" is one of ${VERBS.join(', ')}, got ${shown(verb)}`);
  }
  if (verb === null && query === undefined) throw wrong('it needs a "verb", or a "query" to change');
  return Object.freeze({
    name: (name as string | undefined) ?? `rule ${index + 1}`,
    verb: verb as UrlVerb | null,
    ...readConditions(fields),
    ...(query === undefined ? {} : { query: inside('query', () => readQuery(query)) }),
  });
}

function readConditions(fields: Record<string, unknown>): Partial<UrlRule> {
  const conditions: Record<string, readonly string[] | number> = {};
  for (const [key, read] of Object.entries(TEXTS)) {
    if (fields[key] !== undefined) conditions[key] = inside(key, () => readTexts(fields[key], read));
  }
  for (const key of COUNTS) {
    if (fields[key] !== undefined) conditions[key] = inside(key, () => expectCount(fields[key]));
  }
  return conditions;
}

function readQuery(value: unknown): QueryHandling {
  const { keep, strip, sort } = expectFields(value, ['keep', 'strip', 'sort']);
  if (sort !== undefined && typeof sort !== 'boolean') throw wrong('"sort" is true or false');
  if (keep !== undefined && strip !== undefined) throw wrong('give "keep" or "strip", not both');
  return Object.freeze({
    ...(keep === undefined ? {} : { keep: readTexts(keep, String, 0) }),
    ...(strip === undefined ? {} : { strip: readTexts(strip, String) }),
    ...(sort === undefined ? {} : { sort }),
  });
}

function readTexts(value: unknown, read: (text: string) => string, least = 1): readonly string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.length < least || !items.every((item) => typeof item === 'string' && item !== '')) {
    throw wrong(`expected a text or a list of texts, got ${shown(value)}`);
  }
  return Object.freeze((items as string[]).map(read));
}

function expectFields(value: unknown, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(`expected an object, got ${shown(value)}`);
  }
  const stranger = Object.keys(value).find((key) => !known.includes(key));
  if (stranger !== undefined) throw wrong(`unknown key "${stranger}"; known are ${known.join(', ')}`);
  return value as Record<string, unknown>;
}

function expectCount(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw wrong(`expected a whole number, got ${shown(value)}`);
}

function readHost(text: string): string {
  const host = readHostName(text);
  if (host === null) throw wrong(`"${text}" is not the name of a host or domain`);
  return host;
}

function readLanguage(text: string): string {
  const code = text.toLowerCase();
  if (code !== '*' && !isLanguageCode(code)) throw wrong(`"${text}" is no language of two letters, nor *`);
  return code;
}

/** Normalises a prefix: a path stays unchanged, and a URL, with or without its scheme, becomes canonical. */
function readPrefix(text: string): string {
  if (text.startsWith('/')) return text;
  const hasScheme = /^https?:\/\//i.test(text);
  const url = canonicalize(hasScheme ? text : `http://${text}`);
  if (url === null) throw wrong(`"${text}" does not begin like a web address or a path`);
  return hasScheme ? url : url.slice('http://'.length);
}

function readPattern(text: string): string {
  compilePattern(text);
  return text;
}

function readWord(text: string): string {
  if (!isWord(text)) throw wrong(`"${text}" is not one word`);
  return text.toLowerCase();
}

function readListName(name: string): string {
  readUrlList(name);
  return name;
}

/** Runs `read`. If `read` throws an error, puts the text `where` before the message of the error. */
function inside<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new UsageError('bad-rule', `${where}: ${messageOf(cause)}`, { cause });
  }
}

function wrong(what: string): UsageError {
  return new UsageError('bad-rule', what);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
