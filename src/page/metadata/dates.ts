/** Parses dates of pages and headers to milliseconds since 1970. A date without a time zone is in UTC. */

const ISO =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]\s?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?$/i;
/**
 * Matches dates with the name of a month, which are not ambiguous: `Tue, 05 Nov 2024 10:00:00 GMT`, `5
 * November 2024`, `November 5, 2024 10:00`.
 */
const WORDED =
  /^(?:[a-z]{3,9},?\s+)?(?:\d{1,2}[\s-][a-z]{3,9}\.?[\s-]\d{2,4}|[a-z]{3,9}\.?\s\d{1,2},?\s\d{4})(?:,?\s+\d{1,2}:\d{2}(?::\d{2})?)?(?:\s*(?:[a-z]{1,4}|[+-]\d{4}))?$/i;
const ZONED = /(?:\d:\d{2}\s*[+-]\d{4}|\s(?:gmt|utc|ut|z|[ecmp][sd]t))$/i;
/**
 * Dates before EARLIEST or after LATEST are invalid: the web began in 1990, and no current page is from the
 * far future.
 */
const EARLIEST = Date.UTC(1990, 0);
const LATEST = Date.UTC(2100, 0);
const MAX_LENGTH = 64;
/**
 * The number of characters at the beginning and the end of a page that are searched for a date such as `Last
 * updated on Nov 05, 2024.`.
 */
const LOOKED_AT = 600;
/**
 * Matches dates that a page states in its text: `Last updated on Nov 05, 2024.`, `This page last modified on
 * 2021-10-06 14:45:14 UTC`, `Published: 5 May 2020`.
 */
const STATED =
  /\b(last[ -]?(?:updated?|modified|changed|revised|edited)|(?:re)?published|posted)(?: (?:on|at))?\s*:?\s+((?:[a-z]{3,9},? )?(?:\d{4}-\d{2}-\d{2}|\d{1,2} [a-z]{3,9}\.? \d{4}|[a-z]{3,9}\.? \d{1,2},? \d{4})(?:,? \d{1,2}:\d{2}(?::\d{2})?)?)/gi;

/** Parses a date. Returns null if it is invalid, or a date that no page can have. */
export function parseDate(raw: string): number | null {
  if (raw.length > 4 * MAX_LENGTH) return null;
  const text = raw.trim();
  if (text.length > MAX_LENGTH) return null;
  const time = isoTime(text) ?? wordedTime(text);
  return time !== null && time >= EARLIEST && time < LATEST ? time : null;
}

export function firstDate(candidates: readonly string[]): number | null {
  for (const candidate of candidates) {
    const time = candidate === '' ? null : parseDate(candidate);
    if (time !== null) return time;
  }
  return null;
}

interface StatedDates {
  published: string[];
  modified: string[];
}

/**
 * Finds the dates that the text of a page states for its readers, as they are written but without time zones.
 */
export function findStatedDates(text: string): StatedDates {
  const dates: StatedDates = { published: [], modified: [] };
  const edges =
    text.length <= 2 * LOOKED_AT ? text : `${text.slice(0, LOOKED_AT)}\n${text.slice(-LOOKED_AT)}`;
  for (const [, statement, date] of edges.matchAll(STATED)) {
    const isPublished = /^(?:re)?published|^posted/i.test(statement!);
    (isPublished ? dates.published : dates.modified).push(date!);
  }
  return dates;
}

function isoTime(text: string): number | null {
  const match = ISO.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = match;
  const offset =
    zone.length === 3 ? `${zone}:00` : zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  return numberOf(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset.toUpperCase()}`));
}

function wordedTime(text: string): number | null {
  if (!WORDED.test(text)) return null;
  return numberOf(Date.parse(ZONED.test(text) ? text : `${text} UTC`));
}

function numberOf(time: number): number | null {
  return Number.isNaN(time) ? null : time;
}
