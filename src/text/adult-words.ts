/**
 * Judges by words whether a text is pornographic. The judgement is made for precision: a page about anatomy,
 * health, law or birds must not be taken for pornography, so a few words are never enough, however explicit
 * they are.
 *
 *   explicit   words that hardly occur outside pornography; several different ones must occur
 *   context    words that are common in pornography and elsewhere; they count only beside explicit words
 *     innocent   words of medicine, education, law and science; one such word outweighs several explicit words
 *
 * Words are compared whole: "Essex" has no word of the lists. The lists (adult-words.json) are small on purpose. They
 * have the words of several languages, which are used for all texts, because pages mix languages.
 */
import lists from './adult-words.json' with { type: 'json' };
import { eachHashedWord, hashOfWord } from './hashed-words.ts';

type WordList = ReadonlySet<string>;

type AdultRating = 'adult' | 'mature';

const EXPLICIT = wordsOf(lists.explicit);
const CONTEXT = wordsOf(lists.context);
const INNOCENT = wordsOf(lists.innocent);
/**
 * The hashes of all listed words. A word of a text is looked up in the lists only if its hash is in this set.
 */
const LISTED = new Set([...EXPLICIT, ...CONTEXT, ...INNOCENT].map(hashOfWord));

/**
 * The number of UTF-16 units at the beginning of a text that are judged. Pornographic pages use explicit words
 * from their beginning.
 */
const JUDGED_LENGTH = 5000;
/**
 * The number of explicit words that one innocent word outweighs. Texts that warn of pornography repeat explicit
 * words.
 */
const INNOCENT_WEIGHT = 3;
const ADULT = { explicit: 3, share: 0.03 };
const MATURE = { explicit: 2, share: 0.015 };

function wordsOf(byLanguage: Readonly<Record<string, string>>): WordList {
  return new Set(Object.values(byLanguage).flatMap((words) => words.split(' ')));
}

/**
 * Returns `adult`, or the weaker suspicion `mature`; null if the words do not show that the text is for adults.
 * Words of the title count twice.
 */
export function judgeByWords(title: string, description: string, text: string): AdultRating | null {
  const judged = `${description} ${text.slice(0, JUDGED_LENGTH)}`.slice(0, JUDGED_LENGTH);
  const { words, explicit, kinds, innocent, context } = countWords(`${title} ${title} ${judged}`);
  if (kinds.size < MATURE.explicit) return null;
  if (INNOCENT_WEIGHT * innocent >= explicit) return null;
  const share = (explicit + context) / words;
  if (kinds.size >= ADULT.explicit && share >= ADULT.share) return 'adult';
  return share >= MATURE.share ? 'mature' : null;
}

/** Returns true if a text has an explicit word. Used for texts that are too short to be judged as a whole. */
export function hasExplicitWord(text: string): boolean {
  return countWords(text).explicit > 0;
}

interface WordCounts {
  words: number;
  explicit: number;
  /** The distinct explicit words. */
  kinds: Set<string>;
  innocent: number;
  context: number;
}

function countWords(text: string): WordCounts {
  const counts: WordCounts = { words: 0, explicit: 0, kinds: new Set(), innocent: 0, context: 0 };
  const lower = text.toLowerCase();
  eachHashedWord(lower, (hash, start, end) => {
    counts.words++;
    if (!LISTED.has(hash)) return;
    const word = lower.slice(start, end);
    if (INNOCENT.has(word)) counts.innocent++;
    if (CONTEXT.has(word)) counts.context++;
    if (!EXPLICIT.has(word)) return;
    counts.explicit++;
    counts.kinds.add(word);
  });
  return counts;
}
