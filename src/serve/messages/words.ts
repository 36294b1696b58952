/**
 * Provides the UI messages in one language, from a JSON file in this folder, and formats numbers and dates
 * for that language.
 *
 *   "results.count": { "one": "{count} result", "other": "{count} results" }
 *
 * A message is plain text with placeholders for values in braces. If it has several forms, `count` selects
 * one by the plural rules of the language (Unicode CLDR, through `Intl`). Numbers are formatted when they are
 * inserted. To add a language, add a file with the same keys and a line in `MESSAGE_LANGUAGES`. A test
 * compares the keys with English.
 */
import { BoundedCache, DAY_MS } from '../../base/mod.ts';
import { type Html, type HtmlValue, html } from '../html.ts';
import arabic from './ar.json' with { type: 'json' };
import german from './de.json' with { type: 'json' };
import english from './en.json' with { type: 'json' };
import french from './fr.json' with { type: 'json' };

export type MessageKey = keyof typeof english;
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
type Messages = Readonly<Record<MessageKey, Message>>;

interface Language {
  tag: string;
  direction: 'ltr' | 'rtl';
  messages: Messages;
}

/** The available languages. The first is the default for searchers whose languages are not available. */
export const MESSAGE_LANGUAGES: readonly Language[] = [
  { tag: 'en', direction: 'ltr', messages: english },
  { tag: 'de', direction: 'ltr', messages: german },
  { tag: 'fr', direction: 'ltr', messages: french },
  { tag: 'ar', direction: 'rtl', messages: arabic },
];

export function isMessage(key: string): key is MessageKey {
  return Object.hasOwn(english, key);
}

const PLACE = /\{(\w+)\}/;
const MAX_REMEMBERED = 1000;

/**
 * Matches a language tag with an optional script and an optional region, such as `zh-hant-tw`.
 * `Intl.DisplayNames` throws for other tags.
 */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;

export class Words {
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  readonly #messages: Messages;
  /** The messages without placeholders, by key. Most messages have none. */
  readonly #plain: ReadonlyMap<string, string>;
  /** The parsed messages by key. In each message, text and the names of placeholders alternate. */
  readonly #parts = new Map<string, readonly string[]>();
  readonly #plural: Intl.PluralRules;
  readonly #number: Intl.NumberFormat;
  readonly #factor: Intl.NumberFormat;
  readonly #date: Intl.DateTimeFormat;
  readonly #moment: Intl.DateTimeFormat;
  readonly #exactMoment: Intl.DateTimeFormat;
  readonly #languageNames: Intl.DisplayNames;
  readonly #milliseconds: Intl.NumberFormat;
  readonly #seconds: Intl.NumberFormat;
  /**
   * Caches of formatted days and whole numbers. Formatting them each time would take longer than the rest of
   * a page.
   */
  readonly #days = BoundedCache.clearedWhenFull<number, string>(MAX_REMEMBERED);
  readonly #counts = BoundedCache.clearedWhenFull<number, string>(MAX_REMEMBERED);
  readonly #prices = new Map<string, Intl.NumberFormat>();

  constructor({ tag, direction, messages }: Language) {
    this.tag = tag;
    this.direction = direction;
    this.#messages = messages;
    this.#plain = plainMessages(messages);
    this.#plural = new Intl.PluralRules(tag);
    this.#number = new Intl.NumberFormat(tag, { maximumFractionDigits: 2 });
    this.#factor = new Intl.NumberFormat(tag, { maximumSignificantDigits: 3 });
    this.#date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' });
    this.#moment = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
    this.#exactMoment = new Intl.DateTimeFormat(tag, {
      dateStyle: 'long',
      timeStyle: 'long',
      timeZone: 'UTC',
    });
    this.#languageNames = new Intl.DisplayNames(tag, { type: 'language' });
    this.#milliseconds = unitFormat(tag, 'millisecond');
    this.#seconds = unitFormat(tag, 'second');
  }

  text(key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string {
    const plain = this.#plain.get(key);
    if (plain !== undefined) return plain;
    const pieces = this.#pieces(key, values);
    if (pieces.length === 1) return pieces[0]!;
    return pieces.map((piece, at) => (at % 2 === 0 ? piece : this.#written(values[piece]!))).join('');
  }

  /** Returns a message as HTML. Its values may be markup. */
  markup(key: MessageKey, values: Readonly<Record<string, string | number | Html>>): Html {
    const pieces = this.#pieces(key, values).map((piece, at): HtmlValue => {
      const value = at % 2 === 0 ? piece : values[piece]!;
      return typeof value === 'number' ? this.#written(value) : value;
    });
    return html`${pieces}`;
  }

  number(value: number): string {
    if (!Number.isInteger(value)) return this.#number.format(value);
    return this.#counts.remember(value, () => this.#number.format(value));
  }

  /** Formats a factor of a product with three significant digits, so that a small factor is not shown as 0. */
  factor(value: number): string {
    return this.#factor.format(value);
  }

  /**
   * Formats a day: `1 Jun 2025`. All times are in UTC, because the server does not know the searcher's time
   * zone.
   */
  date(ms: number): string {
    return this.#days.remember(Math.floor(ms / DAY_MS), () => this.#date.format(ms));
  }

  /** Formats a date with hour and minute. */
  moment(ms: number): string {
    return this.#moment.format(ms);
  }

  /** Formats a date with the time in seconds and the time zone, because two copies may be from the same minute. */
  exactMoment(ms: number): string {
    return this.#exactMoment.format(ms);
  }

  /** Formats a duration: `0.4 ms`, `12 ms`, `1.3 s`. The smallest duration that is shown is 0.1 ms. */
  duration(ms: number): string {
    const rounded = ms < 10 ? Math.max(0.1, ms) : Math.round(ms);
    return rounded < 1000 ? this.#milliseconds.format(rounded) : this.#seconds.format(ms / 1000);
  }

  /** Formats a price. `currency` is an ISO 4217 code such as `EUR`. */
  price(amount: number, currency: string): string {
    const known = this.#prices.get(currency);
    const format = known ?? new Intl.NumberFormat(this.tag, { style: 'currency', currency });
    if (!known && this.#prices.size < MAX_REMEMBERED) this.#prices.set(currency, format);
    return format.format(amount);
  }

  /**
   * Returns the name of a language. If the tag is not well-formed, returns the tag, because pages declare any
   * text as their language.
   */
  languageName(tag: string): string {
    return LANGUAGE_TAG.test(tag) ? (this.#languageNames.of(tag) ?? tag) : tag;
  }

  #pieces(key: MessageKey, values: Readonly<Record<string, unknown>>): readonly string[] {
    const message = this.#messages[key];
    if (typeof message === 'string') return this.#partsOf(message);
    const form = this.#plural.select(Number(values.count));
    return this.#partsOf(message[form] ?? message.other!);
  }

  #partsOf(message: string): readonly string[] {
    const known = this.#parts.get(message);
    if (known) return known;
    const parts = message.split(PLACE);
    this.#parts.set(message, parts);
    return parts;
  }

  #written(value: string | number): string {
    return typeof value === 'number' ? this.number(value) : value;
  }
}

function plainMessages(messages: Messages): ReadonlyMap<string, string> {
  const plain = Object.entries(messages).filter(([, message]) => typeof message === 'string');
  return new Map((plain as [string, string][]).filter(([, message]) => !PLACE.test(message)));
}

function unitFormat(tag: string, unit: string): Intl.NumberFormat {
  return new Intl.NumberFormat(tag, { style: 'unit', unit, maximumFractionDigits: 1 });
}

const byTag = new Map(MESSAGE_LANGUAGES.map((language) => [language.tag, new Words(language)]));

export const ENGLISH_MESSAGES = byTag.get('en')!;

/** Returns the messages for a language tag; null if the language is not available. */
export function messagesOf(tag: string): Words | null {
  return byTag.get(tag) ?? null;
}

/** Returns the messages in the available language that the browser prefers. */
export function wordsFor(acceptLanguage: string): Words {
  const inOrder = acceptedLanguages(acceptLanguage);
  const known = inOrder.map((name) => (name === '*' ? ENGLISH_MESSAGES : messagesOf(name)));
  return known.find((words) => words !== null) ?? ENGLISH_MESSAGES;
}

/**
 * Returns the language that the browser prefers, as a primary language subtag; empty if the browser names
 * none.
 */
export function languageFor(acceptLanguage: string): string {
  const [first = ''] = acceptedLanguages(acceptLanguage);
  return /^[a-z]{2,3}$/.test(first) ? first : '';
}

/** Returns the primary language subtags that the browser accepts, the best first (RFC 9110, § 12.5.4). */
function acceptedLanguages(acceptLanguage: string): string[] {
  const ranges = acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = Number(/^q=([\d.]+)$/.exec(parameters[0] ?? 'q=1')?.[1] ?? 0);
      return { name: name.split('-', 1)[0]!, quality };
    });
  return ranges
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ name }) => name);
}
