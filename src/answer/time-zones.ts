/**
 * Time zones by the names people use: cities of the zone database in several languages, and the abbreviations that
 * mean one thing. Accents may be left out.
 */
import { folded } from './names.ts';
import { OTHER_PLACES, PLACE_NAMES } from './place-names.ts';

const ABBREVIATIONS: Record<string, string> = {
  utc: 'UTC',
  gmt: 'UTC',
  cet: 'Europe/Berlin',
  cest: 'Europe/Berlin',
  eet: 'Europe/Helsinki',
  est: 'America/New_York',
  edt: 'America/New_York',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  jst: 'Asia/Tokyo',
  aest: 'Australia/Sydney',
};

/** Large places that have no zone of their own name. */
const ELSEWHERE: Record<string, string> = {
  california: 'America/Los_Angeles',
  'san francisco': 'America/Los_Angeles',
  seattle: 'America/Los_Angeles',
  washington: 'America/New_York',
  boston: 'America/New_York',
  miami: 'America/New_York',
  beijing: 'Asia/Shanghai',
  china: 'Asia/Shanghai',
  india: 'Asia/Kolkata',
  delhi: 'Asia/Kolkata',
  mumbai: 'Asia/Kolkata',
  japan: 'Asia/Tokyo',
  germany: 'Europe/Berlin',
  munich: 'Europe/Berlin',
  hamburg: 'Europe/Berlin',
  france: 'Europe/Paris',
  barcelona: 'Europe/Madrid',
  spain: 'Europe/Madrid',
  italy: 'Europe/Rome',
  uk: 'Europe/London',
  england: 'Europe/London',
  'rio de janeiro': 'America/Sao_Paulo',
  geneva: 'Europe/Zurich',
};

/** Later names win: an abbreviation before a city, a city before what others call another. */
const ZONES = new Map<string, string>(
  [
    ...Object.entries(OTHER_PLACES),
    ...PLACE_NAMES,
    ...Intl.supportedValuesOf('timeZone').flatMap((zone) => [
      [zone, zone] as const,
      [zone.split('/').at(-1)!.replaceAll('_', ' '), zone] as const,
    ]),
    ...Object.entries(ELSEWHERE),
    ...Object.entries(ABBREVIATIONS),
  ].map(([name, zone]) => [folded(name), zone]),
);

export function findZone(name: string): string | null {
  return ZONES.get(folded(name)) ?? null;
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
