/**
 * The types of settings, such as durations and sizes: the values that each type accepts in a file, in the environment
 * or as a flag, and how they are parsed.
 */
import { parseDuration, parseSize, UsageError } from '../../base/mod.ts';
import {
  type OtherEngine,
  parseHostAccess,
  parseOtherEngine,
  parseSiteRule,
  parseUrlRules,
  type SiteRule,
  type UrlRule,
} from '../../url/mod.ts';
import { AUTO } from './memory-shares.ts';

export type ValueUnit = '' | 'Ms' | 'Bytes';

/**
 * A type of setting. `parse` receives text from a flag or the environment, or the JSON value from the configuration
 * file.
 */
export interface Kind<Parsed, Unit extends ValueUnit = ''> {
  name: string;
  /** True if the configuration file has a number, not a text, as the value. */
  isNumber?: boolean;
  /** The unit of the parsed value, appended to the name of the field: `delayMs` for the setting `delay`. */
  unit?: Unit;
  parse(value: unknown): Parsed;
}

export const text: Kind<string> = { name: 'text', parse: (value) => expectText(value, 'text in quotes') };
export const secret: Kind<string> = { name: 'text', parse: parseSecret };
/** A token that clients send: as it is, or its digest. */
export const token: Kind<string> = { name: 'token', parse: parseToken };
export const tokens: Kind<readonly string[]> = { name: 'list of tokens', parse: parseTokens };
export const contact: Kind<string> = { name: 'contact', parse: parseContact };
export const size: Kind<number, 'Bytes'> = {
  name: 'size',
  unit: 'Bytes',
  parse: (value) => parseSize(expectText(value, 'a size such as "64Mi"')),
};
/**
 * A type of setting: a size in bytes. If the operator does not set it, it is computed from the memory limit.
 */
export const derivedSize: Kind<number, 'Bytes'> = {
  ...size,
  parse: (value) => (value === 'auto' ? AUTO : size.parse(value)),
};
export const duration: Kind<number, 'Ms'> = {
  name: 'time',
  unit: 'Ms',
  parse: (value) => parseDuration(expectText(value, 'a time such as "10s"')),
};
export const service: Kind<string> = { name: 'URL', parse: parseService };
export const list: Kind<readonly string[]> = { name: 'list', parse: parseList };
export const map: Kind<Readonly<Record<string, string>>> = { name: 'map', parse: parseMap };
export const rules: Kind<readonly UrlRule[]> = {
  name: 'rules',
  parse: (value) => parseUrlRules(typeof value === 'string' ? parseJson(value) : value),
};
/**
 * Credentials for hosts. The value is validated here but kept as written, because the parsed form cannot be sent to a
 * thread.
 */
export const access: Kind<Readonly<Record<string, unknown>>> = {
  name: 'access',
  parse(value) {
    const written = typeof value === 'string' ? parseJson(value) : value;
    parseHostAccess(written);
    return written as Record<string, unknown>;
  },
};
export const proxy: Kind<string> = { name: 'proxy', parse: parseProxy };
export const siteRules: Kind<readonly SiteRule[]> = { name: 'site rules', parse: parseRules };
export const otherEngines: Kind<readonly OtherEngine[]> = { name: 'search engines', parse: parseEngines };
export const mapOfLists: Kind<Readonly<Record<string, readonly string[]>>> = {
  name: 'map of lists',
  parse: parseMapOfLists,
};

export const mapOfDurations: Kind<Readonly<Record<string, number>>, 'Ms'> = {
  name: 'map of times',
  unit: 'Ms',
  parse: (value) =>
    Object.freeze(
      Object.fromEntries(
        Object.entries(parseMap(value)).map(([name, written]) => [name, parseDuration(written)]),
      ),
    ),
};

function expectText(value: unknown, wanted: string): string {
  if (typeof value === 'string') return value;
  throw new UsageError('bad-setting', `expected ${wanted}, got ${JSON.stringify(value)}`);
}

/** Accepts a web or mail address; `me@example.org` means `mailto:me@example.org`. */
function parseContact(value: unknown): string {
  const written = expectText(value, 'a URL or mail address in quotes').trim();
  if (written === '' || /^(?:https?:\/\/|mailto:)[\x21-\x7e]+$/i.test(written)) return written;
  if (/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(written)) return `mailto:${written}`;
  throw new UsageError('bad-setting', `expected a URL or mail address, got ${JSON.stringify(value)}`);
}

/** Parses a secret. Error messages do not repeat it. */
function parseSecret(value: unknown): string {
  if (typeof value === 'string' && (value === '' || /^[\x21-\x7e]{8,}$/.test(value))) return value;
  throw new UsageError('bad-setting', 'expected a token of at least 8 characters without blanks');
}

/** Parses a token or its digest. Error messages do not repeat the token. */
function parseToken(value: unknown): string {
  const written = parseSecret(value);
  if (!/^sha256:/i.test(written) || /^sha256:[\da-f]{64}$/.test(written)) return written;
  throw new UsageError(
    'bad-setting',
    'expected "sha256:" and 64 hexadecimal digits in lower case, which sha256sum prints, or the token itself',
  );
}

function parseTokens(value: unknown): readonly string[] {
  const isList =
    typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
  if (!isList) throw new UsageError('bad-setting', 'expected a list of tokens, each in quotes');
  return Object.freeze(parseList(value).map(parseToken));
}

/** Parses the URL of a proxy. Error messages do not repeat the URL, which may contain a password. */
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

export function number(low: number, high: number): Kind<number> {
  return { name: 'number', isNumber: true, parse: (value) => expectNumber(value, low, high, false) };
}

export function count(low: number, high: number): Kind<number> {
  return { name: 'whole number', isNumber: true, parse: (value) => expectNumber(value, low, high, true) };
}

/**
 * A type of setting: a count between `low` and `high`. If the operator does not set it, it is computed from the
 * memory limit.
 */
export function derivedCount(low: number, high: number): Kind<number> {
  const { parse } = count(low, high);
  return { name: 'whole number', parse: (value) => (value === 'auto' ? AUTO : parse(value)) };
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

export function oneOf<const Choice extends string>(...choices: Choice[]): Kind<Choice> {
  return {
    name: choices.join(' | '),
    parse(value) {
      if (choices.includes(value as Choice)) return value as Choice;
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

function parseEngines(value: unknown): readonly OtherEngine[] {
  return parseList(value).map((line) => {
    const engine = parseOtherEngine(line);
    if (engine) return engine;
    throw new UsageError(
      'bad-setting',
      `expected a bang, a name and a URL, such as "w Wikipedia https://en.wikipedia.org/w/index.php?search={query}", got ${JSON.stringify(line)}`,
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
