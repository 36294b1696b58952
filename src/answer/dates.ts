/**
 * Dates and time zones, asked for in the languages of questions/:
 *
 *   time in Tokyo                     9:30 Berlin in New York
 *   days until 2027-01-01             days between 2024-02-28 and 2024-03-01
 *   2024-02-28 + 2 weeks              what day is 2000-01-01
 *
 * Days are reckoned in UTC, where every one has 24 hours.
 */
import { type Answer, type AnswerBox, type AnswerContext, computed } from './answer-box.ts';
import { placeName } from './place-names.ts';
import { LANGUAGES, plainQuestion, type Question, readings, wordAmong } from './questions/questions.ts';
import { findZone, momentIn, zoneOffsetMs } from './time-zones.ts';
import { DAY_MS, parseDate } from './written-dates.ts';

type Reader = (query: string, context: AnswerContext) => Answer | null;
type Values = Readonly<Record<string, string>>;

export const dates: AnswerBox = {
  name: 'dates',
  cacheMs: 0,
  matches: (query, context) => read(query, context) !== null,
  answer: (query, context) => read(query, context),
};

const READERS: readonly Reader[] = [
  asked('time', timeInPlace),
  asked('clock', timeElsewhere),
  asked('between', daysBetween),
  asked('until', (values, context) => daysFromToday(values, context, 'days.until')),
  asked('since', (values, context) => daysFromToday(values, context, 'days.since')),
  shiftedDate,
  asked('weekday', ({ date }, context) => dayOf(date!, context)),
  loneDay,
];

function read(query: string, context: AnswerContext): Answer | null {
  for (const reader of READERS) {
    const answer = reader(query, context);
    if (answer) return answer;
  }
  return null;
}

/** Whatever sentence the query is, the first that makes sense with what is in its places. */
function asked(
  question: Question,
  answer: (values: Values, context: AnswerContext) => Answer | null,
): Reader {
  return (query, context) => {
    for (const values of readings(question, query)) {
      const found = answer(values, context);
      if (found) return found;
    }
    return null;
  };
}

function timeInPlace({ place }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const zone = findZone(place!);
  if (!zone) return null;
  const text = `${words.day(now, zone)}, ${zoneName(zone, now, words.tag)}`;
  return computed('time', words.time(now, zone), text, context);
}

/** `9:30 Berlin in New York`, of today there. */
function timeElsewhere(values: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const from = findZone(values.from!);
  const to = findZone(values.to!);
  const minute = Number(values.minute ?? 0);
  const hour = hourOf(values);
  if (!from || !to || hour > 23 || minute > 59) return null;
  const today = Math.floor((now + zoneOffsetMs(from, now)) / DAY_MS) * DAY_MS;
  const moment = momentIn(from, today + (hour * 60 + minute) * 60_000);
  const here = `${words.time(moment, from)}, ${zoneName(from, moment, words.tag)}`;
  const there = `${words.day(moment, to)}, ${zoneName(to, moment, words.tag)}`;
  return computed('time', words.time(moment, to), `${here} = ${there}`, context);
}

function hourOf({ hour, half }: Values): number {
  return half ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
}

function daysBetween({ first, last }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const [from, to] = [parseDate(first!, now), parseDate(last!, now)];
  if (from === null || to === null) return null;
  const text = words.text('days.between', { first: words.day(from), last: words.day(to) });
  return computed('time', words.days(wholeDays(to - from)), text, context);
}

function daysFromToday(
  values: Values,
  context: AnswerContext,
  direction: 'days.until' | 'days.since',
): Answer | null {
  const { now, words } = context;
  const date = parseDate(values.date!, now);
  if (date === null) return null;
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const count = wholeDays(direction === 'days.since' ? today - date : date - today);
  return computed('time', words.days(count), words.text(direction, { date: words.day(date) }), context);
}

function shiftedDate(query: string, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const found = /^(.+?) ?([-+−]) ?(\d{1,6}) ?(\p{L}[\p{L}\p{M}]*)$/iu.exec(plainQuestion(query));
  const unit = found && wordAmong(found[4]!, ['day', 'week', 'month', 'year']);
  const date = unit && parseDate(found[1]!, now);
  if (!found || !unit || date === null) return null;
  const shifted = shift(date, Number(found[3]) * (found[2] === '+' ? 1 : -1), unit);
  return Number.isNaN(shifted) ? null : computed('time', words.day(shifted), `${query.trim()} =`, context);
}

function dayOf(text: string, context: AnswerContext): Answer | null {
  const date = parseDate(text, context.now);
  return date === null ? null : computed('time', context.words.day(date), '', context);
}

/** `today` and its like, in the searcher's own language: `hier` is yesterday only for those who speak French. */
function loneDay(query: string, context: AnswerContext): Answer | null {
  const forms = [LANGUAGES.en!, LANGUAGES[context.words.tag] ?? LANGUAGES.en!];
  const word = plainQuestion(query).toLowerCase();
  const isDay = forms.some(({ yesterday, today, tomorrow }) =>
    [...yesterday, ...today, ...tomorrow].includes(word),
  );
  return isDay ? dayOf(query, context) : null;
}

/** The last day of a shorter month stands for those it does not have. */
function shift(date: number, count: number, unit: 'day' | 'week' | 'month' | 'year'): number {
  if (unit === 'day' || unit === 'week')
    return new Date(date + count * DAY_MS * (unit === 'week' ? 7 : 1)).getTime();
  const from = new Date(date);
  const month = from.getUTCMonth() + count * (unit === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay));
}

function wholeDays(milliseconds: number): number {
  return Math.round(milliseconds / DAY_MS);
}

/** `Tokyo (UTC+9)`. */
function zoneName(zone: string, at: number, language: string): string {
  const minutes = zoneOffsetMs(zone, at) / 60_000;
  const city = placeName(zone, language) ?? zone.split('/').at(-1)!.replaceAll('_', ' ');
  if (minutes === 0) return city === 'UTC' ? city : `${city} (UTC)`;
  const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = minute === 0 ? String(hour) : `${hour}:${String(minute).padStart(2, '0')}`;
  return `${city} (UTC${minutes < 0 ? '−' : '+'}${offset})`;
}
