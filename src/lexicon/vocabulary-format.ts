/**
 * `words/vocabulary.gyre`: the written words of the index with their counts and the counts of word pairs, for
 * spelling correction. Sealed (magic GYV1), body:
 *
 *   generation  u32            of the index it was made from
 *   docs        u32            documents of that index
 *   words       u32            how many there are
 *   total       f64            how many were counted, those that are not listed included
 *   counts      u32 × words
 *   wordEnds    u32 × words    where each word ends in the bytes of all
 *   bytes                      UTF-8; words ascend by UTF-16 units
 *   pairs       u32            how many there are
 *   pairEnds    u32 × words    where the pairs that begin with the word end
 *   seconds     u32 × pairs    number of the second word, ascending for each first
 *   together    u32 × pairs    how often the second directly followed the first
 *   entries     u32            of the table of deletes
 *   hashes      u32 × entries  ascending
 *   owners      u32 × entries  a word with this hash among its deletes
 *
 * The deletes of a word are its first 7 letters with zero, one or (for words of 7 letters or more) two
 * letters removed. Two words that are one edit apart share a delete, and so do most long words that are two
 * edits apart. So a typed word finds its neighbours by its own deletes, in a few dozen lookups (symmetric
 * delete, W. Garbe 2012). The hash is FNV-1a over UTF-16 units. `cat` has the deletes cat, at, ct and ca.
 *
 * The body of a vocabulary of one word, `at`, counted five times among eight words, begins with
 *
 *   03 00 00 00  09 00 00 00  01 00 00 00  00 00 00 00 00 00 20 40  05 00 00 00  02 00 00 00  61 74
 */
import type { FileKind } from '../base/mod.ts';

export const VOCABULARY_NAME = 'vocabulary.gyre';
export const VOCABULARY_KIND: FileKind = { magic: 'GYV1', version: 1 };

const DELETES_FROM = 7;
const LONG_WORD = 7;

export interface WordCounts {
  total: number;
  words: ReadonlyMap<string, number>;
  /** Keys are `first second`; words contain no spaces. */
  pairs: ReadonlyMap<string, number>;
}

/** Returns how many letters may be removed from a word of this length to form its deletes. */
function reachOf(length: number): 1 | 2 {
  return length >= LONG_WORD ? 2 : 1;
}

/** Returns the hashes of a word's deletes. */
export function deletesOf(word: string): Set<number> {
  const start = word.slice(0, DELETES_FROM);
  const hashes = new Set([hashOf(start)]);
  for (const once of shortened(start)) {
    hashes.add(hashOf(once));
    if (reachOf(word.length) === 2) for (const twice of shortened(once)) hashes.add(hashOf(twice));
  }
  return hashes;
}

function* shortened(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) yield text.slice(0, at) + text.slice(at + 1);
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
