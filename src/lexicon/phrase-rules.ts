/** Decides which titles, headings and anchor texts are phrases to suggest, and how they are written. */
import { fold } from '../text/mod.ts';

const MIN_KEY_LENGTH = 3;
/** The maximum length of a phrase. Longer texts are sentences, which are not useful as suggestions. */
const MAX_PHRASE_LENGTH = 80;
/** Matches a separator between the name of a page and the name of its site, as in `Guide | Example`. */
const SEPARATOR = /\s+(?:[|·•»–—-]+|::)\s+/;
/** Matches decoration at the start or end of a text, as in `» Guides` and `Usage¶`. */
const EDGES = /^[^\p{L}\p{N}([.$@_#'"“«¿¡]+|[^\p{L}\p{N})\].!?+#%*'"”»]+$/gu;
/**
 * Matches texts that are not suggested: code, file names and notes, such as `debug()`, `a = b`, `index.html`
 * and `(class in os)`.
 */
const CODE = /\w\(|[{}=;]|::|->|\.html?$|^\(.*\)$/i;

/** Returns the title without the site name that follows it. */
export function nameOfTitle(title: string): string {
  return title.split(SEPARATOR, 1)[0]!;
}

interface WrittenPhrase {
  key: string;
  text: string;
  /** True if the phrase may be suggested; false if it is too short or has no letter. */
  isSuggested: boolean;
}

/** Returns the phrase of a page title, or null if the title is too long. */
export function phraseOfTitle(title: string): WrittenPhrase | null {
  const text = title.replace(/\s+/g, ' ').replace(EDGES, '').toWellFormed();
  if (text.length > MAX_PHRASE_LENGTH) return null;
  const key = keyOf(text).trimEnd();
  return { key, text, isSuggested: key.length >= MIN_KEY_LENGTH && /\p{L}/u.test(key) };
}

/** Returns the phrase of a heading or an anchor text, or null if the text is not suitable as a suggestion. */
export function phraseOfText(text: string): WrittenPhrase | null {
  const phrase = CODE.test(text) ? null : phraseOfTitle(text);
  return phrase?.isSuggested ? phrase : null;
}

/**
 * Returns the key by which phrases and typed prefixes are compared: the folded text, with a single space for
 * each run of characters other than letters and digits. A trailing space is kept, because it means that the
 * last word is complete. Example: `Node.js` has the key `node js`.
 */
export function keyOf(text: string): string {
  return text
    .split(/[^\p{L}\p{N}\p{M}'’+#]+/u)
    .map(fold)
    .join(' ')
    .trimStart();
}
