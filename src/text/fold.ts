/**
 * Maps different spellings of the same word to one spelling, in two steps:
 *
 *   form   case and compatibility forms are removed: `Ｃａｆé` and `CAFÉ` are `café`
 *   fold   optional accents too: `cafe`
 *
 * Documents store the form, and stemmers work on it: in German `schön` and `schon` are two words. Terms are
 * folded, because searchers often leave out accents.
 *
 * Accents are removed in scripts where they are optional for readers (Latin, Greek and Cyrillic accents, Hebrew
 * and Arabic points). Vowel signs of Indic scripts and the Japanese sound marks change the word, so they stay.
 * Letters that Unicode does not decompose, such as ø and ß, are replaced by the letters that people type if
 * their keyboard lacks them: `o` and `ss`.
 */

/**
 * Matches optional marks: accents of any script except the Japanese sound marks, Hebrew and Arabic points,
 * and the Arabic tatweel (U+0640).
 */
const OPTIONAL =
  /\u0640|[[\p{M}&&[\p{sc=Inherited}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}]]--[\u3099\u309A]]/gv;
const NOT_IN_TERMS = /[^\p{L}\p{N}\p{M}'+#]/gu;
/** Matches the vowel points and other diacritics of Hebrew and Arabic, which most texts omit. */
const POINTS =
  /[\u0591-\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]/g;
const ANY_SPELLED_OUT = /[ßæœøđðłħıþςŋ]/g;
const SPELLED_OUT: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
  ŋ: 'n',
};

/**
 * Recognises words that `change` (folding, for example) does not change, so that the seven passes of `change`
 * can be skipped for most words. Such a word has only letters that stay unchanged, whatever letters are next to
 * them. Combining marks and Hangul letters do not count as unchanged, because they combine with the letter
 * before them.
 */
class Unchanging {
  readonly #change: (text: string) => string;
  /** The state of each UTF-16 unit: 0 is not known yet, 1 means unchanged, 2 means changed. */
  readonly #known = new Uint8Array(0x10000);

  constructor(change: (text: string) => string) {
    this.#change = change;
  }

  hasAll(text: string): boolean {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if ((this.#known[unit] || this.#find(unit)) === 2) return false;
    }
    return true;
  }

  #find(unit: number): number {
    const letter = String.fromCharCode(unit);
    const stays = !JOINS.test(letter) && this.#change(letter) === letter;
    this.#known[unit] = stays ? 1 : 2;
    return this.#known[unit]!;
  }
}

/** Matches characters that combine with the letter before them, and halves of surrogate pairs. */
const JOINS = /[\p{M}\p{Cs}\u1100-\u11ff]/u;
const unfolding = new Unchanging(foldAny);
const unforming = new Unchanging(formOfAny);

/** Returns the folded text. Folding it again changes nothing. */
export function fold(text: string): string {
  return unfolding.hasAll(text) ? text : foldAny(text);
}

function foldAny(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(OPTIONAL, '')
    .replace(/[’ʼ＇]/g, "'")
    .replace(ANY_SPELLED_OUT, (letter) => SPELLED_OUT[letter]!)
    .replace(NOT_IN_TERMS, '')
    .normalize('NFC');
}

/**
 * Returns the form of the text. Applying it again changes nothing, and fold(formOf(text)) equals fold(text).
 */
export function formOf(text: string): string {
  return unforming.hasAll(text) ? text : formOfAny(text);
}

function formOfAny(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(POINTS, '')
    .replace(/[’ʼ＇]/g, "'")
    .replace(NOT_IN_TERMS, '')
    .normalize('NFC');
}
