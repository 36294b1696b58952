/**
 * Question forms that boxes can answer: patterns in one JSON file per language, with placeholders for values.
 *
 *   "until": ["(?:how many )?{unit} (?:until|till|to) {date}"]
 *
 * A pattern is a regular expression with placeholders. All languages are tried, regardless of the UI
 * language: a searcher with an English browser may ask in German. After the patterns, the files contain word
 * lists: `week` lists the words for weeks, `times` the words for `×`. A new language is a file with the same
 * keys and a line in `QUESTION_LANGUAGES`.
 */

import arabic from './ar.json' with { type: 'json' };
import german from './de.json' with { type: 'json' };
import english from './en.json' with { type: 'json' };
import { latinDigits } from './figures.ts';
import french from './fr.json' with { type: 'json' };

type QuestionForms = Readonly<Record<keyof typeof english, readonly string[]>>;
type Form = keyof QuestionForms;
/** Forms that are patterns of questions. */
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

/** Patterns of placeholders; any other placeholder matches any text. */
const PLACES: Readonly<Record<string, string>> = {
  clock: '(?<hour>\\d{1,2})(?:[:h](?<minute>\\d{2})| ?h)? ?(?<half>am|pm|a\\.m\\.|p\\.m\\.)?',
  year: '(?<year>\\d{4})',
  unit: '(?<unit>[^\\s\\d]+)',
  span: '(?<span>(?:\\d{1,6} ?|[^\\s\\d]+ )[^\\s\\d]+)',
};

/** The arithmetic signs, each under the name of the list of words that mean it. */
const SIGNS = {
  ...{ plus: '+', minus: '−', times: '×', over: '÷', power: '^', squareRoot: '√', cubeRoot: '∛' },
  ...{ squared: '^2', cubed: '^3', percent: '%', degrees: '°' },
} as const satisfies Partial<Record<Form, string>>;

const compiled = new Map<Question, readonly RegExp[]>();
/**
 * The last query and its normalized form, which is computed once because all question forms are tried on one query in
 * turn.
 */
let last = { query: '', plain: '' };
let signs: readonly (readonly [words: RegExp, sign: string])[] | null = null;

/** Returns the placeholder values of every pattern that the query matches. */
export function readings(question: Question, query: string): Values[] {
  const text = plainQuestion(query);
  return patternsOf(question).flatMap((pattern) => {
    const found = pattern.exec(text);
    return found ? [{ ...found.groups }] : [];
  });
}

/** Returns the word list that contains the text, such as `week` for `Wochen`; null if none does. */
export function wordAmong<Word extends Form>(text: string, words: readonly Word[]): Word | null {
  const plain = plainQuestion(text).toLowerCase();
  const isIn = (word: Word) => Object.values(QUESTION_LANGUAGES).some((forms) => forms[word].includes(plain));
  return words.find(isIn) ?? null;
}

/**
 * Replaces words by signs: `2 to the power of 10` becomes `2 ^ 10`. An x with blanks between numbers becomes
 * `×`.
 */
export function withSigns(text: string): string {
  signs ??= Object.entries(SIGNS).map(([form, sign]) => [anyOf(form as Form), sign] as const);
  let signed = text.replace(/(?<=[\d)]) x (?=[\d(])/gi, ' × ');
  for (const [words, sign] of signs) signed = signed.replace(words, sign);
  return signed.replace(/ (?=\^\d|%|°)/g, '');
}

/** Normalizes digits and apostrophes to the form in the files, and removes the question mark at the end. */
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
 * In `5 ft 6 in to cm`, the first or the last "in" or "to" may separate the quantity from the unit. Both
 * readings are tried: shortest and longest quantity.
 */
function patternsFor(sentence: string, forms: QuestionForms): RegExp[] {
  const sources = sentence.includes('{quantity}')
    ? [sentence, sentence.replace('{quantity}', '(?<quantity>.+)')]
    : [sentence];
  return sources.map((source) => {
    const places = { ...PLACES, fact: `(?<fact>${forms.fact.join('|')})` } as Values;
    const filled = source.replace(/\{(\w+)\}/g, (_all, name: string) => places[name] ?? `(?<${name}>.+?)`);
    // Without the flag `u`: all characters are in the Basic Multilingual Plane, and compiling with `u` takes
    // three times as long.
    return new RegExp(`^${filled}$`, 'i');
  });
}

/** Tries the longest words first: `to the power of` before `to the power`. */
function anyOf(form: Form): RegExp {
  const words = Object.values(QUESTION_LANGUAGES).flatMap((forms) => forms[form]);
  words.sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${words.join('|')})(?![\\p{L}\\p{M}])`, 'giu');
}
