/**
 * Determines the language of a page from its statements and its words.
 *
 *   hreflang   the page lists its own URL with a language
 *   declared   `<html lang>` or Content-Language; English counts less, because templates declare it for any content
 *   URL        `/de/page`, `page.de.html`, `page_de.html`
 *   words      of the content; for the language in the URL, also of title and menus
 *
 * A long text in a clear language decides alone, so an untranslated English page below `/da/` is English. Otherwise each
 * statement has points, and each common word of the text is another point for its language. A page that is mostly a table is
 * in the language that its URL and its few words agree on. A code in a URL may have another meaning, as in `/it/` or
 * `sign_in`, so it counts only if the page has words of this language. A declared language that cannot be detected is never
 * overruled.
 */
import type { Page, Range } from '../page.ts';
import { DETECTABLE, detectLanguage } from './language.ts';

const LANGUAGE_TAG = /^[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,8}$/;
/** The maximum length of the sample of the content, and of the beginning of the page with its menus. */
const SAMPLE_UNITS = 600;
const PAGE_UNITS = 1_500;
/** The points of each kind of statement. */
const LISTED_POINTS = 5;
const DECLARED_POINTS = 5;
const DECLARED_ENGLISH_POINTS = 3;
const URL_POINTS = 4;
/** A language in the URL counts if the page has at least this number of points for it. */
const SUPPORT_POINTS = 0.3;

/** The characters of languages with a script of their own, for pages that are mostly numbers and formulas. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  zh: /\p{Script=Han}/gu,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu,
  ko: /\p{Script=Hangul}/gu,
  ru: /\p{Script=Cyrillic}/gu,
  uk: /\p{Script=Cyrillic}/gu,
  el: /\p{Script=Greek}/gu,
  he: /\p{Script=Hebrew}/gu,
  ar: /\p{Script=Arabic}/gu,
  fa: /\p{Script=Arabic}/gu,
  th: /\p{Script=Thai}/gu,
  hi: /\p{Script=Devanagari}/gu,
};
const MOST_SCRIPT_POINTS = 6;

/** The statements about the language of a page. Each is empty if there is none. */
interface LanguageStatements {
  declared: string;
  header: string;
  /** The language with which the page lists its own URL (`hreflang`). */
  listed: string;
  /** The language codes in the URL. */
  url: readonly string[];
}

interface Statement {
  tag: string;
  points: number;
}

/** Normalises a language tag: `en_US` and `EN-us` become `en-us`. An invalid tag gives the empty string. */
export function languageTag(raw: string): string {
  if (raw.length > 100) return '';
  const tag = raw.trim().toLowerCase().replaceAll('_', '-');
  return LANGUAGE_TAG.test(tag) ? tag : '';
}

/**
 * Decides the language of a page. `overruled` is the declared language tag if the page is in another language;
 * otherwise empty.
 */
export function settleLanguage(
  { declared, header, listed, url }: LanguageStatements,
  page: Pick<Page, 'title' | 'text' | 'boilerplate'>,
): { language: string; overruled: string } {
  const tag = knownTag(languageTag(declared) || languageTag(header.split(',', 1)[0]!));
  const detected = detectLanguage(sampleOf(page.text, page.boilerplate ?? []));
  const statements = new Map<string, Statement>();
  if (tag !== '') add(statements, tag, primaryOf(tag) === 'en' ? DECLARED_ENGLISH_POINTS : DECLARED_POINTS);
  if (knownTag(listed) !== '') add(statements, listed, LISTED_POINTS);
  if (!detected.isSure) addUrl(statements, url, page);
  const language = chooseLanguage(statements, detected, tag !== '');
  return { language, overruled: tag !== '' && primaryOf(tag) !== primaryOf(language) ? tag : '' };
}

function chooseLanguage(
  statements: ReadonlyMap<string, Statement>,
  { language, isSure, pointsOf }: ReturnType<typeof detectLanguage>,
  isDeclared: boolean,
): string {
  let best = '';
  let most = 0;
  for (const [primary, { points }] of statements) {
    const sum = points + pointsOf(primary);
    if (sum <= most) continue;
    best = primary;
    most = sum;
  }
  const isOverruled = isSure ? best === '' || DETECTABLE.has(best) : !isDeclared && pointsOf(language) > most;
  const chosen = best === '' || isOverruled ? language : best;
  return statements.get(chosen)?.tag ?? chosen;
}

function addUrl(
  statements: Map<string, Statement>,
  codes: readonly string[],
  { title, text }: Pick<Page, 'title' | 'text'>,
): void {
  if (codes.length === 0) return;
  const words = `${title}\n${text.slice(0, PAGE_UNITS)}`;
  const { pointsOf } = detectLanguage(words);
  for (const code of new Set(codes)) {
    const support = pointsOf(code) + scriptPoints(code, words);
    if (support >= SUPPORT_POINTS) add(statements, code, URL_POINTS + scriptPoints(code, words));
  }
}

/** Counts the characters of a script that only one language or few languages use, up to MOST_SCRIPT_POINTS. */
function scriptPoints(language: string, text: string): number {
  const script = SCRIPTS[language];
  return script ? Math.min(MOST_SCRIPT_POINTS, text.match(script)?.length ?? 0) : 0;
}

/** Adds the points of a statement. The first tag of a language is kept: `de-at`. */
function add(statements: Map<string, Statement>, tag: string, points: number): void {
  const primary = primaryOf(tag);
  const known = statements.get(primary);
  if (known) known.points += points;
  else statements.set(primary, { tag, points });
}

/** Returns the tag; the empty string if it stands for an unknown language or for several. */
function knownTag(tag: string): string {
  return tag === 'und' || tag === 'mul' || tag === 'x-default' ? '' : tag;
}

/**
 * Returns a sample of the text for detection: the beginning of the content without boilerplate. If there is
 * little such content, it is the beginning of the whole text.
 */
function sampleOf(text: string, boilerplate: readonly Range[]): string {
  let sample = '';
  let from = 0;
  for (const [start, end] of [...boilerplate, [text.length, text.length] as Range]) {
    sample += text.slice(from, Math.min(start, from + SAMPLE_UNITS));
    if (sample.length >= SAMPLE_UNITS) break;
    from = end;
  }
  return (sample.length < 200 ? text : sample).slice(0, SAMPLE_UNITS);
}

/**
 * Returns the primary language of a tag: `en-us` gives `en`. Both written forms of Norwegian give the same
 * language.
 */
function primaryOf(tag: string): string {
  const primary = tag.split('-', 1)[0]!;
  return primary === 'nb' || primary === 'nn' ? 'no' : primary;
}
