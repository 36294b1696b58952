/** Finds terms and walks them in order; see dictionary-format.ts for the bytes. */
import { ByteReader, type RandomFile } from '../base/mod.ts';
import { TERMS_PER_BLOCK, type TermEntry } from './dictionary-format.ts';

export class DictionaryReader {
  readonly #file: RandomFile;
  readonly #termCount: number;
  readonly #firstTerms: string[] = [];
  /** File offset of each block, and of the end of the last. */
  readonly #offsets: number[];

  /** `tables` stands at the samples and is left behind them. */
  constructor(file: RandomFile, dictionaryAt: number, termCount: number, tables: ByteReader) {
    this.#file = file;
    this.#termCount = termCount;
    this.#offsets = [dictionaryAt];
    const blockCount = tables.varint();
    for (let block = 0; block < blockCount; block++) {
      this.#firstTerms.push(tables.text());
      this.#offsets.push(this.#offsets[block]! + tables.varint());
    }
  }

  find(term: string): TermEntry | null {
    const block = this.#blockOf(term);
    if (block < 0) return null;
    for (const entry of this.#entries(block)) {
      if (entry.term === term) return entry;
      if (entry.term > term) return null;
    }
    return null;
  }

  /** All terms from `from` on, ascending. */
  *terms(from = ''): Generator<TermEntry> {
    for (let block = Math.max(0, this.#blockOf(from)); block < this.#firstTerms.length; block++) {
      for (const entry of this.#entries(block)) if (entry.term >= from) yield entry;
    }
  }

  /** The last block whose first term is not after `term`; -1 if all are. */
  #blockOf(term: string): number {
    let low = 0;
    let high = this.#firstTerms.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#firstTerms[middle]! <= term) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  *#entries(block: number): Generator<TermEntry> {
    const at = this.#offsets[block]!;
    const reader = new ByteReader(this.#file.read(at, this.#offsets[block + 1]! - at), this.#file.name);
    const count = Math.min(TERMS_PER_BLOCK, this.#termCount - block * TERMS_PER_BLOCK);
    let postingsAt = reader.varint();
    let term = '';
    for (let i = 0; i < count; i++) {
      term = term.slice(0, reader.varint()) + reader.text();
      const docCount = reader.varint();
      const postingsBytes = reader.varint();
      const positionBytes = reader.varint();
      yield { term, docCount, postingsAt, postingsBytes, positionBytes };
      postingsAt += postingsBytes + positionBytes;
    }
  }
}
