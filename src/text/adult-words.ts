/**
 * Judges by words whether a text is pornographic. The judgement is made for precision: a page about anatomy, health,
 * law or birds must not be taken for pornography, so a few words are never enough, whatever they are.
 *
 *   explicit   words that hardly occur outside pornography; several different ones must occur
 *   context    words that are common in pornography and elsewhere; they count only beside explicit words
 *   innocent   words of medicine, education, law and science; one outweighs several explicit words
 *
 * Words are compared whole: "Essex" has no word of the lists. The lists (adult-words.json) are small on purpose. They
 * have the words of several languages, which are used for all texts, because pages mix languages.
 */
import lists from './adult-words.json' with { type: 'json' };

type WordList = ReadonlySet<string>;

type AdultRating = 'adult' | 'mature';

const EXPLICIT = wordsOf(lists.explicit);
const CONTEXT = wordsOf(lists.context);
const INNOCENT = wordsOf(lists.innocent);

/** Only the beginning of a text is judged: pornography does not wait. */
const JUDGED_LENGTH = 5000;
/** The number of explicit words that one innocent word outweighs: advice against pornography repeats its words. */
const INNOCENT_WEIGHT = 3;
const ADULT = { explicit: 3, share: 0.03 };
const MATURE = { explicit: 2, share: 0.015 };

function wordsOf(byLanguage: Readonly<Record<string, string>>): WordList {
  return new Set(Object.values(byLanguage).flatMap((words) => words.split(' ')));
}

/** Returns null if the text is not known to be for adults. `mature` is a weaker suspicion than `adult`. */
export function judgeByWords(title: string, text: string): AdultRating | null {
  const words = splitWords(`${title} ${title} ${text.slice(0, JUDGED_LENGTH)}`);
  const explicit = words.filter((word) => EXPLICIT.has(word));
  const kinds = new Set(explicit).size;
  if (kinds < MATURE.explicit) return null;
  const innocent = words.filter((word) => INNOCENT.has(word)).length;
  if (INNOCENT_WEIGHT * innocent >= explicit.length) return null;
  const context = words.filter((word) => CONTEXT.has(word)).length;
  const share = (explicit.length + context) / words.length;
  if (kinds >= ADULT.explicit && share >= ADULT.share) return 'adult';
  return share >= MATURE.share ? 'mature' : null;
}

/** Reports whether a text has an explicit word, for texts too short to be judged as a whole. */
export function hasExplicitWord(text: string): boolean {
  return splitWords(text).some((word) => EXPLICIT.has(word));
}

function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
