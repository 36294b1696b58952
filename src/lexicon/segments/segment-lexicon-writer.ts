/** Writes the lexicon of a segment; see segment-lexicon-format.ts for the bytes. */
import { ByteWriter, type Directory, writeSealed } from '../../base/mod.ts';
import {
  type LexiconColumns,
  type PhraseRow,
  type PhraseUses,
  SEGMENT_LEXICON_KIND,
} from './segment-lexicon-format.ts';
import { textColumn } from './text-column.ts';

/** The size of the counts at the beginning of the body. */
const HEAD_BYTES = 28;

/**
 * Writes the lexicon of a segment. The file is durable when the function returns; readers see it when the
 * manifest names it.
 */
export function writeSegmentLexicon(directory: Directory, name: string, lexicon: LexiconColumns): void {
  writeSealed(directory, name, SEGMENT_LEXICON_KIND, encodeLexicon(lexicon));
}

export function encodeLexicon(lexicon: LexiconColumns): Buffer {
  const { total, counts, pairEnds, seconds, together, urls } = lexicon;
  const { keys, texts, useEnds, usedBy } = lexicon.phrases;
  const words = textColumn(lexicon.words);
  const numbers = [
    counts,
    words.ends,
    pairEnds,
    seconds,
    together,
    keys.ends,
    texts.ends,
    useEnds,
    usedBy,
    urls.ends,
  ];
  const columns = [...numbers.map(bytesOf), words.bytes, keys.bytes, texts.bytes, urls.bytes];
  const body = new ByteWriter(columns.reduce((sum, { length }) => sum + length, HEAD_BYTES));
  for (const column of [urls.ends, counts, seconds, useEnds, usedBy]) body.u32(column.length);
  body.f64(total);
  for (const column of columns) body.raw(column);
  return body.view();
}

/** Sorts phrases by the bytes of their keys and returns them as columns. */
export function phraseColumns(rows: readonly PhraseRow[]): PhraseUses {
  const keyed = rows.map((row) => ({ key: Buffer.from(row.key), row }));
  const sorted = keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ row }) => row);
  let end = 0;
  return {
    keys: textColumn(sorted.map(({ key }) => key)),
    texts: textColumn(sorted.map(({ key, text }) => (text === key ? '' : text))),
    useEnds: Uint32Array.from(sorted, ({ usedBy }) => (end += usedBy.length)),
    usedBy: Uint32Array.from(sorted.flatMap(({ usedBy }) => usedBy)),
  };
}

function bytesOf(column: Uint32Array): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
}
