/** Finds terms and walks them in order; see dictionary-format.ts for the bytes. */
import { ByteReader, type RandomFile } from '../base/mod.ts';
import { SHORT_LENGTH, TERMS_PER_BLOCK, type TermEntry } from './dictionary-format.ts';

/** Terms, at about 100 bytes each. */
const MAX_KNOWN = 16_384;

export class DictionaryReader {
  readonly #file: RandomFile;
  readonly #termCount: number;
  readonly #firstTerms: string[] = [];
  /** File offset of each block, and of the end of the last. */
  readonly #offsets: number[];
  readonly #known = new Map<string, TermEntry | null>();

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

  /** Terms that were looked up lately are known: most queries have words that others had. */
  find(term: string): TermEntry | null {
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const entry = this.#search(term);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(term, entry);
    return entry;
  }

  #search(term: string): TermEntry | null {
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
    let term = this.#firstTerms[block]!;
    for (let i = 0; i < count; i++) {
      if (i > 0) term = term.slice(0, reader.varint()) + reader.text();
      const docCount = reader.varint();
      const both = reader.u8();
      const postingsBytes = both === 0 ? reader.varint() : Math.floor(both / SHORT_LENGTH);
      const positionBytes = both === 0 ? reader.varint() : both % SHORT_LENGTH;
      yield { term, docCount, postingsAt, postingsBytes, positionBytes };
      postingsAt += postingsBytes + positionBytes;
    }
  }
}
