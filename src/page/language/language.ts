/**
 * Detects the language of a text.
 *
 * Scripts that only one language uses are recognised by their letters. Latin languages are recognised by
 * their short words in a sample of the content: each word gives one point, divided among the languages that
 * have it. This needs a dozen words of running text; with fewer the language is unknown.
 */

import { COMMON_WORDS, TELLING_LETTERS } from './language-words.ts';

/**
 * To be detected, a language must have at least LEAST_POINTS points, and CLEAR_LEAD times the points of the
 * second-best language.
 */
const LEAST_POINTS = 2;
const CLEAR_LEAD = 1.25;
/** The minimum points and the minimum lead of a language that overrules the declared one. */
const SURE_POINTS = 8;
const SURE_LEAD = 2;

interface Detection {
  /** The detected language; empty if the text does not show its language. */
  language: string;
  isSure: boolean;
  /** Returns the points of a language, about one for each of its common words in the text. */
  pointsOf(language: string): number;
}

export function detectLanguage(text: string): Detection {
  return detectByWords(text) ?? detectByScript(text);
}

const LANGUAGES = Object.keys(COMMON_WORDS);
/**
 * Languages that are recognised by their script. Languages that share a script are distinguished by a few
 * letters.
 */
const BY_SCRIPT = ['ru', 'uk', 'zh', 'ja', 'ko', 'el', 'he', 'ar', 'fa', 'th', 'hi'];
/** The languages that can be detected. */
export const DETECTABLE: ReadonlySet<string> = new Set([...LANGUAGES, ...BY_SCRIPT]);
/** The points of a language that is recognised by its script. */
const SCRIPT_POINTS = 20;

const Script = {
  latin: 0,
  cyrillic: 1,
  greek: 2,
  hebrew: 3,
  arabic: 4,
  devanagari: 5,
  thai: 6,
  kana: 7,
  hangul: 8,
  han: 9,
} as const;
const SCRIPT_COUNT = 10;
const LANGUAGE_OF_SCRIPT = ['', 'ru', 'el', 'he', 'ar', 'hi', 'th', 'ja', 'ko', 'zh'];

/**
 * Detects the language by the script of the letters. Returns no language for text with hardly any letters.
 */
function detectByScript(text: string): Detection {
  const counts = new Uint32Array(SCRIPT_COUNT);
  for (let at = 0; at < text.length; at++) {
    const script = scriptOf(text.charCodeAt(at));
    if (script >= 0) counts[script]!++;
  }
  // A character of kana, Han or Hangul means a syllable or a word, so it counts as three letters.
  const total = counts.reduce((sum, count, script) => sum + (script >= Script.kana ? 3 : 1) * count, 0);
  // Japanese mixes kana and Han characters, and often has more Han characters. Text with enough kana is
  // therefore Japanese, not Chinese.
  if (counts[Script.kana]! * 8 > counts[Script.han]!) counts[Script.kana]! += counts[Script.han]!;
  let best = 1;
  for (let script = 2; script < SCRIPT_COUNT; script++) if (counts[script]! > counts[best]!) best = script;
  const weight = (best >= Script.kana ? 3 : 1) * counts[best]!;
  if (weight === 0 || weight < total / 3) return { language: '', isSure: false, pointsOf: () => 0 };
  const language = variantOf(LANGUAGE_OF_SCRIPT[best]!, text);
  return {
    language,
    isSure: counts[best]! > 20 && weight > total / 2,
    pointsOf: (other) => (other === language ? SCRIPT_POINTS : 0),
  };
}

/** Returns the script of a character; -1 for scripts that are not listed. */
function scriptOf(code: number): number {
  if (code < 0x250)
    return code >= 0xc0 || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) ? Script.latin : -1;
  if (code < 0x370) return -1;
  if (code < 0x400) return Script.greek;
  if (code < 0x530) return Script.cyrillic;
  if (code < 0x590) return -1;
  if (code < 0x600) return Script.hebrew;
  if (code < 0x780) return Script.arabic;
  if (code >= 0x900 && code < 0x980) return Script.devanagari;
  if (code >= 0xe00 && code < 0xe80) return Script.thai;
  if (code >= 0x3041 && code < 0x3100) return Script.kana;
  if ((code >= 0x4e00 && code < 0xa000) || (code >= 0x3400 && code < 0x4dc0)) return Script.han;
  return code >= 0xac00 && code < 0xd7b0 ? Script.hangul : -1;
}

/** Distinguishes Ukrainian from Russian and Persian from Arabic by letters that Russian and Arabic do not have. */
function variantOf(language: string, text: string): string {
  if (language === 'ru' && /[іїєґ]/i.test(text)) return 'uk';
  return language === 'ar' && /[پچژگ]/.test(text) ? 'fa' : language;
}

/** The lower-case form of each Latin letter by its code point; 0 for other characters. */
const LETTERS = Uint16Array.from({ length: 0x250 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /\p{L}/u.test(character) ? character.toLowerCase().charCodeAt(0) : 0;
});

/**
 * The number of slots in the hash table of common words. A slot has the hash of a word and the languages of
 * this word, as bits. The table has open addressing; a hash of 0 is an empty slot.
 */
const SLOTS = 8192;
const wordHashes = new Int32Array(SLOTS);
const wordLanguages = new Uint32Array(SLOTS);
/** For each letter up to U+024F, a bit set of the languages that use the letter. */
const letterLanguages = new Uint32Array(0x250);
for (const [i, language] of LANGUAGES.entries()) {
  for (const word of COMMON_WORDS[language]!.split(' ')) addWord(word, 1 << i);
}
for (const [letter, languages] of Object.entries(TELLING_LETTERS)) {
  for (const language of languages.split(' ')) {
    letterLanguages[letter.charCodeAt(0)]! |= 1 << LANGUAGES.indexOf(language);
  }
}

function addWord(word: string, bit: number): void {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = step(hash, word.charCodeAt(i));
  const slot = slotOf(hash);
  wordHashes[slot] = hash;
  wordLanguages[slot]! |= bit;
}

function step(hash: number, code: number): number {
  return (Math.imul(hash, 0x01000193) + code + 1) | 0;
}

function slotOf(hash: number): number {
  let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  while (wordHashes[slot] !== 0 && wordHashes[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

const APOSTROPHE = 0x27;
const CURLY_APOSTROPHE = 0x2019;
const LETTER_POINTS = 0.5;
/**
 * The maximum number of letters that count as signs of a language because few languages use them. Without this
 * limit, a single word with a rare letter that is often repeated could decide the language of the page.
 */
const MOST_LETTERS = 6;
/**
 * The maximum number of words of one letter that count, such as "a" and "o". Formulas and tables have many letters, so
 * capital letters do not count, and lower-case letters only for a language of which the text has a longer word.
 */
const MOST_SHORT = 3;

/**
 * Detects a language in Latin letters by its common words. Returns null if too much of the text is not in
 * Latin letters. Words are compared by their hashes, because creating strings for every page would be slow.
 */
function detectByWords(text: string): Detection | null {
  const points = new Float64Array(LANGUAGES.length);
  const shortPoints = new Float64Array(LANGUAGES.length);
  let hash = 0;
  let wordStart = 0;
  let shortCount = 0;
  let tellingCount = 0;
  let foreignCount = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const letter = code < 0x250 ? LETTERS[code]! : 0;
    if (letter !== 0) {
      hash = step(hash, letter);
      if (letter < 0x80) continue;
    } else {
      const isShort = at - wordStart === 1;
      const isCounted = !isShort || (isLower(text, wordStart) && shortCount++ < MOST_SHORT);
      if (hash !== 0 && isCounted) credit(isShort ? shortPoints : points, wordLanguages[slotOf(hash)]!, 1);
      if (hash !== 0 && isApostrophe(code)) credit(points, wordLanguages[slotOf(step(hash, APOSTROPHE))]!, 1);
      hash = 0;
      wordStart = at + 1;
      if (code >= 0x370) foreignCount++;
    }
    const telling = code < 0x250 ? letterLanguages[letter || code]! : 0;
    if (telling !== 0 && tellingCount++ < MOST_LETTERS) credit(points, telling, LETTER_POINTS);
  }
  if (foreignCount * 8 > text.length) return null;
  return verdictOf(points.map((sum, i) => (sum >= 1 ? sum + shortPoints[i]! : sum)));
}

function isLower(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 0x250 && LETTERS[code] === code;
}

function isApostrophe(code: number): boolean {
  return code === APOSTROPHE || code === CURLY_APOSTROPHE;
}

function verdictOf(points: Float64Array): Detection {
  let first = 0;
  for (let i = 1; i < points.length; i++) if (points[i]! > points[first]!) first = i;
  let second = 0;
  for (let i = 0; i < points.length; i++) if (i !== first) second = Math.max(second, points[i]!);
  const most = points[first]!;
  const isDetected = most >= LEAST_POINTS && most >= CLEAR_LEAD * second;
  return {
    language: isDetected ? LANGUAGES[first]! : '',
    isSure: isDetected && most >= SURE_POINTS && most >= SURE_LEAD * second,
    pointsOf: (language) => points[LANGUAGES.indexOf(language)] ?? 0,
  };
}

/** Divides `weight` points among the languages whose bits are set in `languages`. */
function credit(points: Float64Array, languages: number, weight: number): void {
  if (languages === 0) return;
  let count = 0;
  for (let bits = languages; bits !== 0; bits &= bits - 1) count++;
  for (let bits = languages; bits !== 0; bits &= bits - 1) {
    points[31 - Math.clz32(bits & -bits)]! += weight / count;
  }
}
