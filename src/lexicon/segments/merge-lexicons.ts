/**
 * Merges the lexicons of several segments. Counts are added up, and the counts of documents that the merge
 * drops are subtracted. A phrase stays if a remaining document uses it.
 *
 * The result equals the lexicon of the remaining documents if no lexicon leaves out rare words or pairs
 * (segment-lexicon-format.ts has the limits). Otherwise the count of a rare word or pair may be too low.
 */

import { listWords } from './listed-words.ts';
import { PairCounter } from './pair-counter.ts';
import {
  type LexiconColumns,
  MAX_PAIRS,
  type PhraseRow,
  USE_BITS,
  USE_MASK,
} from './segment-lexicon-format.ts';
import type { SegmentLexicon } from './segment-lexicon-reader.ts';
import type { WordTable } from './word-table.ts';

export interface LexiconInput {
  lexicon: SegmentLexicon;
  /**
   * Maps the number of a document in its segment to its number in the merged segment; -1 if the merge drops the
   * document.
   */
  newDocs: Int32Array;
  /**
   * The words of the documents that the merge drops, to be subtracted from the counts. Null if the merge drops
   * no document.
   */
  dropped: WordTable | null;
}

export function mergeLexicons(inputs: readonly LexiconInput[], docCount: number): LexiconColumns {
  return { ...mergeWords(inputs), phrases: mergePhrases(inputs), urls: mergeUrls(inputs, docCount) };
}

function mergeWords(inputs: readonly LexiconInput[]): Omit<LexiconColumns, 'phrases' | 'urls'> {
  const numbers = new Map<string, number>();
  const sums: number[] = [];
  const pairs = new PairCounter();
  let total = 0;
  const add = (table: WordTable, sign: 1 | -1) => {
    total += sign * table.total;
    const global = table.allWords().map((word, local) => {
      const number = numbers.get(word) ?? numbers.size;
      numbers.set(word, number);
      sums[number] = (sums[number] ?? 0) + sign * table.counts[local]!;
      return number;
    });
    for (const [local, first] of global.entries())
      table.eachFollower(local, (second, count) => pairs.add(first, global[second]!, sign * count));
  };
  for (const { lexicon, dropped } of inputs) {
    add(lexicon.words, 1);
    if (dropped) add(dropped, -1);
  }
  const texts = [...numbers.keys()];
  const order = Uint32Array.from(texts.keys()).sort((a, b) => (texts[a]! < texts[b]! ? -1 : 1));
  const { words, counts, newNumbers } = listWords(texts, Float64Array.from(sums), order);
  return { total: Math.max(0, total), words, counts, ...pairs.finish(newNumbers, words.length, MAX_PAIRS) };
}

/** Returns the phrases that at least one remaining document uses. */
function mergePhrases(inputs: readonly LexiconInput[]): PhraseRow[] {
  const rows = new Map<string, PhraseRow & { usedBy: number[] }>();
  for (const { lexicon, newDocs } of inputs) {
    for (let at = 0; at < lexicon.phraseCount; at++) {
      const { key, text, usedBy } = lexicon.phraseAt(at);
      const kept = usedBy.filter((use) => newDocs[use >>> USE_BITS]! >= 0);
      if (kept.length === 0) continue;
      const moved = kept.map((use) => (newDocs[use >>> USE_BITS]! << USE_BITS) | (use & USE_MASK));
      const known = rows.get(key);
      if (known) for (const use of moved) known.usedBy.push(use);
      else rows.set(key, { key, text, usedBy: moved });
    }
  }
  for (const { usedBy } of rows.values()) usedBy.sort((a, b) => a - b);
  return [...rows.values()];
}

function mergeUrls(inputs: readonly LexiconInput[], docCount: number): string[] {
  const urls = new Array<string>(docCount).fill('');
  for (const { lexicon, newDocs } of inputs)
    for (const [doc, newDoc] of newDocs.entries()) if (newDoc >= 0) urls[newDoc] = lexicon.urlOf(doc);
  return urls;
}
