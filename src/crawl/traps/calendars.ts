/**
 * Calendars of a host, and how far into past and future they are worth following.
 *
 * A calendar links from month to month for ever. What bounds it is evidence from outside: a date that a
 * page which is not of the calendar links to, and a page of the calendar that led to something new. Around
 * those dates, and up to now, it is followed for a while; beyond, it is a trap. A blog's archive goes on as
 * long as its months list articles; an empty calendar ends after two years back and one ahead.
 *
 * Addresses may look like dates and be none, such as page 5 of thread 2024. So it takes a number of them to
 * make a calendar, and one that is no date, linked from outside, to refute it for good.
 */
import type { Clock } from '../../base/mod.ts';
import { textKey } from '../dedup/mod.ts';
import { BoundedMap } from './bounded-map.ts';
import { type CalendarDate, calendarDateOf, positionOf } from './calendar-dates.ts';
import { type Assessment, CLEAR, type Trap } from './trap.ts';
import { escapePattern, type UrlShape } from './url-shape.ts';

/** How far from evidence, in months or days. */
const REACH = { month: { back: 24, ahead: 12 }, day: { back: 92, ahead: 92 } } as const;
const MAX_CALENDARS = 64;
/** A form with fewer addresses is no calendar yet. */
const MIN_ADDRESSES = 12;
/** Addresses that calendar pages linked to; when there are more, no page counts as leading to new ones. */
const MAX_LINKS = 4096;

export interface CalendarWindow {
  calendar: string;
  /** The earliest and the latest date with evidence. */
  first: number;
  last: number;
  /** How many links to it were found. */
  addresses: number;
  /** Some of them are no dates. */
  isRefuted: boolean;
}

export class Calendars {
  readonly #clock: Clock;
  readonly #windows = new BoundedMap<string, CalendarWindow>(MAX_CALENDARS);
  readonly #links = new Set<number>();

  constructor(clock: Clock, windows: Iterable<CalendarWindow> = []) {
    this.#clock = clock;
    for (const window of windows) this.#windows.set(window.calendar, { ...window });
  }

  /** In things of about a hundred bytes. */
  get size(): number {
    return this.#windows.size + this.#links.size;
  }

  get windows(): CalendarWindow[] {
    return [...this.#windows.values()];
  }

  assess(shape: UrlShape): Assessment {
    const date = calendarDateOf(shape);
    return date ? this.#assess(date) : CLEAR;
  }

  /** A link to `shape` stands on `source`, which is taken apart only if need be; null for seeds and sitemaps. */
  discovered(shape: UrlShape, source: (() => UrlShape) | null): Assessment {
    const date = calendarDateOf(shape);
    if (!date) return CLEAR;
    const window = this.#windows.get(date.calendar);
    if (window) window.addresses++;
    const isInside = window && source && calendarDateOf(source())?.calendar === date.calendar;
    if (!isInside) this.#widen(date);
    return this.#assess(date);
  }

  /** A page was fetched. Of a calendar, it counts if it leads to addresses that the calendar did not have. */
  fetched(shape: UrlShape, links: () => Iterable<UrlShape>): void {
    const date = calendarDateOf(shape);
    if (!date || !this.#windows.peek(date.calendar)) return;
    let fresh = 0;
    for (const link of links()) {
      if (this.#links.size >= MAX_LINKS) break;
      const key = textKey(link.url);
      if (this.#links.has(key) || calendarDateOf(link)?.calendar === date.calendar) continue;
      this.#links.add(key);
      fresh++;
    }
    if (fresh > 0) this.#widen(date);
  }

  #assess(date: CalendarDate): Assessment {
    const window = this.#windows.peek(date.calendar);
    if (!window || window.isRefuted || window.addresses < MIN_ADDRESSES) return CLEAR;
    const { back, ahead } = REACH[date.unit];
    const now = positionOf(date.unit, this.#clock.now());
    const isNear =
      date.position >= window.first - back && date.position <= Math.max(window.last, now) + ahead;
    return isNear ? CLEAR : { trap: calendarTrap(date.calendar), instead: null };
  }

  #widen({ calendar, position, isLikely }: CalendarDate): void {
    const window = this.#windows.get(calendar);
    if (!window) {
      const isRefuted = !isLikely;
      this.#windows.set(calendar, { calendar, first: position, last: position, addresses: 1, isRefuted });
    } else if (isLikely) {
      window.first = Math.min(window.first, position);
      window.last = Math.max(window.last, position);
    } else {
      window.isRefuted = true;
    }
  }
}

function calendarTrap(calendar: string): Trap {
  const value = `^${escapePattern(calendar).replaceAll('\\*', '[^/&]*')}/?$`;
  return { kind: 'calendar', pattern: calendar, rule: { verb: 'ignore', match: 'regexp', value } };
}
