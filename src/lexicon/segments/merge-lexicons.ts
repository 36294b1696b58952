/**
 * Merges the lexicons of several segments. Counts are added up, and the counts of documents that the merge
 * drops are subtracted. A phrase stays if a remaining document uses it.
 *
 * The result equals the lexicon of the remaining documents if no lexicon leaves out rare words or pairs
 * (segment-lexicon-format.ts has the limits). Otherwise the count of a rare word or pair may be too low.
 *
 * Memory: the files of the inputs, and columns of about the same size for the result.
 */
import { mergePhrases, type PhraseInput } from './merge-phrases.ts';
import { mergeWords, type WordInput } from './merge-words.ts';
import type { LexiconColumns } from './segment-lexicon-format.ts';
import { type TextColumn, TextColumnWriter } from './text-column.ts';
import type { WordTable } from './word-table.ts';

export interface LexiconInput extends PhraseInput {
  /**
   * The words of the documents that the merge drops, to be subtracted from the counts. Null if the merge drops
   * no document.
   */
  dropped: WordTable | null;
}

export function mergeLexicons(inputs: readonly LexiconInput[], docCount: number): LexiconColumns {
  const tables = inputs.flatMap(({ lexicon, dropped }): WordInput[] => [
    { table: lexicon.words, sign: 1 },
    ...(dropped ? [{ table: dropped, sign: -1 as const }] : []),
  ]);
  return { ...mergeWords(tables), phrases: mergePhrases(inputs), urls: mergeUrls(inputs, docCount) };
}

function mergeUrls(inputs: readonly LexiconInput[], docCount: number): TextColumn {
  const sources = new Uint32Array(docCount);
  const places = new Uint32Array(docCount);
  for (const [input, { newDocs }] of inputs.entries()) {
    for (let doc = 0; doc < newDocs.length; doc++) {
      if (newDocs[doc]! < 0) continue;
      sources[newDocs[doc]!] = input;
      places[newDocs[doc]!] = doc;
    }
  }
  const bytes = inputs.reduce((sum, { lexicon }) => sum + lexicon.urls.bytes.length, 0);
  const urls = new TextColumnWriter(docCount, bytes);
  for (let doc = 0; doc < docCount; doc++) urls.copy(inputs[sources[doc]!]!.lexicon.urls, places[doc]!);
  return urls.finish();
}
