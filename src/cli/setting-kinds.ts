/** The kinds of settings: what each accepts, in a file, in the environment or as a flag, and what it becomes. */
import { parseDuration, parseSize, UsageError } from '../base/mod.ts';
import { parseHostAccess } from '../crawl/mod.ts';
import { parseSiteRule, type SiteRule } from '../query/mod.ts';
import { parseUrlRules } from '../url/mod.ts';

/** What a setting accepts; `parse` gets text from a flag or the environment, or the JSON value of the file. */
export interface Kind {
  name: string;
  /** In the file it is a number, not text. */
  isNumber?: boolean;
  parse(value: unknown): unknown;
}

export const text: Kind = { name: 'text', parse: (value) => expectText(value, 'text in quotes') };
export const secret: Kind = { name: 'text', parse: parseToken };
export const contact: Kind = { name: 'contact', parse: parseContact };
export const size: Kind = {
  name: 'size',
  parse: (value) => parseSize(expectText(value, 'a size such as "64Mi"')),
};
export const duration: Kind = {
  name: 'time',
  parse: (value) => parseDuration(expectText(value, 'a time such as "10s"')),
};
export const service: Kind = { name: 'URL', parse: parseService };
export const list: Kind = { name: 'list', parse: parseList };
export const map: Kind = { name: 'map', parse: parseMap };
export const rules: Kind = {
  name: 'rules',
  parse: (value) => parseUrlRules(typeof value === 'string' ? parseJson(value) : value),
};
/** Checked here, and kept as it was written: what it becomes cannot be handed to a thread. */
export const access: Kind = {
  name: 'access',
  parse(value) {
    const written = typeof value === 'string' ? parseJson(value) : value;
    parseHostAccess(written);
    return written;
  },
};
export const proxy: Kind = { name: 'proxy', parse: parseProxy };
export const siteRules: Kind = { name: 'site rules', parse: parseRules };
export const mapOfLists: Kind = { name: 'map of lists', parse: parseMapOfLists };

function expectText(value: unknown, wanted: string): string {
  if (typeof value === 'string') return value;
  throw new UsageError('bad-setting', `expected ${wanted}, got ${JSON.stringify(value)}`);
}

/** A web or mail address; `me@example.org` is taken for `mailto:me@example.org`. */
function parseContact(value: unknown): string {
  const written = expectText(value, 'a URL or mail address in quotes').trim();
  if (written === '' || /^(?:https?:\/\/|mailto:)[\x21-\x7e]+$/i.test(written)) return written;
  if (/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(written)) return `mailto:${written}`;
  throw new UsageError('bad-setting', `expected a URL or mail address, got ${JSON.stringify(value)}`);
}

/** Not repeated when it is wrong. */
function parseToken(value: unknown): string {
  if (typeof value === 'string' && (value === '' || /^[\x21-\x7e]{8,}$/.test(value))) return value;
  throw new UsageError(
    'bad-setting',
    'expected a token of at least 8 letters, digits or signs, without blanks',
  );
}

/** Not repeated when it is wrong: it may hold a password. */
function parseProxy(value: unknown): string {
  const written = expectText(value, 'the address of a proxy in quotes').trim();
  if (written === '' || (URL.canParse(written) && /^(?:https?|socks5):\/\/./i.test(written))) return written;
  throw new UsageError('bad-setting', 'expected a proxy such as http://proxy.example:3128');
}

function parseService(value: unknown): string {
  const written = expectText(value, 'a URL in quotes').trim();
  if (written === '' || (/^https?:\/\//i.test(written) && URL.canParse(written))) return written;
  throw new UsageError(
    'bad-setting',
    `expected a URL that starts with https://, got ${JSON.stringify(value)}`,
  );
}

export function number(low: number, high: number): Kind {
  return { name: 'number', isNumber: true, parse: (value) => expectNumber(value, low, high, false) };
}

export function count(low: number, high: number): Kind {
  return { name: 'whole number', isNumber: true, parse: (value) => expectNumber(value, low, high, true) };
}

function expectNumber(value: unknown, low: number, high: number, whole: boolean): number {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const fits =
    typeof parsed === 'number' && parsed >= low && parsed <= high && (!whole || Number.isInteger(parsed));
  if (fits) return parsed;
  const range = high >= Number.MAX_SAFE_INTEGER ? `of at least ${low}` : `from ${low} to ${high}`;
  throw new UsageError(
    'bad-setting',
    `expected a ${whole ? 'whole ' : ''}number ${range}, got ${JSON.stringify(value)}`,
  );
}

export function oneOf(...choices: string[]): Kind {
  return {
    name: choices.join(' | '),
    parse(value) {
      if (choices.includes(value as string)) return value;
      throw new UsageError('bad-setting', `expected ${choices.join(', ')}, got ${JSON.stringify(value)}`);
    },
  };
}

function parseList(value: unknown): readonly string[] {
  const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value;
  if (Array.isArray(items) && items.every((item) => typeof item === 'string')) {
    return Object.freeze(items.filter((item) => item !== ''));
  }
  throw new UsageError('bad-setting', `expected a list of texts, got ${JSON.stringify(value)}`);
}

function parseRules(value: unknown): readonly SiteRule[] {
  return parseList(value).map((line) => {
    const rule = parseSiteRule(line);
    if (rule) return rule;
    throw new UsageError(
      'bad-setting',
      `expected block, lower, raise, pin or normal and a site, such as "block spam.example", got ${JSON.stringify(line)}`,
    );
  });
}

function parseMap(value: unknown): Readonly<Record<string, string>> {
  const parsed: unknown = typeof value === 'string' ? parseJson(value) : value;
  const isMap = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  if (isMap && Object.values(parsed).every((item) => typeof item === 'string')) {
    return Object.freeze(parsed as Record<string, string>);
  }
  throw new UsageError(
    'bad-setting',
    `expected a map of texts such as {"*.test": "127.0.0.1"}, got ${JSON.stringify(value)}`,
  );
}

function parseMapOfLists(value: unknown): Readonly<Record<string, readonly string[]>> {
  const parsed: unknown = typeof value === 'string' ? parseJson(value) : value;
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return Object.freeze(
      Object.fromEntries(Object.entries(parsed).map(([name, list]) => [name, parseList(list)])),
    );
  }
  throw new UsageError(
    'bad-setting',
    `expected a map of lists such as {"wiki": ["*.example.org"]}, got ${JSON.stringify(value)}`,
  );
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
