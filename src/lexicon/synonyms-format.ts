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
import {
  ByteReader,
  ByteWriter,
  type Directory,
  type FileKind,
  readSealed,
  writeSealed,
} from '../base/mod.ts';
import { type Origin, readOrigin } from './origin.ts';

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

/** Reads the synonyms. Returns an empty list if no rank run has written the file yet. */
export function readSynonyms(directory: Directory): SynonymPair[] {
  if (!directory.has(SYNONYMS_NAME)) return [];
  const reader = new ByteReader(readSealed(directory, SYNONYMS_NAME, SYNONYMS_KIND), SYNONYMS_NAME);
  readOrigin(reader);
  return Array.from({ length: reader.u32() }, () => {
    const [first, second] = [reader.text(), reader.text()];
    return { first, second, weight: reader.f32() };
  });
}

/** Writes the synonyms. `origin` is the index from which they were mined. */
export function writeSynonyms(directory: Directory, origin: Origin, pairs: readonly SynonymPair[]): void {
  const body = new ByteWriter();
  body.u32(origin.generation);
  body.u32(origin.docs);
  body.u32(pairs.length);
  for (const { first, second, weight } of pairs) {
    body.text(first);
    body.text(second);
    body.f32(weight);
  }
  writeSealed(directory, SYNONYMS_NAME, SYNONYMS_KIND, body.view());
}
