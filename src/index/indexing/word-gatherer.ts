/**
 * Holds the words of buffered documents in the memory of the gathering kernel, without a string or an object
 * per occurrence. The memory is laid out as follows:
 *
 *   kinds, spellings, changes of field     small tables
 *   table, records                         words, and later their stems; a record contains the bytes
 *   text                                   the text that is being added, as UTF-8
 *   tokens                                 two bytes for most occurrences, see assembly/tokens.ts; grows
 *   encoder                                while a segment is written: see encode-kernel.ts
 *   documents, targets, starts, window     while a segment is written: occurrences by term, see sort-tokens.ts
 *
 * The parts are far apart; pages of memory that are never written take no physical memory.
 */
import { loadKernel } from '../../base/mod.ts';
import { formOfWord, kindOfCodePoint } from '../../text/mod.ts';
import type { FieldRange } from '../document.ts';
import { Field } from '../fields.ts';
import { EncodeKernel } from '../kernels/mod.ts';
import { fieldAt } from '../segment/mod.ts';
import {
  inParts,
  type SortCalls,
  sorterBytes,
  WordSorter,
  type WordsToSort,
  windowBytes,
} from './word-sorter.ts';

/** The exports of assembly/gather.ts. */
interface GatherCalls extends SortCalls {
  setUp(kindsAt: number, wordsAt: number, changesAt: number, tokensAt: number): void;
  setUpTerms(slotsAt: number, slotCount: number, byNumberAt: number, recordsAt: number, limit: number): void;
  setTokenLimit(limit: number): void;
  startDocument(): void;
  gather(text: number, length: number, from: number, startField: number, changesCount: number): number;
  numberOf(at: number, length: number): number;
  countWords(documentsAt: number, from: number, end: number, countsAt: number, words: number): void;
  sortTerms(scratchAt: number, toAt: number): void;
  joinTerms(toAt: number): number;
  clearTerms(): void;
  clearTokens(): void;
  countTokens(): number;
  countExtras(): number;
  contentStart(): number;
  tokensNext(): number;
  countTerms(): number;
  termBytes(): number;
  isFull(): number;
}

/** Document numbers have 24 bits during sorting. */
export const MAX_SORTED_DOCS = 1 << 24;

const MI = 1024 * 1024;
const SLOT_COUNT = 2 * MI;
const MAX_CHANGES = 128 * 1024;
/** Text after this length is not indexed. In UTF-16 units. */
const MAX_TEXT_LENGTH = 16 * MI;
/** Memory per term besides its bytes: its slots, and its string while a segment is written. */
const TERM_BYTES = 64;
const MAX_TOKENS_BYTES = 1024 * MI;
/** Upper bound of the bytes of tokens per byte of text. */
const TOKENS_PER_TEXT = 8;
/** Room for the first token of a text. */
const TOKEN_ROOM = 64;

const KINDS_AT = 1024;
const SPELLINGS_AT = 128 * 1024;
const STEM_AT = 132 * 1024;
const STEM_BYTES = 1024;
/** Padding after a text that is looked up. */
const ZEROS = '\0'.repeat(8);
const SURROGATE = /[\ud800-\udfff]/;
const BEHIND_SURROGATES = /[\ud800-\uffff]/;
const CHANGES_AT = 256 * 1024;
const ENCODER_AT = 1536 * 1024;
const SLOTS_AT = 2 * MI;
const BY_NUMBER_AT = SLOTS_AT + 16 * SLOT_COUNT;
const RECORDS_AT = BY_NUMBER_AT + 4 * SLOT_COUNT;
const TEXT_AT = RECORDS_AT + 128 * MI;
const TOKENS_AT = TEXT_AT + 3 * MAX_TEXT_LENGTH + MI;
const PAGE_BYTES = 65536;

export class WordGatherer {
  readonly #memory = new WebAssembly.Memory({ initial: TOKENS_AT / PAGE_BYTES, maximum: 65536 });
  readonly #calls: GatherCalls;
  readonly #encoder = new TextEncoder();
  #whole: Buffer = Buffer.alloc(0);
  /** Byte length of the text that was added last; -1 if that text was cut. */
  #lastBytes = -1;
  /** True if a word has characters outside the basic plane, as of the last call of `texts`. */
  #hasSurrogates = false;

  constructor() {
    this.#calls = loadKernel(new URL('../kernels/gather.wasm', import.meta.url), this.#memory, {
      gather: {
        kindOf: kindOfCodePoint,
        formOf: (from: number, length: number, to: number) => this.#formOf(from, length, to),
      },
    });
    this.#calls.setUp(KINDS_AT, SPELLINGS_AT, CHANGES_AT, TOKENS_AT);
    this.#calls.setUpTerms(SLOTS_AT, SLOT_COUNT, BY_NUMBER_AT, RECORDS_AT, TEXT_AT);
  }

  /** The number of words, without the further terms of identifiers. */
  get wordCount(): number {
    return this.#calls.countTokens() - this.#calls.countExtras();
  }

  get termCount(): number {
    return this.#calls.countTerms();
  }

  /** The current end of the tokens; a document's tokens lie between two values of it. */
  get tokensEnd(): number {
    return this.#calls.tokensNext();
  }

  /** Bytes that the words, their table and the sort need in memory. */
  get sizeBytes(): number {
    const terms = this.#calls.termBytes() + TERM_BYTES * this.termCount;
    return this.#tokensBytes + terms + windowBytes(this.#calls.countTokens());
  }

  /** True if there is little room left. */
  get isFull(): boolean {
    return this.#calls.isFull() !== 0 || this.#tokensBytes > MAX_TOKENS_BYTES;
  }

  /** Words that are added after this call belong to the next document. */
  startDocument(): void {
    this.#calls.startDocument();
  }

  /** Adds all words of a text, the first at position `from`; returns the position after the last. */
  add(text: string, from: number, field: Field, fieldRanges: readonly FieldRange[]): number {
    const indexed = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
    const { written } = this.#encoder.encodeInto(indexed, this.#bytes(TEXT_AT, TOKENS_AT - TEXT_AT));
    this.#lastBytes = indexed === text ? written : -1;
    this.#growTokens(TOKENS_PER_TEXT * written + TOKEN_ROOM);
    const changes = fieldRanges.length === 0 ? 0 : this.#writeChanges(fieldRanges);
    return this.#calls.gather(TEXT_AT, written, from, field, changes);
  }

  /** The position of the first word outside of menus in the text that was added last; -1 if it has none. */
  get contentStart(): number {
    return this.#calls.contentStart() | 0;
  }

  /** The text that was added last as UTF-8, or null if it was too long; valid until the next `add`. */
  get lastText(): Uint8Array | null {
    return this.#lastBytes < 0 ? null : this.#bytes(TEXT_AT, this.#lastBytes);
  }

  /**
   * Returns the words by number. They are decoded in one call, because one call per word would cost more than
   * its stemming.
   */
  texts(): string[] {
    const at = this.#scratchAt;
    this.#growTo(at + this.#calls.termBytes());
    const end = this.#calls.joinTerms(at);
    if (end === at) return [];
    const joined = this.#decode(at, end - at - 1);
    this.#hasSurrogates = SURROGATE.test(joined);
    return joined.split('\n');
  }

  /** Returns the number of a stem. Adds it if it is not yet known as a word or a stem. */
  numberOf(stem: string): number {
    const written = this.#view().write(stem + ZEROS, STEM_AT, STEM_BYTES) - ZEROS.length;
    return this.#calls.numberOf(STEM_AT, written);
  }

  /** Returns how often each word occurs in the documents of each stemming, one stemming after the other. */
  countWords(documents: Uint32Array, stemmings: number): Uint32Array {
    const documentsAt = this.#scratchAt;
    const countsAt = documentsAt + documents.byteLength;
    const length = stemmings * this.termCount;
    this.#growTo(countsAt + 4 * length);
    new Uint32Array(this.#memory.buffer, documentsAt, documents.length).set(documents);
    const counts = new Uint32Array(this.#memory.buffer, countsAt, length);
    counts.fill(0);
    inParts(documents, (from, end) =>
      this.#calls.countWords(documentsAt, from, end, countsAt, this.termCount),
    );
    return counts.slice();
  }

  /**
   * Returns a sorter that groups the occurrences by term. It is valid until the next call of any other
   * method.
   */
  newSorter(given: WordsToSort, window?: number): WordSorter {
    const at = this.#scratchAt;
    const end = at + sorterBytes(given, window);
    this.#growTo(end);
    return new WordSorter(this.#calls, this.#memory.buffer, at, end, given);
  }

  /**
   * Returns the numbers of words and stems in ascending order of their UTF-16 units. `texts` has them by
   * number, and must be the result of the last call of `texts()`, with the stems appended.
   */
  inOrder(texts: readonly string[]): Uint32Array {
    const scratchAt = this.#scratchAt;
    const toAt = scratchAt + 16 * this.termCount;
    this.#growTo(toAt + 4 * this.termCount);
    this.#calls.sortTerms(scratchAt, toAt);
    const numbers = new Uint32Array(this.#memory.buffer, toAt, this.termCount).slice();
    return this.#hasSurrogates ? inOrderOfUnits(numbers, texts) : numbers;
  }

  /** Returns an encoder for the pairs that a sorter lays out; valid as long as the sorter. */
  newEncoder(): EncodeKernel {
    return new EncodeKernel(this.#memory, ENCODER_AT);
  }

  /**
   * Visits the words that were added since the last call, without the further terms of identifiers, and forgets where
   * they occurred. `isAdjacent` is true if nothing separates the word from the one before, such as a new line.
   */
  takeWords(visit: (number: number, isAdjacent: boolean) => void): void {
    const bytes = this.#view();
    const end = this.tokensEnd;
    for (let at = TOKENS_AT; at < end; ) {
      let code = 0;
      let shift = 0;
      for (; bytes[at]! >= 0x80; shift += 7) code |= (bytes[at++]! & 0x7f) << shift;
      code |= bytes[at++]! << shift;
      let step = 8;
      if (code & 1) {
        step = 0;
        for (shift = 0; bytes[at]! >= 0x80; shift += 7) step |= (bytes[at++]! & 0x7f) << shift;
        step |= bytes[at++]! << shift;
      }
      if (step >= 8) visit(code >>> 1, step < 16);
    }
    this.#calls.clearTokens();
  }

  clear(): void {
    this.#calls.clearTerms();
    this.#calls.clearTokens();
  }

  #bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer, at, length);
  }

  get #tokensBytes(): number {
    return this.tokensEnd - TOKENS_AT;
  }

  /** The memory after the tokens, which holds the tables of a sort. */
  get #scratchAt(): number {
    return (this.tokensEnd + 15) & ~7;
  }

  /** A view of all memory; it is renewed after the memory has grown. */
  #view(): Buffer {
    if (this.#whole.buffer !== this.#memory.buffer) this.#whole = Buffer.from(this.#memory.buffer);
    return this.#whole;
  }

  #decode(at: number, length: number): string {
    return this.#view().toString('utf8', at, at + length);
  }

  #formOf(from: number, length: number, to: number): number {
    const form = formOfWord(this.#decode(from, length));
    return this.#encoder.encodeInto(form, this.#bytes(to, 256)).written;
  }

  /** Makes room for `bytes` more bytes of tokens. */
  #growTokens(bytes: number): void {
    this.#growTo(this.tokensEnd + bytes);
    this.#calls.setTokenLimit(this.#memory.buffer.byteLength);
  }

  /** Grows by at least a quarter of the token memory, so that it does not grow for every document. */
  #growTo(end: number): void {
    const size = this.#memory.buffer.byteLength;
    if (end > size) {
      const wanted = Math.max(end, size + Math.floor((size - TOKENS_AT) / 4) + MI);
      this.#memory.grow(Math.ceil((wanted - size) / PAGE_BYTES));
    }
  }

  /** Writes the offsets at which the field changes, with the new field, and returns their number. */
  #writeChanges(fieldRanges: readonly FieldRange[]): number {
    const offsets = new Set(fieldRanges.flatMap(({ start, end }) => [start, end]));
    const ascending = Uint32Array.from(offsets).sort();
    const fieldOf = fieldAt(fieldRanges);
    const changes = new Uint32Array(this.#memory.buffer, CHANGES_AT, 2 * MAX_CHANGES);
    let count = 0;
    let field: Field = Field.body;
    for (const offset of ascending) {
      const next = fieldOf(offset);
      if (next === field || count === MAX_CHANGES - 1) continue;
      changes[2 * count] = offset;
      changes[2 * count++ + 1] = next;
      field = next;
    }
    return count;
  }
}

/**
 * Converts byte order to the order of UTF-16 units. In byte order, characters outside the basic plane come after all
 * others; in the order of units, they come before U+E000 to U+FFFF. Only words with characters of one of these two
 * groups can be misplaced. These words are sorted again and merged with the other words.
 */
function inOrderOfUnits(numbers: Uint32Array, texts: readonly string[]): Uint32Array {
  const isMoved = (number: number) => BEHIND_SURROGATES.test(texts[number]!);
  const moved = numbers.filter(isMoved).sort((a, b) => (texts[a]! < texts[b]! ? -1 : 1));
  const rest = numbers.filter((number) => !isMoved(number));
  let fromMoved = 0;
  let fromRest = 0;
  return numbers.map(() => {
    const isNext =
      fromMoved < moved.length &&
      (fromRest === rest.length || texts[moved[fromMoved]!]! < texts[rest[fromRest]!]!);
    return isNext ? moved[fromMoved++]! : rest[fromRest++]!;
  });
}
