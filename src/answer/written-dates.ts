/**
 * Dates as they are written: `2024-02-29`, `29 February 2024`, `Feb 29, 2024`, `29. Februar 2024`, `29.2.2024`, `today`.
 * With slashes they are left alone: 3/4 is a day in March for some and in April for others.
 */
import { folded } from './names.ts';
import { plainQuestion, wordAmong } from './questions/questions.ts';

export const DAY_MS = 86_400_000;

/** What months are called: in the languages of questions, and as some countries call them otherwise. */
const LOCALES = ['en', 'de', 'de-AT', 'fr', 'ar', 'ar-SY'];
const MIN_NAME = 3;
const RELATIVE = { yesterday: -1, today: 0, tomorrow: 1 } as const;

const MONTHS: readonly (readonly [name: string, month: number])[] = LOCALES.flatMap((locale) => {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month): [string, number] => [
    folded(format.format(Date.UTC(2024, month, 15))),
    month,
  ]);
});

/** Midnight of the day, in UTC; null for a day that no calendar has. */
export function parseDate(text: string, now: number): number | null {
  const relative = wordAmong(text, ['yesterday', 'today', 'tomorrow']);
  if (relative) return Math.floor(now / DAY_MS + RELATIVE[relative]) * DAY_MS;
  const written = plainQuestion(text).toLowerCase();
  const found =
    /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/.exec(written) ??
    /^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})$/.exec(written) ??
    /^(?<day>\d{1,2})(?:\.|er|st|nd|rd|th)? (?:of |de )?(?<name>\p{L}[\p{L}\p{M} ]{2,15})\.?,? (?<year>\d{4})$/u.exec(
      written,
    ) ??
    /^(?<name>\p{L}[\p{L}\p{M}]{2,15})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/u.exec(written);
  if (!found) return null;
  const { year, month, day, name } = found.groups as Record<string, string | undefined>;
  const monthIndex = name === undefined ? Number(month) - 1 : monthOf(name);
  const date = new Date(0);
  date.setUTCFullYear(Number(year), monthIndex, Number(day));
  return date.getUTCMonth() === monthIndex && date.getUTCDate() === Number(day) ? date.getTime() : null;
}

/** By its whole name or a beginning that only one month has; −1 for others. */
function monthOf(name: string): number {
  const wanted = folded(name);
  if (wanted.length < MIN_NAME) return -1;
  const months = new Set(MONTHS.filter(([each]) => each.startsWith(wanted)).map(([, month]) => month));
  const whole = MONTHS.find(([each]) => each === wanted);
  return whole ? whole[1] : months.size === 1 ? [...months][0]! : -1;
}
