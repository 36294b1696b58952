/**
 * Converts dates and durations of records to one form. Unlike `metadata/dates.ts`, which dates pages, this accepts
 * every year, because people were born before the web.
 *
 *   2 March 2026, 02.03.2026      2026-03-02
 *   2026-03-02T20:00              2026-03-02T20:00:00, the local time of the place, because no zone is stated
 *   2026-03-02T20:00+01:00        2026-03-02T19:00:00Z
 */
import { parseDate } from '../metadata/mod.ts';

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTH_OR_YEAR = /^\d{4}(?:-(?:0[1-9]|1[0-2]))?$/;
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;
const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;

/** Returns the date in ISO 8601; null if the text is not a date, or one that can be read in two ways. */
export function normalDate(raw: string): string | null {
  const text = raw.trim();
  if (MONTH_OR_YEAR.test(text)) return text;
  if (DAY.test(text)) return existingDay(text);
  const dotted = DOTTED.exec(text);
  if (dotted)
    return existingDay(`${dotted[3]}-${dotted[2]!.padStart(2, '0')}-${dotted[1]!.padStart(2, '0')}`);
  const moment = MOMENT.exec(text);
  return moment ? normalMoment(moment) : wordedDate(text);
}

/** Returns the day, if the calendar has it: the 30th of February does not exist. */
function existingDay(day: string): string | null {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : null;
}

function normalMoment([, day, hour, minute, second = '00', zone]: RegExpExecArray): string | null {
  if (existingDay(day!) === null) return null;
  const local = `${day}T${hour}:${minute}:${second}`;
  const digits = zone?.replace(':', '').toUpperCase() ?? 'Z';
  const offset = digits === 'Z' ? 'Z' : `${digits.slice(0, 3)}:${digits.slice(3).padEnd(2, '0')}`;
  const time = Date.parse(local + offset);
  if (Number.isNaN(time)) return null;
  return zone === undefined ? local : withoutMilliseconds(time);
}

function wordedDate(text: string): string | null {
  const time = parseDate(text);
  if (time === null) return null;
  return /\d:\d{2}/.test(text) ? withoutMilliseconds(time) : new Date(time).toISOString().slice(0, 10);
}

function withoutMilliseconds(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Returns the minutes of a duration such as `PT1H30M`; null if the text is none. */
export function minutesOf(raw: string): number | null {
  const match = DURATION.exec(raw.trim());
  if (!match || !/\d/.test(raw)) return null;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return days! * 1440 + hours! * 60 + minutes! + Math.round(seconds! / 60);
}
