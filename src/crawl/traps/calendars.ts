/**
 * The calendars of a host, and how far into past and future they are followed.
 *
 * A calendar links from month to month for ever. It is bounded by evidence: a date linked from a page outside
 * the calendar, or a page of the calendar that links to something new. Dates within `REACH` of such evidence,
 * or of today, are followed; dates beyond are a trap. A blog's archive is followed as long as its months list
 * articles; an empty calendar ends after two years back and one ahead.
 *
 * URLs may look like dates without being any, such as page 5 of thread 2024. So it takes `MIN_ADDRESSES` of
 * them to make a calendar, and a single URL that is not a date, linked from outside, refutes it for good.
 */
import type { Clock } from '../../base/mod.ts';
import { BoundedCache } from '../../base/mod.ts';
import { textKey } from '../duplicates/mod.ts';
import { type CalendarDate, calendarDateOf, datePositionOf } from './calendar-dates.ts';
import { type Assessment, CLEAR, type Trap } from './trap.ts';
import { escapePattern, type UrlShape } from './url-shape.ts';

/** Maximum distance of a date from the nearest evidence, in months or days; dates further away are a trap. */
const REACH = { month: { back: 24, ahead: 12 }, day: { back: 92, ahead: 92 } } as const;
const MAX_CALENDARS = 64;
/** Minimum number of links to URLs of a pattern before it counts as a calendar. */
const MIN_ADDRESSES = 12;
/**
 * Maximum number of link targets of calendar pages that are remembered for a host. When the limit is reached, all
 * further links are treated as known, so later calendar pages are no evidence.
 */
const MAX_LINKS = 4096;

export interface CalendarWindow {
  calendar: string;
  /** `first` and `last` are the earliest and the latest date with evidence. */
  first: number;
  last: number;
  /** Number of links to URLs of the calendar. */
  addresses: number;
  /** True if the pattern is not a calendar, because some of its URLs are not dates. */
  isRefuted: boolean;
}

export class Calendars {
  readonly #clock: Clock;
  readonly #windows = BoundedCache.ofEntries<string, CalendarWindow>(MAX_CALENDARS);
  readonly #links = new Set<number>();

  constructor(clock: Clock, windows: Iterable<CalendarWindow> = []) {
    this.#clock = clock;
    for (const window of windows) this.#windows.set(window.calendar, { ...window });
  }

  /** Memory used by the calendars of the host, in units of about a hundred bytes. */
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

  /**
   * Learns from a link on the page `source`, and decides whether it leads into a trap. `shape` is the linked URL.
   * `source` is a function that is called only if needed; it is null for seeds and sitemaps.
   */
  discovered(shape: UrlShape, source: (() => UrlShape) | null): Assessment {
    const date = calendarDateOf(shape);
    if (!date) return CLEAR;
    const window = this.#windows.get(date.calendar);
    if (window) window.addresses++;
    const isInside = window && source && calendarDateOf(source())?.calendar === date.calendar;
    if (!isInside) this.#widen(date);
    return this.#assess(date);
  }

  /**
   * Learns from a fetched page. A page of a calendar is evidence for its date if it links to URLs that no other page
   * of the calendar has linked to.
   */
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
    const now = datePositionOf(date.unit, this.#clock.now());
    const isNear =
      date.position >= window.first - back && date.position <= Math.max(window.last, now) + ahead;
    return isNear ? CLEAR : { trap: calendarTrap(date.calendar), replacementUrl: null };
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
