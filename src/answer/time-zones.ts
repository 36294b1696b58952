/**
 * Time zones by the names people use: cities of the zone database in several languages, other large ones,
 * countries with one time, and the abbreviations that mostly mean one thing. Accents may be left out.
 */
import { countryNames } from './countries.ts';
import { folded } from './names.ts';
import { OTHER_PLACES, PLACE_NAMES } from './place-names.ts';
import { LANGUAGES } from './questions/questions.ts';

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

/** Large places that have no zone of their own name. */
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

/** By its name. Made when first asked for: later names win, an abbreviation before a city, a city before a country. */
let zones: ReadonlyMap<string, string> | null = null;

export function findZone(name: string): string | null {
  zones ??= namedZones();
  return zones.get(folded(name).replace(/[.,]/g, '')) ?? null;
}

function namedZones(): Map<string, string> {
  const named = [
    ...countryNames(Object.keys(LANGUAGES)),
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

/** How far a zone is ahead of UTC at a moment. */
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

/** The moment at which clocks of the zone show this date and time; what falls into a gap is moved behind it. */
export function momentIn(zone: string, local: number): number {
  const first = local - zoneOffsetMs(zone, local);
  return local - zoneOffsetMs(zone, first);
}
