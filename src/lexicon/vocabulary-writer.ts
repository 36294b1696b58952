/** Writes the vocabulary; see vocabulary-format.ts for the bytes. */
import { ByteWriter, type Directory, writeSealed } from '../base/mod.ts';
import type { Origin } from './origin.ts';
import { deletesOf, VOCABULARY_KIND, VOCABULARY_NAME, type WordCounts } from './vocabulary-format.ts';

export function writeVocabulary(directory: Directory, origin: Origin, counts: WordCounts): void {
  writeSealed(directory, VOCABULARY_NAME, VOCABULARY_KIND, encodeVocabulary(origin, counts));
}

export function encodeVocabulary(origin: Origin, { total, words, pairs }: WordCounts): Buffer {
  const list = [...words.keys()].sort();
  const body = new ByteWriter(64 * list.length + 64);
  body.u32(origin.generation);
  body.u32(origin.docs);
  body.u32(list.length);
  body.f64(total);
  for (const word of list) body.u32(words.get(word)!);
  const bytes = new ByteWriter();
  for (const word of list) {
    bytes.raw(Buffer.from(word));
    body.u32(bytes.length);
  }
  body.raw(bytes.view());
  encodePairs(list, pairs, body);
  encodeDeletes(list, body);
  return body.view();
}

/** Leaves out pairs with words that are not listed. */
function encodePairs(list: readonly string[], pairs: WordCounts['pairs'], body: ByteWriter): void {
  const numbers = new Map(list.map((word, at) => [word, at]));
  const followers: [second: number, count: number][][] = list.map(() => []);
  for (const [pair, count] of pairs) {
    const space = pair.indexOf(' ');
    const first = numbers.get(pair.slice(0, space));
    const second = numbers.get(pair.slice(space + 1));
    if (first !== undefined && second !== undefined) followers[first]!.push([second, count]);
  }
  for (const each of followers) each.sort(([a], [b]) => a - b);
  body.u32(followers.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const { length } of followers) {
    end += length;
    body.u32(end);
  }
  for (const [second] of followers.flat()) body.u32(second);
  for (const [, count] of followers.flat()) body.u32(count);
}

/** Combines hash and owner into one number, so that sorting needs no objects. */
function encodeDeletes(list: readonly string[], body: ByteWriter): void {
  const hashes = list.map(deletesOf);
  const entries = new Float64Array(hashes.reduce((sum, { size }) => sum + size, 0));
  let count = 0;
  for (const [owner, each] of hashes.entries()) {
    for (const hash of each) entries[count++] = hash * MAX_VOCABULARY + owner;
  }
  entries.sort();
  body.u32(count);
  for (const entry of entries) body.u32(Math.floor(entry / MAX_VOCABULARY));
  for (const entry of entries) body.u32(entry % MAX_VOCABULARY);
}

/**
 * A hash of 32 bits and an owner of 21 bits are stored in one number of 53 bits, the most that a double holds exactly.
 */
export const MAX_VOCABULARY = 2 ** 21;
