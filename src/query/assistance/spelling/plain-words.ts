/**
 * Recognizes correct words that the index may not contain. An index about software may lack *lamp*, but a query for
 * *lamp* must not be corrected to *amp*; nor must *Wetter* be corrected to *better* in an English index.
 *
 * Everyday words of eight languages are listed. Their inflected forms are recognized by stemming, with or without
 * accents. English words are always recognized: most queries on most indexes are English, and a typing error seldom
 * produces another English word. But an error may well produce a word of one of the seven other languages (`cre`,
 * `bild`). Therefore words of another language are recognized only if the query seems to be in that language: words
 * that are evidence for the language must outnumber words that the index has and the language does not have. If the
 * numbers are equal, the word itself must be in the list.
 *
 * A query with an article or a preposition of a language that the index hardly contains is not corrected at all,
 * because similar words in the index belong to another language. The frequencies of a language's most common words
 * show if the index contains it.
 *
 * Words in other scripts need no list: a word is only ever corrected to a word in the same script.
 */

import { UNKNOWN_WORD, type Vocabulary } from '../../../lexicon/mod.ts';
import { fold, isAscii, type Stemming, stemmingOf, termOf } from '../../../text/mod.ts';
import { FUNCTION_WORDS } from '../../terms/mod.ts';
import {
  DUTCH,
  ENGLISH_PLAIN_WORDS,
  FRENCH,
  GERMAN,
  ITALIAN,
  PORTUGUESE,
  SPANISH,
  SWEDISH,
} from './plain-words/mod.ts';

interface Language {
  stemming: Stemming;
  /** Words that almost every text in the language contains and hardly any text in other languages: "und", "nicht". */
  marks: readonly string[];
  /** The words of `marks` and other function words of the language. */
  joints: ReadonlySet<string>;
  /** The everyday words of the language, without accents. */
  words: ReadonlySet<string>;
  terms: ReadonlySet<string>;
}

/**
 * The index hardly contains a language if the typical words of the language (`marks`) are less than this share of
 * all words. About one page in thirty in the language is enough to reach the share.
 */
const LEAST_SHARE = 0.005;

const ENGLISH_WORDS = languageOf('en', ENGLISH_PLAIN_WORDS, '');
const OTHER_LANGUAGES = [
  languageOf(
    'de',
    GERMAN,
    'und der nicht ist das mit ein sich',
    'den dem des eine für von nach bei auf aus wie wo warum zum zur im am',
  ),
  languageOf('es', SPANISH, 'los las una para por del que como', 'el la de en con un se es'),
  languageOf(
    'fr',
    FRENCH,
    'les est une dans pour que avec sur',
    'le la de des du et un au aux par en comment',
  ),
  languageOf('it', ITALIAN, 'che una sono della nel non gli alla', 'il lo la le un di del per con da come'),
  languageOf('nl', DUTCH, 'het een voor met dat niet zijn naar', 'de van tegen uit bij hoe'),
  languageOf('pt', PORTUGUESE, 'uma não para dos que mais como pelo', 'o os da das de do na no em com um'),
  languageOf('sv', SWEDISH, 'och att det som för inte med till', 'en ett av på är hur'),
];

export class PlainWords {
  readonly #vocabulary: Vocabulary;
  readonly #absent: ReadonlySet<Language>;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#absent = new Set(OTHER_LANGUAGES.filter(({ marks }) => this.#shareOf(marks) < LEAST_SHARE));
  }

  /** Returns, for each word of a query, true if it must not be corrected. */
  in(words: readonly string[]): boolean[] {
    const plain = words.map((word) => isForm(word, ENGLISH_WORDS));
    if (plain.every(Boolean)) return plain;
    const isEnglish = words.map((word, at) => plain[at] || FUNCTION_WORDS.has(word));
    const known = words.map((word) => this.#vocabulary.numberOf(word) !== UNKNOWN_WORD);
    for (const language of OTHER_LANGUAGES) {
      const own = words.map((word) => isForm(word, language));
      const isJoint = words.map((word, at) => language.joints.has(word) && !isEnglish[at]);
      const isMark = (at: number) => isJoint[at] || !isAscii(words[at]!) || (own[at] && !known[at]);
      const count = words.filter((_, at) => isMark(at)).length;
      const others = words.filter((_, at) => known[at] && !own[at] && !isMark(at)).length;
      const isForeign = count > others && isJoint.includes(true) && this.#absent.has(language);
      for (const [at, word] of words.entries()) {
        const isMeant = own[at] && count >= others && (count > others || language.words.has(fold(word)));
        if (isForeign || isMeant) plain[at] = true;
      }
    }
    return plain;
  }

  /**
   * Returns the stemmings of the languages that a query may be in: English, and each language that has a function
   * word in the query.
   */
  stemmingsOf(words: readonly string[]): Stemming[] {
    const isForeign = (word: string) => !isForm(word, ENGLISH_WORDS) && !FUNCTION_WORDS.has(word);
    const others = OTHER_LANGUAGES.filter(({ joints }) =>
      words.some((word) => joints.has(word) && isForeign(word)),
    );
    return [ENGLISH_WORDS, ...others].map(({ stemming }) => stemming);
  }

  #shareOf(words: readonly string[]): number {
    const vocabulary = this.#vocabulary;
    const counts = words.map((word) => vocabulary.countOf(vocabulary.numberOf(word)));
    return counts.reduce((sum, count) => sum + count, 0) / Math.max(1, vocabulary.total);
  }
}

function isForm(word: string, { stemming, terms }: Language): boolean {
  return terms.has(termOf(word, stemming));
}

function languageOf(tag: string, text: string, marks: string, joints = ''): Language {
  const stemming = stemmingOf(tag);
  const listed = text.trim().split(/\s+/);
  const words = new Set(listed.map(fold));
  const terms = new Set([...listed, ...words].map((word) => termOf(word, stemming)));
  return {
    stemming,
    marks: marks.split(' '),
    joints: new Set(`${marks} ${joints}`.split(' ')),
    words,
    terms,
  };
}
