/**
 * Words that are right though an index may not know them: an index of programs may lack a *lamp*, and who asks for one does
 * not mean an *amp*; nor does who asks for *Wetter* in an English one mean *better*.
 *
 * Everyday words of eight languages stand in lists; their other forms count too, by the rules of each language, and
 * accents may be left out. English is always meant: most queries on most indexes are English, and an error seldom makes
 * another English word. But it may well make a word of one of seven other languages (`cre`, `bild`), so those count only where
 * the query seems to be in that language: if, words that English has too aside, no more of its words are known to the index and foreign to the language. Where
 * as many are, the word must stand in the list as it was typed.
 *
 * A query that has an article or a preposition of a language that the index hardly has is left alone as a whole, everyday
 * words or not: whatever is near its words belongs to another language. Which languages an index has is told by how common their commonest words are in it.
 *
 * Words in other scripts than these languages have lose nothing: what is nearly like them is in the same script.
 */
import { fold, isAscii, type Stemming, stemmingOf, termOf } from '../../text/mod.ts';
import { UNKNOWN_WORD, type Vocabulary } from '../../words/mod.ts';
import { FUNCTION_WORDS } from '../function-words.ts';
import { DUTCH } from './plain-words/dutch.ts';
import { ENGLISH } from './plain-words/english.ts';
import { FRENCH } from './plain-words/french.ts';
import { GERMAN } from './plain-words/german.ts';
import { ITALIAN } from './plain-words/italian.ts';
import { PORTUGUESE } from './plain-words/portuguese.ts';
import { SPANISH } from './plain-words/spanish.ts';
import { SWEDISH } from './plain-words/swedish.ts';

interface Language {
  stemming: Stemming;
  /** Words that no text of the language does without, and hardly any other has. */
  marks: readonly string[];
  /** Those, and others that hold a sentence together. */
  joints: ReadonlySet<string>;
  /** Without accents. */
  words: ReadonlySet<string>;
  terms: ReadonlySet<string>;
}

/** An index with a page in thirty of a language has more of its marks than this, of all words. */
const LEAST_SHARE = 0.005;

const ENGLISH_WORDS = languageOf('en', ENGLISH, '');
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

  /** Per word of a query, whether it is right as it is. */
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

  #shareOf(words: readonly string[]): number {
    const { counts, total } = this.#vocabulary;
    const numbers = words.map((word) => this.#vocabulary.numberOf(word));
    return numbers.reduce((sum, number) => sum + (counts[number] ?? 0), 0) / Math.max(1, total);
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
