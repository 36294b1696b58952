/**
 * The names of the pages of one shard of an index, before phrases and synonyms are chosen from the names of all shards.
 * Sealed (magic GYM1), body:
 *
 *   docs     u32  documents of the shard
 *   phrases  u32, then per anchor text: key, text (empty if it equals the key), popularity f64
 *   pairs    u32, then per pair of words: `first second`, and the number of pages that gave it u32
 *   words    u32, then per word: the word, and the number of pages that have it in a name u32
 *
 * A shard with one document, whose only phrase is "Node.js" with popularity 2, is
 *
 *   47 59 4D 31  01 00 00 00  01 00 00 00  01 00 00 00  07 6E 6F 64 65 20 6A 73  07 4E 6F 64 65 2E 6A 73
 *   00 00 00 00 00 00 00 40  00 00 00 00  00 00 00 00  86 49 88 AE
 */
import {
  ByteReader,
  ByteWriter,
  type Directory,
  type FileKind,
  readSealed,
  writeSealed,
} from '../base/mod.ts';
import { PhraseGatherer } from './phrase-gatherer.ts';
import { writePhrases } from './phrases-writer.ts';
import type { LinkedPhrase } from './phrases-format.ts';
import { type NameCounts, SynonymMiner } from './synonym-miner.ts';
import { writeSynonyms } from './synonyms-format.ts';

const KIND: FileKind = { magic: 'GYM1', version: 1 };

/** The names of the pages of a shard. */
export interface NamesPart {
  docs: number;
  phrases: ReadonlyMap<string, LinkedPhrase>;
  counts: NameCounts;
}

/** The maximum number of phrases from anchor texts. */
export const MAX_PHRASES = 1_000_000;

export function writeNamesPart(
  directory: Directory,
  name: string,
  { docs, phrases, counts }: NamesPart,
): void {
  const body = new ByteWriter();
  body.u32(docs);
  body.u32(phrases.size);
  for (const [key, { text, popularity }] of phrases) {
    body.text(key);
    body.text(text === key ? '' : text);
    body.f64(popularity);
  }
  for (const numbers of [counts.votes, counts.pages]) {
    body.u32(numbers.size);
    for (const [text, number] of numbers) {
      body.text(text);
      body.u32(number);
    }
  }
  writeSealed(directory, name, KIND, body.view());
}

function readNamesPart(directory: Directory, name: string): NamesPart {
  const reader = new ByteReader(readSealed(directory, name, KIND), name);
  const docs = reader.u32();
  const phrases = new Map<string, LinkedPhrase>();
  for (let left = reader.u32(); left > 0; left--) {
    const key = reader.text();
    phrases.set(key, { text: reader.text() || key, popularity: reader.f64() });
  }
  const readCounts = () => {
    const numbers = new Map<string, number>();
    for (let left = reader.u32(); left > 0; left--) numbers.set(reader.text(), reader.u32());
    return numbers;
  };
  return { docs, phrases, counts: { votes: readCounts(), pages: readCounts() } };
}

/**
 * Writes the files of suggested phrases and synonyms to `words`, from the names of all shards. `names` are the files of the
 * shards in `parts`; `generation` is a number that increases with each call.
 */
export function joinNames(
  parts: Directory,
  names: readonly string[],
  words: Directory,
  generation: number,
): void {
  const phrases = new PhraseGatherer(MAX_PHRASES);
  const miner = new SynonymMiner();
  let docs = 0;
  for (const name of names) {
    const part = readNamesPart(parts, name);
    docs += part.docs;
    phrases.addPhrases(part.phrases);
    miner.addCounts(part.counts);
  }
  writePhrases(words, { generation, docs }, phrases.finish());
  writeSynonyms(words, { generation, docs }, miner.finish());
}
