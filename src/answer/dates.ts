/**
 * Dates and time zones.
 *
 *   time in Tokyo                     9:30 Berlin in New York
 *   days until 2027-01-01             days between 2024-02-28 and 2024-03-01
 *   2024-02-28 + 2 weeks              what day is 2000-01-01
 *
 * Dates are written year first, or with the name of the month: 3/4 is a day in March for some and in April for
 * others. They are reckoned in UTC, where every day has 24 hours.
 */
import { type Answer, type AnswerBox, type AnswerContext, computed } from './answer-box.ts';
import { findZone, momentIn, zoneOffsetMs } from './time-zones.ts';

const DAY_MS = 86_400_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

type Reader = (query: string, context: AnswerContext) => Answer | null;

export const dates: AnswerBox = {
  name: 'dates',
  cacheMs: 0,
  matches: (query, context) => read(query, context) !== null,
  answer: (query, context) => read(query, context),
};

const READERS: readonly Reader[] = [
  timeInPlace,
  timeElsewhere,
  daysBetween,
  daysUntil,
  shiftedDate,
  dayOfWeek,
];

function read(query: string, context: AnswerContext): Answer | null {
  const text = query.trim().replace(/\s*\?$/, '');
  for (const reader of READERS) {
    const answer = reader(text, context);
    if (answer) return answer;
  }
  return null;
}

function timeInPlace(query: string, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const pattern =
    /^(?:what(?:'s| is) the )?(?:current |local )?time (?:now )?(?:in|at) (.+)$|^(.+) time(?: now)?$/i;
  const found = pattern.exec(query);
  const zone = found && findZone(found[1] ?? found[2]!);
  if (!zone) return null;
  const text = `${words.day(now, zone)}, ${zoneName(zone, now)}`;
  return computed('time', words.time(now, zone), text, context);
}

/** `9:30 Berlin in New York`, of today there. */
function timeElsewhere(query: string, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const found = /^(\d{1,2})(?::(\d{2}))?\s*(am|pm)?\s+(?:in\s+)?(.+?)\s+(?:in|to)\s+(.+)$/i.exec(query);
  if (!found) return null;
  const [, hourText, minuteText = '0', half, fromName, toName] = found;
  const from = findZone(fromName!);
  const to = findZone(toName!);
  const minute = Number(minuteText);
  const hour = half ? (Number(hourText) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hourText);
  if (!from || !to || hour > 23 || minute > 59) return null;
  const today = Math.floor((now + zoneOffsetMs(from, now)) / DAY_MS) * DAY_MS;
  const moment = momentIn(from, today + (hour * 60 + minute) * 60_000);
  const here = `${words.time(moment, from)}, ${zoneName(from, moment)}`;
  const there = `${words.day(moment, to)}, ${zoneName(to, moment)}`;
  return computed('time', words.time(moment, to), `${here} = ${there}`, context);
}

function daysBetween(query: string, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const found = /^(?:how many )?days (?:between|from) (.+?) (?:and|to|until) (.+)$/i.exec(query);
  if (!found) return null;
  const first = parseDate(found[1]!, now);
  const last = parseDate(found[2]!, now);
  if (first === null || last === null) return null;
  const text = words.text('days.between', { first: words.day(first), last: words.day(last) });
  return computed('time', words.days(wholeDays(last - first)), text, context);
}

function daysUntil(query: string, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const found = /^(?:how many )?days (until|till|to|since) (.+)$/i.exec(query);
  const date = found && parseDate(found[2]!, now);
  if (!found || date === null) return null;
  const today = parseDate('today', now)!;
  const isSince = found[1]!.toLowerCase() === 'since';
  const count = wholeDays(isSince ? today - date : date - today);
  const text = words.text(isSince ? 'days.since' : 'days.until', { date: words.day(date) });
  return computed('time', words.days(count), text, context);
}

function shiftedDate(query: string, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const found = /^(.+?)\s*([-+−])\s*(\d{1,6})\s*(day|week|month|year)s?$/i.exec(query);
  const date = found && parseDate(found[1]!, now);
  if (!found || date === null) return null;
  const count = Number(found[3]) * (found[2] === '+' ? 1 : -1);
  const shifted = shift(date, count, found[4]!.toLowerCase());
  return Number.isNaN(shifted) ? null : computed('time', words.day(shifted), `${query} =`, context);
}

function dayOfWeek(query: string, context: AnswerContext): Answer | null {
  const found =
    /^(?:what|which) (?:day|weekday) (?:is|was) (.+)$|^(?:what(?:'s| is) the )?(?:date )?(today|tomorrow|yesterday)(?:'s date)?$/i.exec(
      query,
    );
  const date = found && parseDate(found[1] ?? found[2]!, context.now);
  return date === null ? null : computed('time', context.words.day(date), '', context);
}

/** The last day of a shorter month stands for those it does not have. */
function shift(date: number, count: number, unit: string): number {
  if (unit === 'day' || unit === 'week')
    return new Date(date + count * DAY_MS * (unit === 'week' ? 7 : 1)).getTime();
  const from = new Date(date);
  const month = from.getUTCMonth() + count * (unit === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay));
}

/** `2024-02-29`, `29 February 2024`, `Feb 29, 2024`, `today`; null for a day that no calendar has. */
function parseDate(text: string, now: number): number | null {
  const folded = text.trim().toLowerCase();
  const relative = { yesterday: -1, today: 0, tomorrow: 1 }[folded];
  if (relative !== undefined) return Math.floor(now / DAY_MS + relative) * DAY_MS;
  const written =
    /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/.exec(folded) ??
    /^(?<day>\d{1,2})\.? (?<name>[a-z]{3,9}),? (?<year>\d{4})$/.exec(folded) ??
    /^(?<name>[a-z]{3,9}) (?<day>\d{1,2}),? (?<year>\d{4})$/.exec(folded);
  if (!written) return null;
  const { year, month, day, name } = written.groups as Record<string, string | undefined>;
  const monthIndex = name === undefined ? Number(month) - 1 : MONTHS.indexOf(name.slice(0, 3));
  const date = new Date(0);
  date.setUTCFullYear(Number(year), monthIndex, Number(day));
  return date.getUTCMonth() === monthIndex && date.getUTCDate() === Number(day) ? date.getTime() : null;
}

function wholeDays(milliseconds: number): number {
  return Math.round(milliseconds / DAY_MS);
}

/** `Tokyo (UTC+9)`. */
function zoneName(zone: string, at: number): string {
  const minutes = zoneOffsetMs(zone, at) / 60_000;
  const city = zone.split('/').at(-1)!.replaceAll('_', ' ');
  if (minutes === 0) return city === 'UTC' ? city : `${city} (UTC)`;
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = minute === 0 ? String(hour) : `${hour}:${String(minute).padStart(2, '0')}`;
  return `${city} (UTC${minutes < 0 ? '−' : '+'}${offset})`;
}
