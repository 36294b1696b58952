/**
 * Answers questions about the time in other places. The forms of questions are in questions/:
 *
 *   time in Tokyo        9:30 Berlin in New York        time difference Tokyo New York
 */
import { MINUTE_MS } from '../../base/mod.ts';
import { type Answer, type AnswerBox, type AnswerContext, computed } from '../answer-box.ts';
import { asked, firstOf, type Values, wordAmong } from '../questions/mod.ts';
import { startOfDay } from './calendar.ts';
import { placeName } from './place-names.ts';
import { findZone, momentIn, zoneOffsetMs } from './time-zones.ts';

const read = firstOf([
  asked('difference', timeDifference),
  asked('clock', timeElsewhere),
  asked('time', timeInPlace),
]);

export const clocks: AnswerBox = {
  name: 'clocks',
  cacheMs: 0,
  matches: (query, context) => read(query, context) !== null,
  answer: read,
};

function timeInPlace({ place }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const zone = findZone(place!);
  if (!zone) return null;
  const text = `${words.day(now, zone)}, ${zoneName(zone, now, words.tag)}`;
  return computed('time', words.time(now, zone), text, context);
}

/** Answers `9:30 Berlin in New York`. The time is on the present day in Berlin. */
function timeElsewhere(values: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const from = findZone(values.from!);
  const to = findZone(values.to!);
  const minute = Number(values.minute ?? 0);
  const hour = hourOf(values);
  if (!from || !to || hour > 23 || minute > 59) return null;
  const today = startOfDay(now + zoneOffsetMs(from, now));
  const moment = momentIn(from, today + (hour * 60 + minute) * MINUTE_MS);
  const here = `${words.time(moment, from)}, ${zoneName(from, moment, words.tag)}`;
  const there = `${words.day(moment, to)}, ${zoneName(to, moment, words.tag)}`;
  return computed('time', words.time(moment, to), `${here} = ${there}`, context);
}

function hourOf({ hour, half }: Values): number {
  return half ? (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hour);
}

/**
 * Answers `time difference Tokyo New York`. Tries every blank as the border between the two places, because there may
 * be no word between them.
 */
function timeDifference({ places }: Values, context: AnswerContext): Answer | null {
  const words = places!.split(/[ ,]+/);
  for (let at = 1; at < words.length; at++) {
    const behind = words.slice(at);
    const other = behind.length > 1 && wordAmong(behind[0]!, ['and']) ? behind.slice(1) : behind;
    const [first, second] = [findZone(words.slice(0, at).join(' ')), findZone(withoutAnd(other.join(' ')))];
    if (first && second) return differenceOf(first, second, context);
  }
  return null;
}

/**
 * Removes the Arabic word for "and" from a place: the letter `و`, which is attached to the next word. Used if
 * the place is not found with this letter.
 */
function withoutAnd(place: string): string {
  return /^و/.test(place) && !findZone(place) ? place.slice(1) : place;
}

function differenceOf(first: string, second: string, context: AnswerContext): Answer {
  const { now, words } = context;
  const minutes = (zoneOffsetMs(first, now) - zoneOffsetMs(second, now)) / MINUTE_MS;
  const [ahead, behind] = minutes < 0 ? [second, first] : [first, second];
  const names = { ahead: zoneName(ahead, now, words.tag), behind: zoneName(behind, now, words.tag) };
  const size = Math.abs(minutes);
  const title = words.span([Math.floor(size / 60), 'hour'], [size % 60, 'minute']);
  return computed('time', title, words.text(size === 0 ? 'zones.same' : 'zones.ahead', names), context);
}

/** Formats the name of a time zone: `Tokyo (UTC+9)`. */
function zoneName(zone: string, at: number, language: string): string {
  const minutes = zoneOffsetMs(zone, at) / MINUTE_MS;
  const city = placeName(zone, language) ?? zone.split('/').at(-1)!.replaceAll('_', ' ');
  if (minutes === 0) return city === 'UTC' ? city : `${city} (UTC)`;
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = minute === 0 ? String(hour) : `${hour}:${String(minute).padStart(2, '0')}`;
  return `${city} (UTC${minutes < 0 ? '−' : '+'}${offset})`;
}
