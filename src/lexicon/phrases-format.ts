/**
 * `words/phrases.gyre`: the phrases to suggest while a user types. Sealed (magic GYP1), body:
 *
 *   generation  u32          of the index it was made from
 *   docs        u32          documents of that index
 *   count       u32
 *   weights     f32 × count  estimated popularity of the phrase
 *   keyEnds     u32 × count  where each key ends in `keys`; it begins where the one before ends
 *   textEnds    u32 × count  the same for texts
 *   urlEnds     u32 × count  the same for addresses
 *   keys, texts, urls        UTF-8, one after another
 *
 * A key is the folded text, with a single space in place of each run of characters other than letters and
 * digits (`keyOf`): "Node.js: the event loop" has the key `node js the event loop`. Keys are distinct and
 * ascend by their bytes, so that phrases with the same prefix are adjacent. The text is empty if it equals
 * the key. The URL is empty if the phrase is not the title of exactly one page.
 *
 * One phrase, "Node.js" with weight 2, the title of `http://a/` alone, made from generation 3 with nine
 * documents, is
 *
 *   47 59 50 31  01 00 00 00  03 00 00 00  09 00 00 00  01 00 00 00  00 00 00 40  07 00 00 00  07 00 00 00  09 00 00 00
 *   6E 6F 64 65 20 6A 73  4E 6F 64 65 2E 6A 73  68 74 74 70 3A 2F 2F 61 2F  AF 1A D6 92
 */
import type { FileKind } from '../base/mod.ts';
import { fold } from '../text/mod.ts';

export const PHRASES_NAME = 'phrases.gyre';
export const PHRASES_KIND: FileKind = { magic: 'GYP1', version: 1 };
/** Longer texts are sentences, which are not useful as suggestions. */
export const MAX_PHRASE_LENGTH = 80;

export interface Phrase {
  text: string;
  url: string;
  weight: number;
}

/**
 * Returns the form in which phrases are compared. A trailing space is kept: it means that the last word is
 * complete.
 */
export function keyOf(text: string): string {
  return text
    .split(/[^\p{L}\p{N}\p{M}'’+#]+/u)
    .map(fold)
    .join(' ')
    .trimStart();
}
