/**
 * The messages of answer boxes in one language, from a JSON file in this folder, and dates, amounts and units
 * in the format of that language (`Intl`). Languages without a file use English.
 */
import arabic from './ar.json' with { type: 'json' };
import german from './de.json' with { type: 'json' };
import english from './en.json' with { type: 'json' };
import french from './fr.json' with { type: 'json' };

export type AnswerMessage = keyof typeof english;
type AnswerMessages = Readonly<Record<AnswerMessage, string>>;

export const ANSWER_LANGUAGES: Readonly<Record<string, AnswerMessages>> = {
  en: english,
  de: german,
  fr: french,
  ar: arabic,
};

/**
 * The locales that differ from the language tag. English texts use British English, which has the day first and
 * 24 hours.
 */
const LOCALES: Readonly<Record<string, string>> = { en: 'en-GB' };

type TimeUnit = 'year' | 'month' | 'week' | 'day' | 'hour' | 'minute';

export class AnswerWords {
  readonly tag: string;
  readonly #messages: AnswerMessages;
  readonly #locale: string;
  readonly #decimal: string;
  readonly #group: string;

  constructor(tag: string, messages: AnswerMessages) {
    this.tag = tag;
    this.#messages = messages;
    this.#locale = LOCALES[tag] ?? tag;
    const marks = new Intl.NumberFormat(this.#locale, { numberingSystem: 'latn' }).formatToParts(12345.5);
    this.#decimal = marks.find(({ type }) => type === 'decimal')!.value;
    this.#group = marks.find(({ type }) => type === 'group')!.value;
  }

  text(key: AnswerMessage, values: Readonly<Record<string, string>> = {}): string {
    return this.#messages[key].replace(/\{(\w+)\}/g, (_place, name: string) => values[name] ?? '');
  }

  /** Describes the sky by a weather code of WMO table 4677. */
  sky(code: number | null): string {
    const key = `sky.${code}` as AnswerMessage;
    return this.text(Object.hasOwn(this.#messages, key) ? key : 'sky.unknown');
  }

  /** Formats `Wednesday 15 July 2026`, without the comma that some versions of the English locale data have. */
  day(ms: number, timeZone = 'UTC'): string {
    const written = this.#date(ms, { timeZone, dateStyle: 'full' });
    return this.tag === 'en' ? written.replace(',', '') : written;
  }

  /** Formats a date as `15 Jul 2026`. */
  shortDay(ms: number): string {
    return this.#date(ms, { timeZone: 'UTC', dateStyle: 'medium' });
  }

  /** Formats a month as `July 2026`. */
  month(ms: number): string {
    return this.#date(ms, { timeZone: 'UTC', month: 'long', year: 'numeric' });
  }

  weekday(ms: number): string {
    return this.#date(ms, { timeZone: 'UTC', weekday: 'long' });
  }

  time(ms: number, timeZone: string): string {
    return this.#date(ms, { timeZone, timeStyle: 'short' });
  }

  /** Formats the time with seconds, in UTC. */
  clock(ms: number): string {
    return this.#date(ms, { timeZone: 'UTC', timeStyle: 'medium' });
  }

  /**
   * Formats a duration as `1 year, 2 months`. Units with a count of zero are left out, except the last unit
   * if all are zero.
   */
  span(...parts: readonly (readonly [count: number, unit: TimeUnit])[]): string {
    const told = parts.filter(([count], at) => count !== 0 || at === parts.length - 1);
    const shown = told.length > 1 && told.at(-1)![0] === 0 ? told.slice(0, -1) : told;
    const written = shown.map(([count, unit]) =>
      this.#number(count, { style: 'unit', unit, unitDisplay: 'long' }),
    );
    return new Intl.ListFormat(this.#locale, { type: 'unit', style: 'long' }).format(written);
  }

  /** Formats a number of days from today as `in 170 days` or `yesterday`. */
  daysAhead(count: number): string {
    return new Intl.RelativeTimeFormat(this.#locale, { numeric: 'auto' }).format(count, 'day');
  }

  /** Formats a number that is already a percentage: `12.5` becomes `12.5%`. */
  percent(figure: string): string {
    const parts = new Intl.NumberFormat(this.#locale, { style: 'percent' }).formatToParts(1);
    return parts.map(({ type, value }) => (type === 'integer' ? figure : value)).join('');
  }

  /** Replaces the separators of an English number by those of this language: `1,234.5` becomes `1.234,5`. */
  figure(english: string): string {
    return english.replace(/(?<=\d)[.,](?=\d)/g, (mark) => (mark === '.' ? this.#decimal : this.#group));
  }

  degrees(celsius: number): string {
    return `${this.#number(Math.round(celsius), {})} °C`;
  }

  speed(kilometresPerHour: number): string {
    return this.#number(Math.round(kilometresPerHour), { style: 'unit', unit: 'kilometer-per-hour' });
  }

  share(percent: number): string {
    return this.#number(Math.round(percent) / 100, { style: 'percent' });
  }

  count(value: number): string {
    return this.#number(value, {});
  }

  language(tag: string): string {
    return new Intl.DisplayNames(this.#locale, { type: 'language' }).of(tag) ?? tag;
  }

  /** Formats a price. Throws if `currency` is not a currency code. */
  price(amount: number, currency: string): string {
    return this.#number(amount, { style: 'currency', currency });
  }

  #date(ms: number, options: Intl.DateTimeFormatOptions): string {
    return new Intl.DateTimeFormat(this.#locale, options).format(ms);
  }

  #number(value: number, options: Intl.NumberFormatOptions): string {
    return new Intl.NumberFormat(this.#locale, options).format(value).replace('-', '−');
  }
}

const byTag = new Map(
  Object.entries(ANSWER_LANGUAGES).map(([tag, messages]) => [tag, new AnswerWords(tag, messages)]),
);

export const ENGLISH_ANSWERS: AnswerWords = byTag.get('en')!;

export function answerWords(tag: string): AnswerWords {
  return byTag.get(tag) ?? ENGLISH_ANSWERS;
}
