/**
 * `words/synonyms.gyre`: synonyms, mined from titles and links. Sealed (magic GYS1), body:
 *
 *     generation  u32     of the index from which the file was made
 *   docs        u32     documents of that index
 *   count       u32
 *   pairs       per pair: first text, second text, weight f32
 *
 * A pair applies in both directions. Its first word is the lesser one; pairs ascend.
 *
 * The pair `auto` and `car` with weight 0.5, from generation 3 with nine documents, is
 *
 *   47 59 53 31  01 00 00 00  03 00 00 00  09 00 00 00  01 00 00 00
 *   04 61 75 74 6F  03 63 61 72  00 00 00 3F  FF E7 AD 27
 */
import type { FileKind } from '../base/mod.ts';

export const SYNONYMS_NAME = 'synonyms.gyre';
export const SYNONYMS_KIND: FileKind = { magic: 'GYS1', version: 1 };

export interface SynonymPair {
  first: string;
  second: string;
  /**
   * The factor, less than 1, for the score of a match of the synonym; a match of the word in the query has the
   * factor 1.
   */
  weight: number;
}
