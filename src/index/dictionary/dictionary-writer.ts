/** Writes the dictionary and the words of a segment; dictionary-format.ts describes the bytes. */
import type { ByteWriter } from '../../base/mod.ts';
import { hasSeveralForms, SHORT_LENGTH, type TermEntry, type WordOfTerm } from './dictionary-format.ts';
import { type EncodedStrings, SortedBlocksWriter, writeDifference } from './sorted-blocks.ts';

export class DictionaryWriter {
  readonly #terms = new SortedBlocksWriter();

  get termCount(): number {
    return this.#terms.count;
  }

  /** Adds an entry to the dictionary. Terms must be added in ascending order. */
  add(entry: TermEntry): void {
    const { out, isFirst } = this.#terms.add(entry.term);
    if (isFirst) out.varint(entry.postingsAt);
    out.varint(2 * entry.docCount + (entry.forms ? 1 : 0));
    writeLengths(entry, out);
    if (!entry.forms) return;
    out.varint(entry.forms.length);
    for (const { word, docCount } of entry.forms) {
      writeDifference(out, entry.term, word);
      if (hasSeveralForms(entry)) out.varint(docCount);
    }
  }

  /** Appends dictionary entries that the indexing kernel has already encoded. */
  append(entries: EncodedStrings): void {
    this.#terms.append(entries);
  }

  blocks(): Buffer {
    return this.#terms.blocks();
  }

  writeSamples(out: ByteWriter): void {
    this.#terms.writeSamples(out);
  }
}

export class WordsWriter {
  readonly #words = new SortedBlocksWriter();

  get wordCount(): number {
    return this.#words.count;
  }

  /**
   * Adds a word that differs from its term. Words must be added in ascending order; equal words in ascending
   * order of terms.
   */
  add({ word, term }: WordOfTerm): void {
    writeDifference(this.#words.add(word).out, word, term);
  }

  /** Appends words that the indexing kernel has already encoded. */
  append(entries: EncodedStrings): void {
    this.#words.append(entries);
  }

  blocks(): Buffer {
    return this.#words.blocks();
  }

  writeSamples(out: ByteWriter): void {
    this.#words.writeSamples(out);
  }
}

function writeLengths({ postingsBytes, positionBytes }: TermEntry, out: ByteWriter): void {
  const isShort = postingsBytes < SHORT_LENGTH && positionBytes < SHORT_LENGTH;
  const both = isShort ? SHORT_LENGTH * postingsBytes + positionBytes : 0;
  out.u8(both);
  if (both > 0) return;
  out.varint(postingsBytes);
  out.varint(positionBytes);
}
