/**
 * Finds holidays in any year: fixed dates, dates that depend on the moon, and Thanksgiving. Islamic dates are
 * from the Umm al-Qura calendar; in countries that wait until the new moon is seen, they may be a day later.
 */

import { DAY_MS } from '../../base/mod.ts';
import { wordAmong } from '../questions/mod.ts';

const FIXED = {
  newYear: [1, 1],
  valentine: [2, 14],
  halloween: [10, 31],
  christmasEve: [12, 24],
  christmas: [12, 25],
  newYearsEve: [12, 31],
} as const;
/** The month and day of holidays in the Islamic calendar. */
const ISLAMIC = { ramadan: [9, 1], eidAlFitr: [10, 1], eidAlAdha: [12, 10] } as const;

const NAMES = [
  ...(Object.keys(FIXED) as (keyof typeof FIXED)[]),
  ...(Object.keys(ISLAMIC) as (keyof typeof ISLAMIC)[]),
  ...(['easter', 'thanksgiving'] as const),
];
type Holiday = (typeof NAMES)[number];

const islamic = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura', {
  ...{ month: 'numeric', day: 'numeric', timeZone: 'UTC' },
});

/** Finds a holiday by name: `christmas`, `Weihnachten`; null if there is none. */
export function findHoliday(name: string): Holiday | null {
  return wordAmong(name, NAMES);
}

/** Returns the day of a holiday in a year; null if it does not occur in that year. */
export function holidayIn(holiday: Holiday, year: number): number | null {
  if (holiday === 'easter') return easterOf(year);
  if (holiday === 'thanksgiving') return fourthThursday(year, 10);
  if (holiday === 'ramadan' || holiday === 'eidAlFitr' || holiday === 'eidAlAdha')
    return islamicDay(year, ISLAMIC[holiday]);
  const [month, day] = FIXED[holiday];
  return Date.UTC(year, month - 1, day);
}

/** Returns the date of Easter by the Gregorian rule, in the form of J.-M. Oudin. */
function easterOf(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const moon =
    (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * golden + 15) % 30;
  const early = moon === 29 || (moon === 28 && golden > 10) ? moon - 1 : moon;
  const weekday = (year + Math.floor(year / 4) + early + 2 - century + Math.floor(century / 4)) % 7;
  return Date.UTC(year, 2, 28 + early - weekday);
}

function fourthThursday(year: number, month: number): number {
  const firstWeekday = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 22 + ((4 - firstWeekday + 7) % 7));
}

/**
 * Returns the day on which a date of the Islamic calendar falls in a Gregorian year. The Islamic year is
 * shorter, so the date occurs in every Gregorian year. In the rare case that it occurs twice, returns the
 * first.
 */
function islamicDay(year: number, [month, day]: readonly [number, number]): number | null {
  for (let date = Date.UTC(year, 0, 1); date <= Date.UTC(year, 11, 31); date += DAY_MS)
    if (islamic.format(date) === `${month}/${day}`) return date;
  return null;
}
