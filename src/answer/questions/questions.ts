/**
 * Questions that are answered by working them out, as people put them: sentences in a file per language, with places
 * for what they are about.
 *
 *   "until": ["(?:how many )?{unit} (?:until|till|to) {date}"]
 *
 * A sentence is a regular expression around its places. All languages are tried, whatever that of the page is: who
 * asks in German may have an English browser. Below the sentences the files have words: `week` is what weeks are called,
 * `times` what is said for `×`. A new language is a file with the same keys and a line in `LANGUAGES`.
 */
import { latinDigits } from '../figures.ts';
import arabic from './ar.json' with { type: 'json' };
import german from './de.json' with { type: 'json' };
import english from './en.json' with { type: 'json' };
import french from './fr.json' with { type: 'json' };

export type QuestionForms = Readonly<Record<keyof typeof english, readonly string[]>>;
export type Form = keyof QuestionForms;
/** Forms that are sentences. */
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

export const LANGUAGES: Readonly<Record<string, QuestionForms>> = {
  en: english,
  de: german,
  fr: french,
  ar: arabic,
};

/** What may stand in a place; anything, unless it is here. */
const PLACES: Readonly<Record<string, string>> = {
  clock: '(?<hour>\\d{1,2})(?:[:h](?<minute>\\d{2})| ?h)? ?(?<half>am|pm|a\\.m\\.|p\\.m\\.)?',
  year: '(?<year>\\d{4})',
  unit: '(?<unit>[^\\s\\d]+)',
  span: '(?<span>(?:\\d{1,6} ?|[^\\s\\d]+ )[^\\s\\d]+)',
};

/** Signs of arithmetic, for the words that mean them. */
const SIGNS = {
  ...{ plus: '+', minus: '−', times: '×', over: '÷', power: '^', squareRoot: '√', cubeRoot: '∛' },
  ...{ squared: '^2', cubed: '^3', percent: '%', degrees: '°' },
} as const satisfies Partial<Record<Form, string>>;

const compiled = new Map<Question, readonly RegExp[]>();
/** A query is looked at by one question after the other. */
let last = { query: '', plain: '' };
let signs: readonly (readonly [words: RegExp, sign: string])[] | null = null;

/** What stands in the places of every sentence that the query is an instance of. */
export function readings(question: Question, query: string): Values[] {
  const text = plainQuestion(query);
  return patternsOf(question).flatMap((pattern) => {
    const found = pattern.exec(text);
    return found ? [{ ...found.groups }] : [];
  });
}

/** Which of the words it is, such as `week` for `Wochen`; null if none. */
export function wordAmong<Word extends Form>(text: string, words: readonly Word[]): Word | null {
  const plain = plainQuestion(text).toLowerCase();
  const isIn = (word: Word) => Object.values(LANGUAGES).some((forms) => forms[word].includes(plain));
  return words.find(isIn) ?? null;
}

/** `2 to the power of 10` as `2 ^ 10`: what stands between figures in words, and an x with blanks around it. */
export function withSigns(text: string): string {
  signs ??= Object.entries(SIGNS).map(([form, sign]) => [anyOf(form as Form), sign] as const);
  let signed = text.replace(/(?<=[\d)]) x (?=[\d(])/gi, ' × ');
  for (const [words, sign] of signs) signed = signed.replace(words, sign);
  return signed.replace(/ (?=\^\d|%|°)/g, '');
}

/** With figures and apostrophes as the files have them, and without the mark at the end. */
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
  const patterns = Object.values(LANGUAGES).flatMap((forms) =>
    forms[question].flatMap((sentence) => patternsFor(sentence, forms)),
  );
  compiled.set(question, patterns);
  return patterns;
}

/** `5 ft 6 in to cm` has two words between a quantity and its unit: the first may be meant, or the last. */
function patternsFor(sentence: string, forms: QuestionForms): RegExp[] {
  const sources = sentence.includes('{quantity}')
    ? [sentence, sentence.replace('{quantity}', '(?<quantity>.+)')]
    : [sentence];
  return sources.map((source) => {
    const places = { ...PLACES, fact: `(?<fact>${forms.fact.join('|')})` } as Values;
    const filled = source.replace(/\{(\w+)\}/g, (_all, name: string) => places[name] ?? `(?<${name}>.+?)`);
    // Without `u`: all are in the first plane, and it takes three times as long to compile with it.
    return new RegExp(`^${filled}$`, 'i');
  });
}

/** The longest first: `to the power of` before `to the power`. */
function anyOf(form: Form): RegExp {
  const words = Object.values(LANGUAGES).flatMap((forms) => forms[form]);
  words.sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${words.join('|')})(?![\\p{L}\\p{M}])`, 'giu');
}
