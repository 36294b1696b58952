/**
 * Questions that are answered by working them out, as people put them: sentences in a file per language, with places
 * for what they are about.
 *
 *   "until": ["(?:how many )?days (?:until|till|to) {date}"]
 *
 * A sentence is a regular expression around its places. All languages are tried, whatever that of the page is: who
 * asks in German may have an English browser. A new language is a file with the same keys and a line in `LANGUAGES`.
 */
import { latinDigits } from '../figures.ts';
import arabic from './ar.json' with { type: 'json' };
import german from './de.json' with { type: 'json' };
import english from './en.json' with { type: 'json' };
import french from './fr.json' with { type: 'json' };

export type QuestionForms = Readonly<Record<keyof typeof english, readonly string[]>>;
type Form = keyof QuestionForms;
export type Question = Extract<
  Form,
  'time' | 'clock' | 'between' | 'until' | 'since' | 'weekday' | 'calculate' | 'share' | 'convert'
>;

export const LANGUAGES: Readonly<Record<string, QuestionForms>> = {
  en: english,
  de: german,
  fr: french,
  ar: arabic,
};

/** What may stand in a place; anything, unless it is here. */
const PLACES: Readonly<Record<string, string>> = {
  clock: '(?<hour>\\d{1,2})(?:[:h](?<minute>\\d{2})| ?h)? ?(?<half>am|pm)?',
  amount: '(?<amount>[-−]?[\\d.,]*\\d(?:e[+-]?\\d{1,3})?)',
  unit: '(?<unit>[^\\s\\d]\\S{0,20}(?: \\S{1,20})??)',
  into: '(?<into>\\S{1,20}(?: \\S{1,20})??)',
};

const compiled = new Map<Form, readonly RegExp[]>();

/** What stands in the places of every sentence that the query is an instance of. */
export function readings(question: Question, query: string): Readonly<Record<string, string>>[] {
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

/** With figures and apostrophes as the files have them, and without the mark at the end. */
export function plainQuestion(query: string): string {
  return latinDigits(query)
    .replace(/[’ʼ]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ ?[?؟]$/, '');
}

function patternsOf(question: Question): readonly RegExp[] {
  const known = compiled.get(question);
  if (known) return known;
  const patterns = Object.values(LANGUAGES).flatMap((forms) => forms[question].map(patternOf));
  compiled.set(question, patterns);
  return patterns;
}

function patternOf(sentence: string): RegExp {
  const source = sentence.replace(/\{(\w+)\}/g, (_all, name: string) => PLACES[name] ?? `(?<${name}>.+?)`);
  return new RegExp(`^${source}$`, 'iu');
}
