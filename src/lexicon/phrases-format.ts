/**
 * `words/phrases.gyre`: anchor texts of links to the pages of the index, to suggest them while a user types. Each rank
 * run replaces the file. Sealed (magic GYP1), body:
 *
 *   generation  u32          of the index it was made from
 *   docs        u32          documents of that index
 *   count       u32
 *   popularity  f32 × count  sum over the links with this text, by weight of the link and rank of the page
 *   keyEnds     u32 × count  where each key ends in `keys`; it begins where the one before ends
 *   textEnds    u32 × count  the same for texts
 *   keys, texts              UTF-8, one after another
 *
 * A key is the folded text, with a single space in place of each run of characters other than letters and
 * digits (`keyOf`): "Node.js: the event loop" has the key `node js the event loop`. Keys are distinct and
 * ascend by their bytes, so that phrases with the same prefix are adjacent. The text is empty if it equals
 * the key. The lexicons of segments have titles and headings (segment-lexicon-format.ts).
 *
 * One phrase, "Node.js" with popularity 2, made from generation 3 with nine documents, is
 *
 *   47 59 50 31  02 00 00 00  03 00 00 00  09 00 00 00  01 00 00 00  00 00 00 40  07 00 00 00  07 00 00 00
 *   6E 6F 64 65 20 6A 73  4E 6F 64 65 2E 6A 73  F1 48 7A 52
 *
 * Version 1 also had titles and headings; it is read as if it were absent.
 */
import type { FileKind } from '../base/mod.ts';

export const PHRASES_NAME = 'phrases.gyre';
export const PHRASES_KIND: FileKind = { magic: 'GYP1', version: 2, oldest: 2 };

export interface LinkedPhrase {
  text: string;
  popularity: number;
}
