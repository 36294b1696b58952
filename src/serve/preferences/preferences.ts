/**
 * Stores the preferences of a searcher in one signed cookie. There are no accounts, and the server stores
 * nothing.
 *
 *   gyre=l!de~c!dark~n!20~b!spam.example~p!wiki.example.SIGNATURE
 *
 * Each preference is a letter and a value. The encoding uses only characters that need no escapes in a
 * cookie, because browsers limit a cookie to 4096 bytes: room for about 150 sites. The signature
 * (HMAC-SHA256) proves that this server wrote the cookie; a cookie with a wrong signature, for example after
 * the operator changed the secret, is ignored.
 */
import { fastifyCookie as cookie } from '@fastify/cookie';
import { FAMILY_LEVELS, type FamilyLevel } from '../../query/mod.ts';
import type { SiteEffect, SiteRule } from '../../url/mod.ts';
import { problemInWords } from '../errors.ts';
import { messagesOf } from '../messages/mod.ts';

export const SCHEMES = ['system', 'light', 'dark'] as const;
export const PAGE_SIZES = [10, 20, 50] as const;

export interface Preferences {
  /** The language of the UI, one of the available languages; empty for the language of the browser. */
  language: string;
  scheme: (typeof SCHEMES)[number];
  pageSize: number;
  suggestions: boolean;
  /**
   * True if the single-key shortcuts slash, j and k are enabled. Users of speech input need to disable them
   * (WCAG 2.1.4).
   */
  keys: boolean;
  /** The level of the family filter; empty for the default level of the engine. */
  family: FamilyLevel | '';
  rules: readonly SiteRule[];
}

export const NO_PREFERENCES: Preferences = {
  language: '',
  scheme: 'system',
  pageSize: PAGE_SIZES[0],
  suggestions: true,
  keys: true,
  family: '',
  rules: [],
};

const NAME = 'gyre';
const MAX_BYTES = 3900;
const A_YEAR_SECONDS = 365 * 24 * 3600;
const LETTERS: Readonly<Record<SiteEffect, string>> = {
  block: 'b',
  lower: 'd',
  raise: 'u',
  pin: 'p',
  normal: 'o',
};
const EFFECTS = new Map(Object.entries(LETTERS).map(([effect, letter]) => [letter, effect as SiteEffect]));

/** Reads the preferences from the Cookie header of a request. */
export function readPreferences(header: string | undefined, secret: string): Preferences {
  if (!header?.includes(`${NAME}=`)) return NO_PREFERENCES;
  const { valid, value } = cookie.unsign(cookie.parse(header)[NAME] ?? '', secret);
  return valid && value !== null ? decode(value) : NO_PREFERENCES;
}

/** Returns the Set-Cookie header that stores the preferences. */
export function preferencesCookie(preferences: Preferences, secret: string, isSecure: boolean): string {
  const value = cookie.sign(encode(preferences), secret);
  if (encodeURIComponent(value).length > MAX_BYTES) {
    const count = preferences.rules.length;
    throw problemInWords(400, 'too-many-rules', 'detail.tooManyRules', { count });
  }
  return cookie.serialize(NAME, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: A_YEAR_SECONDS,
  });
}

function encode({ language, scheme, pageSize, suggestions, keys, family, rules }: Preferences): string {
  const switches = [`s!${suggestions ? 1 : 0}`, `k!${keys ? 1 : 0}`];
  const filter = family === '' ? [] : [`f!${family}`];
  const parts = [`l!${language}`, `c!${scheme}`, `n!${pageSize}`, ...switches, ...filter];
  return [...parts, ...rules.map(({ site, effect }) => `${LETTERS[effect]}!${site}`)].join('~');
}

/**
 * Decodes the value of the cookie. The signature proves that Gyre wrote the cookie. An older version may have
 * written it, so every value is validated.
 */
function decode(text: string): Preferences {
  const rules: SiteRule[] = [];
  const values = new Map<string, string>();
  for (const part of text.split('~')) {
    const letter = part.slice(0, 1);
    const value = part.slice(2);
    const effect = EFFECTS.get(letter);
    if (effect) rules.push({ site: value, effect });
    else values.set(letter, value);
  }
  const language = values.get('l') ?? '';
  return {
    language: messagesOf(language) ? language : '',
    scheme: SCHEMES.find((scheme) => scheme === values.get('c')) ?? 'system',
    pageSize: PAGE_SIZES.find((size) => size === Number(values.get('n'))) ?? PAGE_SIZES[0],
    suggestions: values.get('s') !== '0',
    keys: values.get('k') !== '0',
    family: FAMILY_LEVELS.find((level) => level === values.get('f')) ?? '',
    rules,
  };
}
