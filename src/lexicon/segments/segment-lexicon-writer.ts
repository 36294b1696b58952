/** Writes the lexicon of a segment; see segment-lexicon-format.ts for the bytes. */
import { ByteWriter, type Directory, writeSealed } from '../../base/mod.ts';
import { type LexiconColumns, type PhraseRow, SEGMENT_LEXICON_KIND } from './segment-lexicon-format.ts';

/**
 * Writes the lexicon of a segment. The file is durable when the function returns; readers see it when the
 * manifest names it.
 */
export function writeSegmentLexicon(directory: Directory, name: string, lexicon: LexiconColumns): void {
  writeSealed(directory, name, SEGMENT_LEXICON_KIND, encodeLexicon(lexicon));
}

export function encodeLexicon(lexicon: LexiconColumns): Buffer {
  const { total, words, counts, pairEnds, seconds, together, urls } = lexicon;
  const phrases = sortedByKey(lexicon.phrases);
  const usedBy = phrases.flatMap(({ row }) => row.usedBy);
  const body = new ByteWriter(1024 + 24 * words.length + 8 * seconds.length + 64 * phrases.length);
  for (const count of [urls.length, words.length, seconds.length, phrases.length, usedBy.length])
    body.u32(count);
  body.f64(total);
  body.raw(bytesOf(counts));
  const wordTexts = new Texts(words);
  body.raw(bytesOf(wordTexts.ends));
  for (const column of [pairEnds, seconds, together]) body.raw(bytesOf(column));
  const keys = new Texts(phrases.map(({ row }) => row.key));
  const texts = new Texts(phrases.map(({ row }) => (row.text === row.key ? '' : row.text)));
  body.raw(bytesOf(keys.ends));
  body.raw(bytesOf(texts.ends));
  let end = 0;
  for (const { row } of phrases) {
    end += row.usedBy.length;
    body.u32(end);
  }
  body.raw(bytesOf(Uint32Array.from(usedBy)));
  const addresses = new Texts(urls);
  body.raw(bytesOf(addresses.ends));
  for (const { bytes } of [wordTexts, keys, texts, addresses]) body.raw(bytes);
  return body.view();
}

/**
 * Collects texts in the form of the lexicon file: all bytes one after another, and the end offset of each text.
 */
class Texts {
  readonly bytes: Buffer;
  readonly ends: Uint32Array;

  constructor(texts: readonly string[]) {
    const all = texts.join('');
    this.bytes = Buffer.from(all);
    this.ends = new Uint32Array(texts.length);
    const isOneByteEach = this.bytes.length === all.length;
    let end = 0;
    for (let at = 0; at < texts.length; at++) {
      end += isOneByteEach ? texts[at]!.length : Buffer.byteLength(texts[at]!);
      this.ends[at] = end;
    }
  }
}

/** Sorts phrases by the bytes of their keys. */
function sortedByKey(rows: readonly PhraseRow[]): { key: Buffer; row: PhraseRow }[] {
  const keyed = rows.map((row) => ({ key: Buffer.from(row.key), row }));
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key));
}

function bytesOf(column: Uint32Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}
