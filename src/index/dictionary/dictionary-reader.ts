/**
 * Reads the dictionary of a segment: finds terms, and walks terms and words in order. dictionary-format.ts
 * describes the bytes.
 */
import type { ByteReader, RandomFile } from '../../base/mod.ts';
import { SHORT_LENGTH, type TermEntry, type TermForm, type WordOfTerm } from './dictionary-format.ts';
import { readDifference, SortedBlocksReader, skipDifference } from './sorted-blocks.ts';
import { SpellingFilter } from './spelling-filter.ts';
import { beginningsAmong, spellingsAmong } from './spellings.ts';

export class DictionaryReader {
  readonly #terms: SortedBlocksReader<TermEntry>;
  /** The file offset of the postings of the next term to decode. */
  #postingsAt = 0;

  /**
   * Opens a dictionary. Reads the first string of each block from `tables`, and leaves `tables` positioned
   * after them.
   */
  constructor(file: RandomFile, dictionaryAt: number, termCount: number, tables: ByteReader) {
    this.#terms = new SortedBlocksReader(file, dictionaryAt, termCount, tables, {
      decode: (term, reader, isFirst) => this.#decode(term, reader, isFirst),
      skip: (reader, isFirst) => this.#skip(reader, isFirst),
    });
  }

  find(term: string): TermEntry | null {
    return this.#terms.find(term);
  }

  /** Yields all terms from `from` on, ascending. */
  *terms(from = ''): Generator<TermEntry> {
    for (let block = Math.max(0, this.#terms.blockOf(from)); block < this.#terms.blockCount; block++) {
      for (const entry of [...this.#terms.entries(block)]) if (entry.term >= from) yield entry;
    }
  }

  #decode(term: string, reader: ByteReader, isFirst: boolean): TermEntry {
    if (isFirst) this.#postingsAt = reader.varint();
    const postingsAt = this.#postingsAt;
    const count = reader.varint();
    const both = reader.u8();
    const postingsBytes = both === 0 ? reader.varint() : Math.floor(both / SHORT_LENGTH);
    const positionBytes = both === 0 ? reader.varint() : both % SHORT_LENGTH;
    const docCount = Math.floor(count / 2);
    const forms = count % 2 === 1 ? readForms(term, docCount, reader) : null;
    this.#postingsAt += postingsBytes + positionBytes;
    return { term, docCount, postingsAt, postingsBytes, positionBytes, forms };
  }

  #skip(reader: ByteReader, isFirst: boolean): void {
    if (isFirst) this.#postingsAt = reader.varint();
    const hasForms = reader.varint() % 2 === 1;
    const both = reader.u8();
    if (both === 0) this.#postingsAt += reader.varint() + reader.varint();
    else this.#postingsAt += (both >> 4) + (both % SHORT_LENGTH);
    if (hasForms) skipForms(reader);
  }
}

/** Finds words that differ from their term, such as `nodding` for the term `nod`. */
export class WordsReader {
  readonly #words: SortedBlocksReader<WordOfTerm>;
  /**
   * The number and the words of the block that was searched last. Consecutive look-ups often need the same
   * block.
   */
  #lastBlock = -1;
  #lastWords: string[] = [];
  /**
   * A filter that rejects most words without other spellings. The first look-up builds it; merges never need
   * it.
   */
  #filter: SpellingFilter | null = null;

  constructor(file: RandomFile, wordsAt: number, wordCount: number, tables: ByteReader) {
    this.#words = new SortedBlocksReader(file, wordsAt, wordCount, tables, {
      decode: (word, reader) => ({ word, term: readDifference(reader, word) }),
      skip: skipDifference,
    });
  }

  /**
   * Returns other spellings of a word: the words that differ from `folded` only in accents. The first call
   * reads all words that are not ASCII.
   */
  spellingsOf(folded: string): string[] {
    this.#filter ??= new SpellingFilter(this.#words.otherThanAscii());
    return this.#filter.mayHave(folded) ? spellingsAmong((from) => this.#firstFrom(from), folded) : [];
  }

  /**
   * Returns prefixes of words that differ from `folded` only in accents, such as `pré` for `pre`. `folded`
   * itself is not returned.
   */
  beginningsOf(folded: string): string[] {
    return beginningsAmong((from) => this.#firstFrom(from), folded);
  }

  /** Returns the first word in sorted order that is equal to `from` or follows it; null if there is none. */
  #firstFrom(from: string): string | null {
    for (let block = Math.max(0, this.#words.blockOf(from)); block < this.#words.blockCount; block++) {
      if (block !== this.#lastBlock)
        this.#lastWords = Array.from(this.#words.entries(block), ({ word }) => word);
      this.#lastBlock = block;
      const found = this.#lastWords.find((word) => word >= from);
      if (found !== undefined) return found;
    }
    return null;
  }

  /**
   * Yields the words from `from` on, ascending by word, then by term. Reading starts one block before the block
   * of `from`, because a word with several terms may begin there.
   */
  *words(from = ''): Generator<WordOfTerm> {
    for (let block = Math.max(0, this.#words.blockOf(from) - 1); block < this.#words.blockCount; block++) {
      for (const entry of this.#words.entries(block)) if (entry.word >= from) yield entry;
    }
  }
}

/**
 * Decodes the forms of a term. If there is only one form, its document count is not stored: all documents of
 * the term have it.
 */
function readForms(term: string, docCount: number, reader: ByteReader): TermForm[] {
  const count = reader.varint();
  reader.require(count);
  return Array.from({ length: count }, () => {
    const word = readDifference(reader, term);
    return { word, docCount: count > 1 ? reader.varint() : docCount };
  });
}

function skipForms(reader: ByteReader): void {
  const count = reader.varint();
  for (let form = 0; form < count; form++) {
    skipDifference(reader);
    if (count > 1) reader.varint();
  }
}
