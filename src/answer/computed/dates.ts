/**
 * Answers questions about dates. The forms of questions are in questions/:
 *
 *   days until Christmas              weeks between 2024-02-28 and 2024-03-01
 *   2024-02-28 + 2 weeks              90 days after 3 May 2026, 3 weeks ago
 *   what day is 2000-01-01            week number, when is Easter
 *   age of someone born 1990-05-02    unix time 1700000000
 *
 * Days are in UTC, because the engine does not know the searcher's time zone.
 */

import { DAY_MS } from '../../base/mod.ts';
import { type Answer, type AnswerBox, type AnswerContext, computed } from '../answer-box.ts';
import {
  asked,
  firstOf,
  plainQuestion,
  QUESTION_LANGUAGES,
  type Values,
  withSigns,
  wordAmong,
} from '../questions/mod.ts';
import { shift, spanBetween, startOfDay, weekOf } from './calendar.ts';
import { findHoliday } from './holidays.ts';
import { type Direction, parseMonth, parseWrittenDate } from './written-dates.ts';

const UNITS = ['day', 'week', 'month', 'year'] as const;
/** The maximum Unix time in seconds, in the year 5138. Larger numbers are milliseconds. */
const MAX_SECONDS = 1e11;
const DATE_SUM = /^(.+?) ?([-+−]) ?(\d{1,6} ?[^\s\d]+)$/;

const read = firstOf([
  asked('between', between),
  asked('until', (values, context) => fromToday(values, context, 'until')),
  asked('since', (values, context) => fromToday(values, context, 'since')),
  asked('after', ({ span, date }, context) => shifted(span!, 1, date!, context)),
  asked('before', ({ span, date }, context) => shifted(span!, -1, date!, context)),
  asked('ahead', ({ span }, context) => shifted(span!, 1, 'today', context)),
  asked('ago', ({ span }, context) => shifted(span!, -1, 'today', context)),
  sumOfDate,
  asked('age', ageOf),
  asked('monthLength', monthLength),
  asked('weekNumber', weekNumber),
  asked('unix', unixTime),
  asked('weekday', ({ date = 'today' }, context) => dayOf(date, context)),
  loneDay,
]);

export const dates: AnswerBox = {
  name: 'dates',
  cacheMs: 0,
  matches: (query, context) => read(query, context) !== null,
  answer: read,
};

function between({ unit, first, last }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const asUnit = wordAmong(unit!, UNITS);
  const [from, to] = [parseWrittenDate(first!, now), parseWrittenDate(last!, now)];
  if (!asUnit || from === null || to === null) return null;
  const text = words.text('days.between', { first: words.day(from), last: words.day(to) });
  return computed('time', words.span(...spanBetween(from, to, asUnit)), text, context);
}

function fromToday(
  { unit, date: written }: Values,
  context: AnswerContext,
  side: 'until' | 'since',
): Answer | null {
  const { now, words } = context;
  const asUnit = unit === undefined ? 'day' : wordAmong(unit, UNITS);
  const direction: Direction = side === 'until' ? 'ahead' : 'behind';
  const date = asUnit && parseWrittenDate(written!, now, direction);
  if (!asUnit || date === null) return null;
  const today = startOfDay(now);
  const span = side === 'until' ? spanBetween(today, date, asUnit) : spanBetween(date, today, asUnit);
  return computed(
    'time',
    words.span(...span),
    words.text(`days.${side}`, { date: words.day(date) }),
    context,
  );
}

/** Answers a query that adds a duration to a date, such as `2024-02-28 + 2 weeks`. */
function sumOfDate(query: string, context: AnswerContext): Answer | null {
  const question = plainQuestion(query);
  const found = /\d/.test(question) && DATE_SUM.exec(withSigns(question));
  if (!found) return null;
  const [, date, sign, span] = found;
  return shifted(span!, sign === '+' ? 1 : -1, date!, context);
}

function shifted(span: string, sign: 1 | -1, date: string, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const [, figure, word] = /^(\d+|\p{L}+) ?(\p{L}[\p{L}\p{M}]*)$/u.exec(plainQuestion(span)) ?? [];
  const unit = word === undefined ? null : wordAmong(word, UNITS);
  const count = wordAmong(figure ?? '', ['one']) ? 1 : Number(figure);
  const from = unit && parseWrittenDate(date, now);
  if (!unit || from === null || Number.isNaN(count)) return null;
  const found = shift(from, count * sign, unit);
  if (Number.isNaN(found)) return null;
  const text = `${words.day(from)} ${sign > 0 ? '+' : '−'} ${words.span([count, unit])} =`;
  return computed('time', words.day(found), text, context);
}

/**
 * Answers `age of someone born 1990-05-02`. The date must have a year; otherwise the question is not about an
 * age.
 */
function ageOf({ date: written }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const date = /\d{4}/.test(written!) ? parseWrittenDate(written!, now) : null;
  const today = startOfDay(now);
  if (date === null || date > today) return null;
  const [years] = spanBetween(date, today, 'year');
  const days = Math.round((today - date) / DAY_MS);
  const text = words.text('age.born', { date: words.day(date), days: words.span([days, 'day']) });
  return computed('time', words.span(years!), text, context);
}

/** Answers how many days a month has. Uses the current year if the query gives none. */
function monthLength({ month, year }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const at = parseMonth(month!);
  if (at === null) return null;
  const lastDay = Date.UTC(year === undefined ? new Date(now).getUTCFullYear() : Number(year), at + 1, 0);
  return computed('time', words.span([new Date(lastDay).getUTCDate(), 'day']), words.month(lastDay), context);
}

function weekNumber({ date: written = 'today' }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const date = parseWrittenDate(written, now);
  if (date === null) return null;
  const { number, monday } = weekOf(date);
  const ends = { first: words.day(monday), last: words.day(monday + 6 * DAY_MS) };
  const title = words.text('week.title', { number: String(number) });
  return computed('time', title, words.text('days.between', ends), context);
}

/**
 * Converts a Unix time to a date, or a date to a Unix time; text that consists only of digits is a Unix time.
 */
function unixTime({ moment }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  if (moment !== undefined && /^\d{1,15}$/.test(moment)) {
    const ms = Number(moment) > MAX_SECONDS ? Number(moment) : Number(moment) * 1000;
    const title = `${words.day(ms)}, ${words.clock(ms)} UTC`;
    return computed('time', title, `${moment} =`, context);
  }
  const at = moment === undefined ? now : parseWrittenDate(moment, now);
  if (at === null) return null;
  return computed(
    'time',
    String(Math.floor(at / 1000)),
    `${words.day(at)}, ${words.clock(at)} UTC =`,
    context,
  );
}

function dayOf(text: string, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const date = parseWrittenDate(text, now);
  if (date === null) return null;
  const days = Math.round((date - startOfDay(now)) / DAY_MS);
  return computed('time', words.day(date), words.daysAhead(days), context);
}

/**
 * Answers a query that only names a day: `Easter 2027` or `today`. Words such as `today` are accepted only in
 * English and in the language of the searcher, because `hier` means yesterday only in French.
 */
function loneDay(query: string, context: AnswerContext): Answer | null {
  const forms = [QUESTION_LANGUAGES.en!, QUESTION_LANGUAGES[context.words.tag] ?? QUESTION_LANGUAGES.en!];
  const word = plainQuestion(query).toLowerCase();
  const isDay = forms.some(({ yesterday, today, tomorrow }) =>
    [...yesterday, ...today, ...tomorrow].includes(word),
  );
  const isHoliday = findHoliday(word.replace(/ \d{4}$/, '')) !== null && /\d{4}$/.test(word);
  return (isDay && word !== 'now') || isHoliday ? dayOf(query, context) : null;
}
