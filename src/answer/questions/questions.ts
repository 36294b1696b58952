/**
 * Matches queries against question forms, which are patterns with placeholders for values, in one JSON file
 * per language.
 *
 *   "until": ["(?:how many )?{unit} (?:until|till|to) {date}"]
 *
 * A pattern is a regular expression with placeholders. All languages are tried, regardless of the UI
 * language: a searcher with an English browser may ask in German. After the patterns, the files contain word
 * lists: `week` lists the words for weeks, `times` the words for `×`. To add a language, add a file with the
 * same keys and a line in `QUESTION_LANGUAGES`.
 */

import arabic from './ar.json' with { type: 'json' };
import german from './de.json' with { type: 'json' };
import english from './en.json' with { type: 'json' };
import { latinDigits } from './figures.ts';
import french from './fr.json' with { type: 'json' };

type QuestionForms = Readonly<Record<keyof typeof english, readonly string[]>>;
type Form = keyof QuestionForms;
/** The names of the forms that are patterns of questions. Other forms are word lists. */
export type Question = Extract<
  Form,
  | ('time' | 'clock' | 'difference' | 'between' | 'until' | 'since' | 'after' | 'before' | 'ahead' | 'ago')
  | (
      | 'weekday'
      | 'monthLength'
      | 'weekNumber'
      | 'age'
      | 'unix'
      | 'calculate'
      | 'share'
      | 'part'
      | 'off'
      | 'portion'
      | 'change'
    )
  | ('convert' | 'numeral' | 'subject' | 'weather')
>;
export type Values = Readonly<Record<string, string>>;

export const QUESTION_LANGUAGES: Readonly<Record<string, QuestionForms>> = {
  en: english,
  de: german,
  fr: french,
  ar: arabic,
};

/** The regular expressions for placeholders. A placeholder that is not listed here matches any text. */
const PLACES: Readonly<Record<string, string>> = {
  clock: '(?<hour>\\d{1,2})(?:[:h](?<minute>\\d{2})| ?h)? ?(?<half>am|pm|a\\.m\\.|p\\.m\\.)?',
  year: '(?<year>\\d{4})',
  unit: '(?<unit>[^\\s\\d]+)',
  span: '(?<span>(?:\\d{1,6} ?|[^\\s\\d]+ )[^\\s\\d]+)',
};

/** The arithmetic signs, each under the name of the word list that means it: `times` for `×`. */
const SIGNS = {
  ...{ plus: '+', minus: '−', times: '×', over: '÷', power: '^', squareRoot: '√', cubeRoot: '∛' },
  ...{ squared: '^2', cubed: '^3', percent: '%', degrees: '°' },
} as const satisfies Partial<Record<Form, string>>;

const compiled = new Map<Question, readonly RegExp[]>();
/**
 * The last query and its normalized form. It is kept because all question forms are tried on one query in
 * turn.
 */
let last = { query: '', plain: '' };
let signs: readonly (readonly [words: RegExp, sign: string])[] | null = null;

/** Returns the values of the placeholders for every pattern of a question that the query matches. */
export function readings(question: Question, query: string): Values[] {
  const text = plainQuestion(query);
  return patternsOf(question).flatMap((pattern) => {
    const found = pattern.exec(text);
    return found ? [{ ...found.groups }] : [];
  });
}

/**
 * Returns the name of the word list that contains the text, such as `week` for `Wochen`; null if no list
 * contains it.
 */
export function wordAmong<Word extends Form>(text: string, words: readonly Word[]): Word | null {
  const plain = plainQuestion(text).toLowerCase();
  const isIn = (word: Word) => Object.values(QUESTION_LANGUAGES).some((forms) => forms[word].includes(plain));
  return words.find(isIn) ?? null;
}

/**
 * Replaces words by arithmetic signs: `2 to the power of 10` becomes `2 ^ 10`. An x with blanks between
 * numbers becomes `×`.
 */
export function withSigns(text: string): string {
  signs ??= Object.entries(SIGNS).map(([form, sign]) => [anyOf(form as Form), sign] as const);
  let signed = text.replace(/(?<=[\d)]) x (?=[\d(])/gi, ' × ');
  for (const [words, sign] of signs) signed = signed.replace(words, sign);
  return signed.replace(/ (?=\^\d|%|°)/g, '');
}

/**
 * Normalizes a query for matching: digits and apostrophes get the form that the files use, and the question
 * mark at the end is removed.
 */
export function plainQuestion(query: string): string {
  if (query !== last.query) last = { query, plain: madePlain(query) };
  return last.plain;
}

function madePlain(query: string): string {
  return latinDigits(query)
    .replace(/[’ʼ′]/g, "'")
    .replace(/[“”″]|''/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ ?[?؟]$/, '');
}

function patternsOf(question: Question): readonly RegExp[] {
  const known = compiled.get(question);
  if (known) return known;
  const patterns = Object.values(QUESTION_LANGUAGES).flatMap((forms) =>
    forms[question].flatMap((sentence) => patternsFor(sentence, forms)),
  );
  compiled.set(question, patterns);
  return patterns;
}

/**
 * Returns the patterns of a question form. In `5 ft 6 in to cm`, the first or the last "in" or "to" may
 * separate the quantity from the unit. Therefore there are two patterns, for the shortest and for the longest
 * quantity.
 */
function patternsFor(sentence: string, forms: QuestionForms): RegExp[] {
  const sources = sentence.includes('{quantity}')
    ? [sentence, sentence.replace('{quantity}', '(?<quantity>.+)')]
    : [sentence];
  return sources.map((source) => {
    const places = { ...PLACES, fact: `(?<fact>${forms.fact.join('|')})` } as Values;
    const filled = source.replace(/\{(\w+)\}/g, (_all, name: string) => places[name] ?? `(?<${name}>.+?)`);
    // The flag `u` is not used: all characters are in the Basic Multilingual Plane, and compiling with `u`
    // takes three times as long.
    return new RegExp(`^${filled}$`, 'i');
  });
}

/**
 * Returns a pattern that matches any word of a list. The longest words come first: `to the power of` before
 * `to the power`.
 */
function anyOf(form: Form): RegExp {
  const words = Object.values(QUESTION_LANGUAGES).flatMap((forms) => forms[form]);
  words.sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${words.join('|')})(?![\\p{L}\\p{M}])`, 'giu');
}
