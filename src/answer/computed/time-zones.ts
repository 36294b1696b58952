/**
 * Finds time zones by the names that people use: cities of the time zone database in several languages, other
 * large cities, countries with a single time zone, and abbreviations with one usual meaning. Accents may be
 * left out.
 */

import { folded } from '../asking/mod.ts';
import { QUESTION_LANGUAGES } from '../questions/mod.ts';
import { countryNames } from './countries.ts';
import { OTHER_PLACES, PLACE_NAMES } from './place-names.ts';

const ABBREVIATIONS: Record<string, string> = {
  utc: 'UTC',
  gmt: 'UTC',
  cet: 'Europe/Berlin',
  cest: 'Europe/Berlin',
  eet: 'Europe/Helsinki',
  bst: 'Europe/London',
  et: 'America/New_York',
  est: 'America/New_York',
  edt: 'America/New_York',
  cst: 'America/Chicago',
  cdt: 'America/Chicago',
  mst: 'America/Denver',
  mdt: 'America/Denver',
  pt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  ist: 'Asia/Kolkata',
  jst: 'Asia/Tokyo',
  aest: 'Australia/Sydney',
};

/**
 * Large cities and regions after which no time zone is named, as Asia/Tokyo is named after Tokyo. Each entry is
 * a time zone and the places in it.
 */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'America/Chicago': ['austin', 'dallas', 'houston', 'new orleans', 'minneapolis', 'texas'],
  'America/Denver': ['salt lake city', 'colorado', 'utah'],
  'America/Los_Angeles': [
    'california',
    'la',
    'las vegas',
    'portland',
    'san diego',
    'san francisco',
    'seattle',
    'silicon valley',
  ],
  'America/New_York': [
    'atlanta',
    'boston',
    'florida',
    'miami',
    'new york city',
    'nyc',
    'philadelphia',
    'washington',
    'washington dc',
  ],
  'America/Sao_Paulo': ['brasilia', 'rio de janeiro'],
  'America/Toronto': ['montreal', 'ottawa', 'quebec'],
  'Asia/Dubai': ['abu dhabi', 'uae'],
  'Asia/Ho_Chi_Minh': ['hanoi'],
  'Asia/Jerusalem': ['tel aviv'],
  'Asia/Karachi': ['islamabad', 'lahore'],
  'Asia/Kolkata': ['bangalore', 'bengaluru', 'chennai', 'delhi', 'hyderabad', 'mumbai', 'new delhi'],
  'Asia/Seoul': ['korea'],
  'Asia/Shanghai': ['beijing', 'guangzhou', 'shenzhen'],
  'Asia/Tokyo': ['kyoto', 'osaka'],
  'Australia/Sydney': ['canberra'],
  'Europe/Berlin': ['cologne', 'frankfurt', 'hamburg', 'munich', 'stuttgart'],
  'Europe/Istanbul': ['ankara', 'turkey'],
  'Europe/London': ['britain', 'edinburgh', 'england', 'glasgow', 'manchester', 'scotland', 'uk', 'wales'],
  'Europe/Madrid': ['barcelona'],
  'Europe/Moscow': ['st petersburg'],
  'Europe/Prague': ['czech republic'],
  'Europe/Rome': ['florence', 'naples', 'venice'],
  'Europe/Zurich': ['basel', 'bern', 'geneva'],
  'Pacific/Honolulu': ['hawaii'],
};

/**
 * For each name of a place or time zone, the time zone; built at the first use. Abbreviations override cities,
 * and cities override countries.
 */
let zones: ReadonlyMap<string, string> | null = null;

export function findZone(name: string): string | null {
  zones ??= namedZones();
  return zones.get(folded(name).replace(/[.,]/g, '')) ?? null;
}

function namedZones(): Map<string, string> {
  const named = [
    ...countryNames(Object.keys(QUESTION_LANGUAGES)),
    ...Object.entries(OTHER_PLACES),
    ...PLACE_NAMES,
    ...Intl.supportedValuesOf('timeZone').flatMap((zone) => [
      [zone, zone] as const,
      [zone.split('/').at(-1)!.replaceAll('_', ' '), zone] as const,
    ]),
    ...Object.entries(ELSEWHERE).flatMap(([zone, names]) => names.map((name) => [name, zone] as const)),
    ...Object.entries(ABBREVIATIONS),
  ];
  return new Map(named.map(([name, zone]) => [folded(name), zone]));
}

/** Returns the offset of a time zone from UTC at a point in time. */
export function zoneOffsetMs(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(at / 1000) * 1000;
}

/**
 * Returns the point in time at which clocks in the time zone show the given date and time. If clocks skip it
 * (start of daylight saving time), a time after the gap is returned.
 */
export function momentIn(zone: string, local: number): number {
  const first = local - zoneOffsetMs(zone, local);
  return local - zoneOffsetMs(zone, first);
}
