/** A row of the table of cities: a time zone, and the names of its city in German, French and Arabic. */

import { DAY_MS } from '../../base/mod.ts';
import { folded } from '../asking/mod.ts';
import { plainQuestion, wordAmong } from '../questions/mod.ts';
import { startOfDay } from './calendar.ts';
import { findHoliday, holidayIn } from './holidays.ts';

/** Large cities and regions after which no time zone is named, each with its time zone. */
export type Direction = 'ahead' | 'behind';

/**
 * The locales from which the names of months and weekdays are taken: the languages of questions, and regional
 * variants with other names.
 */
const LOCALES = ['en', 'de', 'de-AT', 'fr', 'ar', 'ar-SY'];
const MIN_NAME = 3;
const RELATIVE = { yesterday: -1, today: 0, tomorrow: 1 } as const;
/** A Sunday in a leap year, from which the names of weekdays are generated. */
const SUNDAY = Date.UTC(2024, 0, 7);

type Named = readonly (readonly [name: string, number: number])[];

const MONTHS = namesOf('month', 12, (month) => Date.UTC(2024, month, 15));
const WEEKDAYS = namesOf('weekday', 7, (weekday) => SUNDAY + weekday * DAY_MS);

const NAME = String.raw`(?<name>\p{L}[\p{L}\p{M} ]{1,15}?)\.?`;
const FORMS = [
  String.raw`(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})`,
  String.raw`(?<day>\d{1,2})\. ?(?<month>\d{1,2})\.(?: ?(?<year>\d{4}))?`,
  String.raw`(?:the )?(?<day>\d{1,2})(?:\.|er|st|nd|rd|th)? ?(?:of |de )?${NAME}(?:,? (?<year>\d{4}))?`,
  String.raw`${NAME} (?<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\d{4}))?`,
].map((form) => new RegExp(`^${form}$`, 'u'));

/** Parses a date. Returns midnight of the day in UTC; null if the text is not a valid date. */
export function parseWrittenDate(text: string, now: number, direction: Direction = 'ahead'): number | null {
  const today = startOfDay(now);
  const written = plainQuestion(text).toLowerCase();
  const relative = wordAmong(written, ['yesterday', 'today', 'tomorrow']);
  if (relative) return today + RELATIVE[relative] * DAY_MS;
  return (
    holidayOf(written, today, direction) ??
    weekdayOf(written, today, direction) ??
    dayOf(written, today, direction)
  );
}

/** Returns the number of a month by its name, from 0 for January; null if it is not a month. */
export function parseMonth(name: string): number | null {
  const month = numberOf(MONTHS, name);
  return month < 0 ? null : month;
}

function dayOf(written: string, today: number, direction: Direction): number | null {
  const found = FORMS.map((form) => form.exec(written)).find((each) => each !== null);
  if (!found) return null;
  const { year, month, day, name } = found.groups as Record<string, string | undefined>;
  const monthIndex = name === undefined ? Number(month) - 1 : numberOf(MONTHS, name);
  const inYear = (each: number) => calendarDay(each, monthIndex, Number(day));
  return year === undefined ? nearest(inYear, today, direction) : inYear(Number(year));
}

/**
 * Parses the name of a holiday with an optional year, such as `christmas` or `christmas 2027`. Without a year,
 * returns the next or the last one, by `direction`.
 */
function holidayOf(written: string, today: number, direction: Direction): number | null {
  const [, name = written, year] = /^(.+) (\d{4})$/.exec(written) ?? [];
  const holiday = findHoliday(name);
  if (!holiday) return null;
  return year === undefined
    ? nearest((each) => holidayIn(holiday, each), today, direction)
    : holidayIn(holiday, Number(year));
}

function weekdayOf(written: string, today: number, direction: Direction): number | null {
  const weekday = WEEKDAYS.find(([name]) => name === folded(written))?.[1];
  if (weekday === undefined) return null;
  const days = (weekday - new Date(today).getUTCDay() + 7) % 7;
  return direction === 'ahead' ? today + (days || 7) * DAY_MS : today - ((7 - days) % 7 || 7) * DAY_MS;
}

/** Finds the nearest date in the given direction. Tries the previous, the current and the next year. */
function nearest(
  inYear: (year: number) => number | null,
  today: number,
  direction: Direction,
): number | null {
  const thisYear = new Date(today).getUTCFullYear();
  const days = [-1, 0, 1].map((years) => inYear(thisYear + years)).filter((day) => day !== null);
  return (
    (direction === 'ahead' ? days.find((day) => day >= today) : days.findLast((day) => day <= today)) ?? null
  );
}

function calendarDay(year: number, monthIndex: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, monthIndex, day);
  return date.getUTCMonth() === monthIndex && date.getUTCDate() === day ? date.getTime() : null;
}

/**
 * Returns the number of the month or weekday that a name means. The name may be shortened to an unambiguous
 * prefix. Returns −1 if no name matches.
 */
function numberOf(names: Named, name: string): number {
  const wanted = folded(name);
  if (wanted.length < MIN_NAME) return -1;
  const numbers = new Set(names.filter(([each]) => each.startsWith(wanted)).map(([, number]) => number));
  const whole = names.find(([each]) => each === wanted);
  return whole ? whole[1] : numbers.size === 1 ? [...numbers][0]! : -1;
}

function namesOf(part: 'month' | 'weekday', count: number, moment: (number: number) => number): Named {
  return LOCALES.flatMap((locale) => {
    const format = new Intl.DateTimeFormat(locale, { [part]: 'long', timeZone: 'UTC' });
    return Array.from(
      { length: count },
      (_, number) => [folded(format.format(moment(number))), number] as const,
    );
  });
}
