/**
 * Finds URLs that end in a date: `/events/2024/05`, `/2024-05-17`, `?year=2024&month=5`. A date with more
 * path after it is the URL of an article and does not count.
 */
import type { Parameter, UrlShape } from './url-shape.ts';

export interface CalendarDate {
  /** The URL with stars in place of the date, which identifies the calendar. */
  calendar: string;
  unit: 'month' | 'day';
  /**
   * Number of months or days since the year 0, approximately; only differences are used. NaN if the month or day does
   * not exist.
   */
  position: number;
  /** True if the year is plausible. For example, `/thread/88123/2` has the form of a date but is not a date. */
  isLikely: boolean;
}

/** Matches `2026-05` and `2026-05-17`. A number without hyphens may be something other than a date. */
const DATE = /^(-?\d{1,6})-([01]\d)(?:-([0-3]\d))?$/;
const NUMBER = /^-?\d{1,6}$/;
const YEAR_NAME = /^(?:y|year|yr|jahr|annee|ano)$/i;
const MONTH_NAME = /^(?:m|mo|month|monat|mois|mes)$/i;
const DAY_NAME = /^(?:d|day|tag|jour|dia)$/i;
const FIRST_YEAR = 1900;
const LAST_YEAR = 2200;

export function calendarDateOf(shape: UrlShape): CalendarDate | null {
  return dateInPath(shape) ?? (shape.parameters.length > 0 ? dateInQuery(shape) : null);
}

/** Converts a time to the scale of `CalendarDate.position`. */
export function datePositionOf(unit: CalendarDate['unit'], timeMs: number): number {
  const now = new Date(timeMs);
  return position(unit, now.getUTCFullYear(), now.getUTCMonth() + 1, now.getUTCDate());
}

function dateInPath({ segments, parameters }: UrlShape): CalendarDate | null {
  const last = segments.length - 1;
  const end = segments[last];
  if (end === undefined || !hasDigit(end)) return null;
  const dot = end.lastIndexOf('.');
  const one = DATE.exec(dot < 0 ? end : end.slice(0, dot));
  if (one) return date(starred(segments, parameters, 1), one[1]!, one[2]!, one[3]);
  const before = segments[last - 1];
  if (before === undefined || !NUMBER.test(end) || !NUMBER.test(before)) return null;
  const three = segments[last - 2];
  if (three !== undefined && /^\d{4}$/.test(three)) {
    return date(starred(segments, parameters, 3), three, before, end);
  }
  return date(starred(segments, parameters, 2), before, end, undefined);
}

function dateInQuery({ path, parameters }: UrlShape): CalendarDate | null {
  const whole = parameters.find((each) => /^\d{4}-[01]\d(?:-[0-3]\d)?$/.test(each.value));
  if (whole) {
    const [year, month, day] = whole.value.split('-');
    return date(path + queryOf(parameters, (each) => each === whole), year!, month!, day);
  }
  if (parameters.length < 2) return null;
  const valueNamed = (name: RegExp) => parameters.find((each) => name.test(each.name))?.value;
  const year = valueNamed(YEAR_NAME);
  const month = valueNamed(MONTH_NAME);
  if (year === undefined || month === undefined) return null;
  const isPart = ({ name }: Parameter) => [YEAR_NAME, MONTH_NAME, DAY_NAME].some((each) => each.test(name));
  return date(path + queryOf(parameters, isPart), year, month, valueNamed(DAY_NAME));
}

/** Returns the URL with a star in place of each of its last `count` segments and of every parameter value. */
function starred(segments: readonly string[], parameters: readonly Parameter[], count: number): string {
  const kept = segments.slice(0, segments.length - count).map((segment) => `/${segment}`);
  return kept.join('') + '/*'.repeat(count) + queryOf(parameters, () => true);
}

/**
 * Returns true if the last character before the extension is a digit, as in every date. This cheap check rejects most
 * names.
 */
function hasDigit(name: string): boolean {
  const dot = name.lastIndexOf('.');
  const code = name.charCodeAt((dot < 0 ? name.length : dot) - 1);
  return code >= 0x30 && code <= 0x39;
}

function queryOf(parameters: readonly Parameter[], isStar: (each: Parameter) => boolean): string {
  const written = parameters.map((each) => `${each.name}=${isStar(each) ? '*' : each.value}`);
  return written.length === 0 ? '' : `?${written.join('&')}`;
}

function date(
  calendar: string,
  yearText: string,
  monthText: string,
  dayText: string | undefined,
): CalendarDate {
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText ?? 1)];
  const unit = dayText === undefined ? 'month' : 'day';
  const isDate = Number.isInteger(year) && month >= 1 && month <= 12 && day >= 1 && day <= 31;
  const isLikely = isDate && year >= FIRST_YEAR && year <= LAST_YEAR;
  return { calendar, unit, position: isDate ? position(unit, year, month, day) : Number.NaN, isLikely };
}

function position(unit: CalendarDate['unit'], year: number, month: number, day: number): number {
  const months = year * 12 + month - 1;
  return unit === 'month' ? months : months * 31 + day;
}
