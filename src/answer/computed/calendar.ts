/**
 * Calculates with calendar days. A day is represented by its midnight in UTC, where every day has 24 hours.
 */
import { DAY_MS } from '../../base/mod.ts';

type CalendarUnit = 'day' | 'week' | 'month' | 'year';

/** Returns the day that contains a point in time. */
export function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

/**
 * Returns the day that is `count` days, weeks, months or years after a date. If the resulting month is too
 * short, its last day is used. Returns NaN outside the range of `Date`.
 */
export function shift(date: number, count: number, unit: CalendarUnit): number {
  if (unit === 'day' || unit === 'week')
    return new Date(date + count * DAY_MS * (unit === 'week' ? 7 : 1)).getTime();
  const from = new Date(date);
  const month = from.getUTCMonth() + count * (unit === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay));
}

/**
 * Returns the time from one day to another as several numbers: the number of whole units, then the rest in
 * smaller units. All numbers are negative if `to` is earlier.
 */
export function spanBetween(
  from: number,
  to: number,
  unit: CalendarUnit,
): [count: number, unit: CalendarUnit][] {
  if (from > to) return spanBetween(to, from, unit).map(([count, each]) => [0 - count, each]);
  const days = Math.round((to - from) / DAY_MS);
  if (unit === 'day') return [[days, 'day']];
  if (unit === 'week')
    return [
      [Math.floor(days / 7), 'week'],
      [days % 7, 'day'],
    ];
  const months = wholeMonths(from, to);
  const rest: [number, CalendarUnit] = [Math.round((to - shift(from, months, 'month')) / DAY_MS), 'day'];
  if (unit === 'month') return [[months, 'month'], rest];
  return [[Math.floor(months / 12), 'year'], [months % 12, 'month'], rest];
}

/**
 * Returns the ISO 8601 week of a day. Weeks begin on Monday and belong to the year that contains their
 * Thursday.
 */
export function weekOf(date: number): { number: number; monday: number } {
  const weekday = (new Date(date).getUTCDay() + 6) % 7;
  const monday = date - weekday * DAY_MS;
  const thursday = monday + 3 * DAY_MS;
  const firstDay = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
  return { number: Math.floor((thursday - firstDay) / (7 * DAY_MS)) + 1, monday };
}

function wholeMonths(from: number, to: number): number {
  const [a, b] = [new Date(from), new Date(to)];
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
  return shift(from, months, 'month') > to ? months - 1 : months;
}
