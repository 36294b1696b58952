/** Reads from records when their things end. */
import type { TypedRecord } from '../../page/mod.ts';

/** The facts with the end of a thing, in order of preference. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  JobPosting: ['validThrough'],
  Event: ['endDate', 'startDate'],
};

/** Returns the time at which the thing ends according to its record; null if the record does not say so. */
export function expiryOf({ type, facts }: TypedRecord): number | null {
  const stated = (ENDS[type] ?? []).flatMap((field) => facts[field] ?? [])[0];
  return typeof stated === 'string' ? endOf(stated) : null;
}

/** Returns the end of a date: of its day, month or year if it has no time. Times without a zone are in UTC. */
function endOf(date: string): number | null {
  const [, year, month, day, time] = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(T.+)?)?)?$/.exec(date) ?? [];
  if (year === undefined) return null;
  const end = time
    ? Date.parse(date.endsWith('Z') ? date : `${date}Z`)
    : day
      ? Date.UTC(Number(year), Number(month) - 1, Number(day) + 1)
      : month
        ? Date.UTC(Number(year), Number(month), 1)
        : Date.UTC(Number(year) + 1, 0, 1);
  return Number.isFinite(end) ? end : null;
}
