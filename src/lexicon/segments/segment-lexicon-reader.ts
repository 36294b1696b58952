/** Reads the lexicon of a segment into memory; see segment-lexicon-format.ts for the bytes. */
import { ByteReader, CorruptError, type Directory, readSealed } from '../../base/mod.ts';
import { readU32s, startOf } from '../columns.ts';
import { type PhraseRow, SEGMENT_LEXICON_KIND } from './segment-lexicon-format.ts';
import { WordTable } from './word-table.ts';

/** The phrases of a lexicon, sorted by the bytes of their keys. */
export interface PhraseColumns {
  keyEnds: Uint32Array;
  keys: Buffer;
  textEnds: Uint32Array;
  texts: Buffer;
}

export class SegmentLexicon {
  readonly docCount: number;
  readonly words: WordTable;
  readonly phrases: PhraseColumns;
  readonly useEnds: Uint32Array;
  readonly usedBy: Uint32Array;
  readonly #urlEnds: Uint32Array;
  readonly #urls: Buffer;

  constructor(body: Uint8Array, file = 'lexicon') {
    const reader = new ByteReader(body, file);
    this.docCount = reader.u32();
    const [wordCount, pairCount] = [reader.u32(), reader.u32()];
    const [phraseCount, useCount] = [reader.u32(), reader.u32()];
    const total = reader.f64();
    const counts = readU32s(reader, wordCount);
    const ends = readU32s(reader, wordCount);
    const pairEnds = readU32s(reader, wordCount);
    const seconds = readU32s(reader, pairCount);
    const together = readU32s(reader, pairCount);
    const keyEnds = readU32s(reader, phraseCount);
    const textEnds = readU32s(reader, phraseCount);
    this.useEnds = readU32s(reader, phraseCount);
    this.usedBy = readU32s(reader, useCount);
    this.#urlEnds = readU32s(reader, this.docCount);
    // Copies the bytes, so that the rest of the file can be freed while the words are in use.
    const bytes = Buffer.from(reader.raw(ends.at(-1) ?? 0));
    this.words = new WordTable({ total, counts, ends, bytes, pairEnds, seconds, together });
    const keys = reader.raw(keyEnds.at(-1) ?? 0);
    const texts = reader.raw(textEnds.at(-1) ?? 0);
    this.phrases = { keyEnds, keys, textEnds, texts };
    this.#urls = reader.raw(this.#urlEnds.at(-1) ?? 0);
  }

  get phraseCount(): number {
    return this.useEnds.length;
  }

  urlOf(doc: number): string {
    return this.#urls.toString('utf8', startOf(this.#urlEnds, doc), this.#urlEnds[doc]!);
  }

  phraseAt(at: number): PhraseRow {
    const { keyEnds, keys, textEnds, texts } = this.phrases;
    const key = keys.toString('utf8', startOf(keyEnds, at), keyEnds[at]!);
    const text = texts.toString('utf8', startOf(textEnds, at), textEnds[at]!) || key;
    return { key, text, usedBy: [...this.usedBy.subarray(startOf(this.useEnds, at), this.useEnds[at]!)] };
  }
}

/** Opens the lexicon of a segment that has `docCount` documents. */
export function openSegmentLexicon(directory: Directory, name: string, docCount: number): SegmentLexicon {
  const lexicon = new SegmentLexicon(readSealed(directory, name, SEGMENT_LEXICON_KIND), name);
  if (lexicon.docCount !== docCount)
    throw new CorruptError(name, 8, `the lexicon of ${docCount} documents`, `${lexicon.docCount}`);
  return lexicon;
}
