/**
 * One spelling for what a reader takes for the same word: compatibility forms, case and optional
 * accents are removed, so `Ｃａｆé`, `CAFÉ` and `cafe` are one term.
 *
 * Accents go where they are optional to a reader (Latin, Greek, Cyrillic; Hebrew and Arabic points).
 * Vowel signs of Indic scripts and the Japanese sound marks change the word, so they stay. Letters
 * that Unicode does not take apart, such as ø and ß, are spelled as a keyboard without them would.
 */

/** Accents that any script may carry but for the Japanese sound marks, points, and the Arabic stroke. */
const OPTIONAL =
  /\u0640|[[\p{M}&&[\p{sc=Inherited}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}]]--[\u3099\u309A]]/gv;
const NOT_IN_TERMS = /[^\p{L}\p{N}\p{M}'+#]/gu;
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

/** Folding what is folded already changes nothing. */
export function fold(text: string): string {
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
