/** Reads the lexicon of a segment into memory; see segment-lexicon-format.ts for the bytes. */
import { ByteReader, CorruptError, type Directory, readSealed } from '../../base/mod.ts';
import { readEnds, readNumbers, readU32s, startOf } from '../columns.ts';
import { type PhraseRow, type PhraseUses, SEGMENT_LEXICON_KIND, USE_BITS } from './segment-lexicon-format.ts';
import { type TextColumn, textAt } from './text-column.ts';
import { WordTable } from './word-table.ts';

export class SegmentLexicon {
  readonly docCount: number;
  readonly words: WordTable;
  readonly phrases: PhraseUses;
  /** The URL of each document, by document number. */
  readonly urls: TextColumn;

  constructor(body: Uint8Array, file = 'lexicon') {
    const reader = new ByteReader(body, file);
    this.docCount = reader.u32();
    const [wordCount, pairCount] = [reader.u32(), reader.u32()];
    const [phraseCount, useCount] = [reader.u32(), reader.u32()];
    const total = reader.f64();
    const counts = readU32s(reader, wordCount);
    const ends = readEnds(reader, wordCount);
    const pairEnds = readEnds(reader, wordCount);
    const seconds = readNumbers(reader, pairCount, wordCount);
    const together = readU32s(reader, pairCount);
    const keyEnds = readEnds(reader, phraseCount);
    const textEnds = readEnds(reader, phraseCount);
    const useEnds = readEnds(reader, phraseCount);
    const usedBy = readNumbers(reader, useCount, this.docCount * 2 ** USE_BITS);
    const urlEnds = readEnds(reader, this.docCount);
    if ((pairEnds.at(-1) ?? 0) > pairCount || (useEnds.at(-1) ?? 0) > useCount)
      throw reader.damage(`${pairCount} pairs and ${useCount} uses`, 'ends after them');
    // Copies the bytes, so that the rest of the file can be freed while the words are in use.
    const bytes = Buffer.from(reader.raw(ends.at(-1) ?? 0));
    this.words = new WordTable({ total, counts, ends, bytes, pairEnds, seconds, together });
    const column = (ends: Uint32Array): TextColumn => ({ ends, bytes: reader.raw(ends.at(-1) ?? 0) });
    this.phrases = { keys: column(keyEnds), texts: column(textEnds), useEnds, usedBy };
    this.urls = column(urlEnds);
  }

  get phraseCount(): number {
    return this.phrases.useEnds.length;
  }

  urlOf(doc: number): string {
    return textAt(this.urls, doc);
  }

  phraseAt(at: number): PhraseRow {
    const { keys, texts, useEnds, usedBy } = this.phrases;
    const key = textAt(keys, at);
    const text = textAt(texts, at) || key;
    return { key, text, usedBy: [...usedBy.subarray(startOf(useEnds, at), useEnds[at]!)] };
  }
}

/** Opens the lexicon of a segment that has `docCount` documents. */
export function openSegmentLexicon(directory: Directory, name: string, docCount: number): SegmentLexicon {
  const lexicon = new SegmentLexicon(readSealed(directory, name, SEGMENT_LEXICON_KIND), name);
  if (lexicon.docCount !== docCount)
    throw new CorruptError(name, 8, `the lexicon of ${docCount} documents`, `${lexicon.docCount}`);
  return lexicon;
}
