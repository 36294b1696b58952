/**
 * Finds the phrases of a text that are different at every visit although nothing has changed:
 *
 *   Tuesday, 5 November 2024    2024-11-05T10:00Z    05.11.2024    2024年11月5日
 *   14:33 UTC                   3 hours ago          vor 3 Stunden
 *   1,204 views
 *
 * Names of months and days and the phrases of ages are those of the language of the page, from ICU, and English ones.
 * Counts are recognized in English only. A number alone may be a price, so it is no such phrase.
 */
import { BoundedCache } from '../base/mod.ts';

const MAX_LANGUAGES = 64;
const cache = BoundedCache.ofEntries<string, RegExp>(MAX_LANGUAGES);

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
/** Numbers with different plural forms, in all languages that have some. */
const PLURALS = [1, 2, 3, 5, 11, 21];
const COUNTED =
  'views?|visits?|visitors?|hits?|reads?|clicks?|downloads?|likes?|shares?|followers?|applicants?|users? online|guests? online';

/** A letter of a script that separates words by spaces. */
const WORD_LETTER = '[^\\P{L}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]';
const YEAR = '(?:19|20)\\d\\d';
const MONTH_NUMBER = '(?:0?[1-9]|1[0-2])';
const DAY_NUMBER = '(?:0?[1-9]|[12]\\d|3[01])';
const DAY = `${DAY_NUMBER}(?:st|nd|rd|th|\\.|º|er)?`;
const CLOCK =
  '(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.,]\\d+)?)?(?:\\s?[ap]\\.?m\\b\\.?)?(?:\\s?(?:utc|gmt|z|cest|cet|[ecmp][sd]t|[+-]\\d\\d:?\\d\\d)\\b)?';
const NUMERIC_DATES = [
  `${YEAR}([-/.])${MONTH_NUMBER}\\1${DAY_NUMBER}(?:t(?=\\d))?`,
  `${DAY_NUMBER}([-/.])${DAY_NUMBER}\\2${YEAR}`,
  `${YEAR}\\s?[年년]\\s?${MONTH_NUMBER}\\s?[月월]\\s?${DAY_NUMBER}\\s?[日일]`,
];

/** Returns an expression that finds all such phrases in a text of this language. */
export function passingPhrases(language: string): RegExp {
  const code = language.split('-', 1)[0]!;
  const known = cache.get(code);
  if (known) return known;
  const found = expressionFor(isLanguage(code) ? [code, 'en'] : ['en']);
  cache.set(code, found);
  return found;
}

function isLanguage(code: string): boolean {
  return /^[a-z]{2,3}$/.test(code) && Intl.DateTimeFormat.supportedLocalesOf(code).length > 0;
}

function expressionFor(languages: readonly string[]): RegExp {
  const month = alternatives(languages.flatMap(monthNames));
  const weekday = `(?:${alternatives(languages.flatMap(weekdayNames))}\\.?,?\\s+)?`;
  const ages = languages.flatMap(agePhrases);
  const worded = [
    `${DAY}(?:\\s(?:de|of))?[\\s-]${month}\\.?(?:,?(?:\\sde)?[\\s-]${YEAR})?`,
    `${month}\\.?\\s${DAY}(?:,?\\s${YEAR})?`,
  ];
  const dates = [...NUMERIC_DATES, ...worded].join('|');
  const times = `${weekday}(?:(?:${dates})(?:,?\\s*(?:at\\s)?${CLOCK})?|${CLOCK})`;
  const counts = `\\d[\\d.,]*\\s?[km]?\\s(?:${COUNTED})`;
  const all = [times, ...ages, counts].join('|');
  return new RegExp(`(?<![\\d.,]|${WORD_LETTER})(?:${all})(?!\\d|${WORD_LETTER})`, 'giu');
}

/** Leaves out the months of languages that count them instead of naming them: NUMERIC_DATES has these. */
function alternatives(names: readonly string[]): string {
  const words = [...new Set(names)].filter((name) => name !== '' && !/\d/.test(name));
  const longestFirst = words.sort((a, b) => b.length - a.length);
  return `(?:${longestFirst.map((name) => escaped(name)).join('|')})`;
}

/** Returns the names of the months as they are written in a date, without the dots of short names. */
function monthNames(language: string): string[] {
  return (['long', 'short'] as const).flatMap((month) => {
    const format = new Intl.DateTimeFormat(language, { day: 'numeric', month, timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, at) => partOf(format, Date.UTC(2024, at, 5), 'month'));
  });
}

function weekdayNames(language: string): string[] {
  return (['long', 'short'] as const).flatMap((weekday) => {
    const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' });
    return Array.from({ length: 7 }, (_, at) => partOf(format, Date.UTC(2024, 0, 1 + at), 'weekday'));
  });
}

function partOf(format: Intl.DateTimeFormat, time: number, type: 'month' | 'weekday'): string {
  const part = format.formatToParts(time).find((each) => each.type === type);
  return part!.value.toLowerCase().replace(/\.$/, '');
}

/** Returns expressions for the ages in a language that are written with a number, such as `\d+ days ago`. */
function agePhrases(language: string): string[] {
  const phrases = (['long', 'short'] as const).flatMap((style) => {
    const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, {
      style,
      numeric: 'always',
    });
    return UNITS.flatMap((unit) =>
      PLURALS.map((count) => {
        const parts = format.formatToParts(-count, unit);
        if (parts.every(({ type }) => type === 'literal')) return null;
        return parts.map(({ type, value }) => (type === 'literal' ? escaped(value) : '\\d+')).join('');
      }),
    );
  });
  return [...new Set(phrases)].filter((phrase) => phrase !== null);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
