/**
 * Dates, asked for in the languages of questions/:
 *
 *   days until Christmas              weeks between 2024-02-28 and 2024-03-01
 *   2024-02-28 + 2 weeks              90 days after 3 May 2026, 3 weeks ago
 *   what day is 2000-01-01            week number, when is Easter
 *   age of someone born 1990-05-02    unix time 1700000000
 *
 * Days are reckoned in UTC: the engine does not know where its searcher is.
 */
import { type Answer, type AnswerBox, type AnswerContext, computed } from './answer-box.ts';
import { DAY_MS, shift, spanBetween, startOfDay, weekOf } from './calendar.ts';
import { findHoliday } from './holidays.ts';
import { asked, firstOf } from './questions/asked.ts';
import { LANGUAGES, plainQuestion, type Values, withSigns, wordAmong } from './questions/questions.ts';
import { type Direction, parseDate, parseMonth } from './written-dates.ts';

const UNITS = ['day', 'week', 'month', 'year'] as const;
/** Behind it, seconds are milliseconds: it is the year 5138. */
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
  const [from, to] = [parseDate(first!, now), parseDate(last!, now)];
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
  const date = asUnit && parseDate(written!, now, direction);
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

/** `2024-02-28 + 2 weeks`. */
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
  const from = unit && parseDate(date, now);
  if (!unit || from === null || Number.isNaN(count)) return null;
  const found = shift(from, count * sign, unit);
  if (Number.isNaN(found)) return null;
  const text = `${words.day(from)} ${sign > 0 ? '+' : '−'} ${words.span([count, unit])} =`;
  return computed('time', words.day(found), text, context);
}

/** Of a day with its year: without one nobody's age is asked for. */
function ageOf({ date: written }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const date = /\d{4}/.test(written!) ? parseDate(written!, now) : null;
  const today = startOfDay(now);
  if (date === null || date > today) return null;
  const [years] = spanBetween(date, today, 'year');
  const days = Math.round((today - date) / DAY_MS);
  const text = words.text('age.born', { date: words.day(date), days: words.span([days, 'day']) });
  return computed('time', words.span(years!), text, context);
}

/** Of this year, if none is told. */
function monthLength({ month, year }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const at = parseMonth(month!);
  if (at === null) return null;
  const lastDay = Date.UTC(year === undefined ? new Date(now).getUTCFullYear() : Number(year), at + 1, 0);
  return computed('time', words.span([new Date(lastDay).getUTCDate(), 'day']), words.month(lastDay), context);
}

function weekNumber({ date: written = 'today' }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  const date = parseDate(written, now);
  if (date === null) return null;
  const { number, monday } = weekOf(date);
  const ends = { first: words.day(monday), last: words.day(monday + 6 * DAY_MS) };
  const title = words.text('week.title', { number: String(number) });
  return computed('time', title, words.text('days.between', ends), context);
}

/** Of a moment, or the moment of such a time: which of both, its figures tell. */
function unixTime({ moment }: Values, context: AnswerContext): Answer | null {
  const { now, words } = context;
  if (moment !== undefined && /^\d{1,15}$/.test(moment)) {
    const ms = Number(moment) > MAX_SECONDS ? Number(moment) : Number(moment) * 1000;
    const title = `${words.day(ms)}, ${words.clock(ms)} UTC`;
    return computed('time', title, `${moment} =`, context);
  }
  const at = moment === undefined ? now : parseDate(moment, now);
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
  const date = parseDate(text, now);
  if (date === null) return null;
  const days = Math.round((date - startOfDay(now)) / DAY_MS);
  return computed('time', words.day(date), words.daysAhead(days), context);
}

/**
 * `Easter 2027`; `today` and its like, in the searcher's own language: `hier` is yesterday only for those who speak
 * French.
 */
function loneDay(query: string, context: AnswerContext): Answer | null {
  const forms = [LANGUAGES.en!, LANGUAGES[context.words.tag] ?? LANGUAGES.en!];
  const word = plainQuestion(query).toLowerCase();
  const isDay = forms.some(({ yesterday, today, tomorrow }) =>
    [...yesterday, ...today, ...tomorrow].includes(word),
  );
  const isHoliday = findHoliday(word.replace(/ \d{4}$/, '')) !== null && /\d{4}$/.test(word);
  return (isDay && word !== 'now') || isHoliday ? dayOf(query, context) : null;
}
