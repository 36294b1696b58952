/**
 * Converts a word to the term under which it is indexed: stemmed by the rules of the document's language, then
 * folded.
 *
 *   en  running, runs    ->  run           de  Häuser, Haus  ->  haus
 *   fr  l'été, étés      ->  ete           ru  книги, книг   ->  книг
 *
 * Every document has a *stemming*, the set of stemmers for its words, chosen by its language. Cyrillic words
 * are stemmed by the Russian rules. Latin words in documents that are written in another script are stemmed by
 * the English rules, since most such words are English. Therefore Russian, Chinese and documents of unknown
 * language share the English stemming. Words of languages in Latin or Cyrillic script that have no stemmer
 * (Polish, Ukrainian) are not stemmed. Numbers, `c++` and identifiers with digits are never stemmed.
 */
import { fold } from './fold.ts';
import { STEMMERS, type StemmedLanguage } from './stem/mod.ts';

/**
 * The names of the stemmings. Segments store a stemming as its index in this list, so existing entries must
 * not move.
 */
export const STEMMINGS = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt', 'sv', 'latin', 'cyrillic'] as const;

/** A stemming, as its index in the list `STEMMINGS`. */
export type Stemming = number;

export const DEFAULT_STEMMING: Stemming = 0;

/** The stemmings that apply the English rules to Latin words. */
export const ENGLISH_STEMMINGS: readonly Stemming[] = [0, 9];
/** The stemming that does not change Latin words. */
export const UNSTEMMED: Stemming = 8;

/** A set of stemmings, one bit for each index in `STEMMINGS`. */
export type StemmingSet = number;

export const ALL_STEMMINGS: StemmingSet = (1 << STEMMINGS.length) - 1;

export function isAmong(set: StemmingSet, stemming: Stemming): boolean {
  return (set & (1 << stemming)) !== 0;
}

const OTHER_SCRIPTS = new Set(
  'am ar bn el fa gu he hi hy ja ka km kn ko lo ml mr my ne pa ru si ta te th ur yi zh'.split(' '),
);
const OTHER_CYRILLIC = new Set('be bg kk ky mk mn sr tg uk'.split(' '));
/**
 * Matches articles and pronouns that lose their vowel before another vowel and are joined with the next word,
 * such as `l'`.
 */
const ELISIONS: Partial<Record<(typeof STEMMINGS)[number], RegExp>> = {
  fr: /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)'/,
  it: /^(?:[cdlmstv]|un|quest|quell|bell|sant|(?:d|a|n|da|de|ne|su|co)ll|gl|(?:a|de|da|ne|su)gl)'/,
};

type Stem = (word: string) => string;

const same: Stem = (word) => word;

/** The stemmers of each stemming: one for Latin words and one for Cyrillic words. */
const RULES = STEMMINGS.map((name) => ({
  latin: name === 'latin' ? same : STEMMERS[name === 'cyrillic' ? 'en' : (name as StemmedLanguage)],
  cyrillic: name === 'cyrillic' ? same : STEMMERS.ru,
  elision: ELISIONS[name] ?? null,
}));

/**
 * Returns the stemming of documents in a language. `language` is a tag such as `pt-br`, or empty if unknown.
 */
export function stemmingOf(language: string): Stemming {
  const primary = language.toLowerCase().split('-', 1)[0]!;
  const own = ownStemmingOf(primary);
  if (own !== null) return own;
  if (primary === '' || OTHER_SCRIPTS.has(primary)) return DEFAULT_STEMMING;
  return STEMMINGS.indexOf(OTHER_CYRILLIC.has(primary) ? 'cyrillic' : 'latin');
}

/** Returns the stemming with the language's own rules; null if there is no stemmer for the language. */
export function ownStemmingOf(language: string): Stemming | null {
  const own = STEMMINGS.indexOf(language as (typeof STEMMINGS)[number]);
  return own < 0 ? null : own;
}

/** Returns true if texts in a language, such as Japanese, are not written in Latin script. */
export function isOtherScript(language: string): boolean {
  const primary = language.toLowerCase().split('-', 1)[0]!;
  return OTHER_SCRIPTS.has(primary) || OTHER_CYRILLIC.has(primary);
}

/**
 * Returns true if a word produced by `tokenize` is not written in Latin script. A number counts as written in
 * Latin script.
 */
export function isInOtherScript(word: string): boolean {
  const script = scriptOf(word);
  return script === 'cyrillic' || script === 'other';
}

/** Returns the term of a word produced by `tokenize`. */
export function termOf(word: string, stemming: Stemming): string {
  const { latin, cyrillic, elision } = RULES[stemming]!;
  const script = scriptOf(word);
  if (script === 'none') return word;
  if (script === 'other') return fold(word);
  const stem = script === 'cyrillic' ? cyrillic : latin;
  const bare = elision && word.includes("'") ? word.replace(elision, '') : word;
  const term = stem(bare === '' ? word : bare);
  return isAscii(term) ? term : fold(term);
}

/**
 * Returns true if a quoted query word matches a word of a document. Accents in the query must match, but a
 * query word without accents also matches accented words (asymmetric search of Unicode's UTS #10). In the
 * same way, a query word without an elided article also matches a word with one: `été` matches l'été.
 *
 * Precondition: both words have the same term. If only one of the words begins like an elided article (`l'`),
 * this beginning must be an article, because otherwise the two terms would differ. Therefore the function can
 * ignore it without knowing the language.
 */
export function isExactly(quoted: string, word: string): boolean {
  return isSpelled(quoted, word) || (word.includes("'") && isSpelled(quoted, withoutArticle(word)));
}

/**
 * Returns true if a word of a document begins with `beginning`. Accents are compared as in `isExactly`. An
 * elided article such as `l'` is not skipped: it counts as part of the word.
 */
export function beginsExactly(beginning: string, word: string): boolean {
  if (word.startsWith(beginning)) return true;
  return !isAscii(word) && fold(beginning) === beginning && fold(word).startsWith(beginning);
}

function isSpelled(quoted: string, word: string): boolean {
  return quoted === word || (!isAscii(word) && fold(quoted) === quoted && fold(word) === quoted);
}

function withoutArticle(word: string): string {
  const elision = Object.values(ELISIONS).find((one) => one.test(word));
  return elision ? word.replace(elision, '') : word;
}

/**
 * Returns the script of a word, which selects its stemmer. An ASCII word with digits or signs has the script
 * `none`, and a non-ASCII word with digits or signs has the script `other`.
 */
function scriptOf(word: string): 'latin' | 'cyrillic' | 'other' | 'none' {
  const first = word.charCodeAt(0);
  const isCyrillic = first >= 0x400 && first < 0x530;
  let bits = 0;
  let hasSigns = false;
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    bits |= code;
    if (code < 0x61 && code !== 0x27) hasSigns = true;
  }
  if (hasSigns) return bits < 0x80 ? 'none' : 'other';
  return isCyrillic ? 'cyrillic' : first < 0x250 ? 'latin' : 'other';
}

export function isAscii(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) >= 0x80) return false;
  return true;
}
