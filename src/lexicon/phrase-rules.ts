/** Decides which titles, headings and anchor texts are phrases to suggest, and how they are written. */
import { fold } from '../text/mod.ts';

const MIN_KEY_LENGTH = 3;
/** Longer texts are sentences, which are not useful as suggestions. */
const MAX_PHRASE_LENGTH = 80;
/** Separators between the name of a page and the name of its site. */
const SEPARATOR = /\s+(?:[|·•»–—-]+|::)\s+/;
/** Signs around a text that are not part of it: `» Guides`, `Usage¶`. */
const EDGES = /^[^\p{L}\p{N}([.$@_#'"“«¿¡]+|[^\p{L}\p{N})\].!?+#%*'"”»]+$/gu;
/** Code, names of files and notes in an index are not phrases: `debug()`, `a = b`, `index.html`, `(class in os)`. */
const CODE = /\w\(|[{}=;]|::|->|\.html?$|^\(.*\)$/i;

/** Returns the title without the site name that follows it. */
export function nameOfTitle(title: string): string {
  return title.split(SEPARATOR, 1)[0]!;
}

interface WrittenPhrase {
  key: string;
  text: string;
  /** False if the text is too short, or has no letter. */
  isSuggested: boolean;
}

/** Returns the phrase of a title; null if it is too long. */
export function phraseOfTitle(title: string): WrittenPhrase | null {
  const text = title.replace(/\s+/g, ' ').replace(EDGES, '').toWellFormed();
  if (text.length > MAX_PHRASE_LENGTH) return null;
  const key = keyOf(text).trimEnd();
  return { key, text, isSuggested: key.length >= MIN_KEY_LENGTH && /\p{L}/u.test(key) };
}

/** Returns the phrase of a heading or an anchor text, which is not the title of a page; null if it is none. */
export function phraseOfText(text: string): WrittenPhrase | null {
  const phrase = CODE.test(text) ? null : phraseOfTitle(text);
  return phrase?.isSuggested ? phrase : null;
}

/**
 * Returns the form in which phrases and typed prefixes are compared. Folds the text and puts a single space in place of each run of characters other than letters and digits. A trailing
 * space is kept: it means that the last word is complete.
 */
export function keyOf(text: string): string {
  return text
    .split(/[^\p{L}\p{N}\p{M}'’+#]+/u)
    .map(fold)
    .join(' ')
    .trimStart();
}
