/**
 * From a word to the term under which it is indexed: stemmed by the rules of the document's language, then folded.
 *
 *   en  running, runs    ->  run           de  Häuser, Haus  ->  haus
 *   fr  l'été, étés      ->  ete           ru  книги, книг   ->  книг
 *
 * A document has a *stemming*: that of its language. Cyrillic words are stemmed by the Russian rules and Latin words of
 * languages in other scripts by the English ones, since those are what is quoted there; so Russian, Chinese and
 * documents of unknown language share the English stemming. Languages of these two scripts that we have no rules for
 * (Polish, Ukrainian) leave their own words as they are. Numbers, `c++` and identifiers with digits are never stemmed.
 */
import { fold } from './fold.ts';
import { STEMMERS, type StemmedLanguage } from './stemmers.ts';

/** Written to segments: a stemming is its index here, and never changes its meaning. */
export const STEMMINGS = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt', 'sv', 'latin', 'cyrillic'] as const;

/** An index into `STEMMINGS`. */
export type Stemming = number;

export const DEFAULT_STEMMING: Stemming = 0;

/** Some of `STEMMINGS`, a bit for each. */
export type StemmingSet = number;

export const ALL_STEMMINGS: StemmingSet = (1 << STEMMINGS.length) - 1;

export function isAmong(set: StemmingSet, stemming: Stemming): boolean {
  return (set & (1 << stemming)) !== 0;
}

const OTHER_SCRIPTS = new Set(
  'am ar bn el fa gu he hi hy ja ka km kn ko lo ml mr my ne pa ru si ta te th ur yi zh'.split(' '),
);
const OTHER_CYRILLIC = new Set('be bg kk ky mk mn sr tg uk'.split(' '));
/** Articles and pronouns that lose their vowel before another and are written with the next word. */
const ELISIONS: Partial<Record<(typeof STEMMINGS)[number], RegExp>> = {
  fr: /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)'/,
  it: /^(?:[cdlmstv]|un|quest|quell|bell|sant|(?:d|a|n|da|de|ne|su|co)ll|gl|(?:a|de|da|ne|su)gl)'/,
};

type Stem = (word: string) => string;

const same: Stem = (word) => word;

/** By stemming: what is done with Latin and with Cyrillic words. */
const RULES = STEMMINGS.map((name) => ({
  latin: name === 'latin' ? same : STEMMERS[name === 'cyrillic' ? 'en' : (name as StemmedLanguage)],
  cyrillic: name === 'cyrillic' ? same : STEMMERS.ru,
  elision: ELISIONS[name] ?? null,
}));

/** The stemming of documents in a language, given as a tag such as `pt-br`; empty if it is unknown. */
export function stemmingOf(language: string): Stemming {
  const primary = language.toLowerCase().split('-', 1)[0]!;
  const own = STEMMINGS.indexOf(primary as (typeof STEMMINGS)[number]);
  if (own >= 0) return own;
  if (primary === '' || OTHER_SCRIPTS.has(primary)) return DEFAULT_STEMMING;
  return STEMMINGS.indexOf(OTHER_CYRILLIC.has(primary) ? 'cyrillic' : 'latin');
}

/** The term of a word as `tokenize` gives it. */
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
 * Whether a quoted word means this word of a document. Accents that were typed must be there; where none were typed,
 * none are asked for (the asymmetric search of Unicode's UTS #10). With elided articles it is the same: `été` means
 * l'été too. Both words must have the same term, so articles are cut without asking for the language: where `l'` is no
 * article, termOf has not cut it, and the terms differ.
 */
export function isExactly(quoted: string, word: string): boolean {
  return isSpelled(quoted, word) || (word.includes("'") && isSpelled(quoted, withoutArticle(word)));
}

/** Whether a word of a document begins so; accents as above, articles are its beginning. */
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

/** `none` for what has digits or signs in it, and is plain. */
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
