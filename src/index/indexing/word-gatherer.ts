/**
 * Holds the words of buffered documents in the memory of the gathering kernel, without a string or an object
 * per occurrence. The memory is laid out as follows:
 *
 *   kinds, spellings, changes of field     small tables
 *   table, records                         the different words, and when a segment is written their stems; a record has
 *                                          the bytes of one word
 *   text                                   the text that is being added, as UTF-8
 *   tokens                                 two bytes for most occurrences, see assembly/indexing/tokens.ts; grows
 *   encoder                                while a segment is written: see encode-kernel.ts
 *   documents, targets, starts, window     while a segment is written: buffers for sorting occurrences by term, see
 *                                          sort-tokens.ts
 *
 * The regions are far apart, so that each can grow. Pages of memory that are never written take no physical
 * memory.
 */
import { loadKernel } from '../../base/mod.ts';
import { formOfWord, kindOfCodePoint, type Stemming, termOf } from '../../text/mod.ts';
import type { FieldRange } from '../document.ts';
import { Field } from '../fields.ts';
import { type EncodeCalls, EncodeKernel } from '../kernels/mod.ts';
import { PostingsWriter } from '../postings/mod.ts';
import { fieldAt } from '../segment/mod.ts';
import { TermWriter, type WriteCalls } from './term-writer.ts';
import { type GroupCalls, groupWords, type WordGroups } from './word-groups.ts';
import { type SortCalls, sorterBytes, WordSorter, windowBytes } from './word-sorter.ts';

/** The functions that the kernel assembly/indexing/gather.ts exports. */
interface GatherCalls extends GroupCalls, SortCalls, WriteCalls, Omit<EncodeCalls, 'setUp'> {
  setUpEncoder: EncodeCalls['setUp'];
  setUp(kindsAt: number, wordsAt: number, changesAt: number, tokensAt: number): void;
  setUpTerms(slotsAt: number, slotCount: number, byNumberAt: number, recordsAt: number, limit: number): void;
  setTokenLimit(limit: number): void;
  startDocument(): void;
  gather(text: number, length: number, from: number, startField: number, changesCount: number): number;
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

/** The maximum number of documents in a buffer, because document numbers have 24 bits during sorting. */
export const MAX_SORTED_DOCS = 1 << 24;

const MI = 1024 * 1024;
const SLOT_COUNT = 2 * MI;
const MAX_CHANGES = 128 * 1024;
/** The maximum length of a text in UTF-16 units. The rest of a longer text is not indexed. */
const MAX_TEXT_LENGTH = 16 * MI;
/**
 * Estimated memory in bytes for each term besides its text: its table slots, and its string while a segment is
 * written.
 */
const TERM_BYTES = 64;
const MAX_TOKENS_BYTES = 1024 * MI;
/** The maximum size of the tokens of a text, as a multiple of the size of the text in bytes. */
const TOKENS_PER_TEXT = 8;
/** Additional memory in bytes for the first token of a text. */
const TOKEN_ROOM = 64;

const KINDS_AT = 1024;
const SPELLINGS_AT = 128 * 1024;
/** The addresses of two small buffers: one for a stem, and one for the forms of a term. */
const STEM_AT = 132 * 1024;
const FORMS_AT = 136 * 1024;
const STEM_BYTES = 1024;
const CHANGES_AT = 256 * 1024;
const ENCODER_AT = 1536 * 1024;
const SLOTS_AT = 2 * MI;
const BY_NUMBER_AT = SLOTS_AT + 16 * SLOT_COUNT;
const RECORDS_AT = BY_NUMBER_AT + 4 * SLOT_COUNT;
const TEXT_AT = RECORDS_AT + 128 * MI;
const TOKENS_AT = TEXT_AT + 3 * MAX_TEXT_LENGTH + MI;
/**
 * The address of the output of the term writer. It reuses the memory of the text, which is empty while a
 * segment is written.
 */
const OUTPUT_AT = TEXT_AT;
const OUTPUT_BYTES = 768 * 1024;
const PAGE_BYTES = 65536;

export class WordGatherer {
  readonly #memory = new WebAssembly.Memory({ initial: TOKENS_AT / PAGE_BYTES, maximum: 65536 });
  readonly #calls: GatherCalls;
  readonly #encoder = new TextEncoder();
  #whole: Buffer = Buffer.alloc(0);
  /** Length in bytes of the text that was added last; -1 if that text was too long and was cut. */
  #lastBytes = -1;

  constructor() {
    this.#calls = loadKernel(new URL('../kernels/gather.wasm', import.meta.url), this.#memory, {
      gather: {
        kindOf: kindOfCodePoint,
        formOf: (from: number, length: number, to: number) => this.#formOf(from, length, to),
      },
      'group-words': {
        stemOf: (from: number, length: number, stemming: Stemming, to: number) =>
          this.#stemOf(from, length, stemming, to),
      },
    });
    this.#calls.setUp(KINDS_AT, SPELLINGS_AT, CHANGES_AT, TOKENS_AT);
    this.#calls.setUpTerms(SLOTS_AT, SLOT_COUNT, BY_NUMBER_AT, RECORDS_AT, TEXT_AT);
  }

  /**
   * The number of words added, without the additional terms of identifiers (such as the parts of `camelCase`).
   */
  get wordCount(): number {
    return this.#calls.countTokens() - this.#calls.countExtras();
  }

  get termCount(): number {
    return this.#calls.countTerms();
  }

  /**
   * The address after the last token. The tokens of a document lie between the values of this property before
   * and after the document is added.
   */
  get tokensEnd(): number {
    return this.#calls.tokensNext();
  }

  /** Memory in bytes that the words, their hash table and the sort need. */
  get sizeBytes(): number {
    const terms = this.#calls.termBytes() + TERM_BYTES * this.termCount;
    return this.#tokensBytes + terms + windowBytes(this.#calls.countTokens());
  }

  /** True if so little memory is left that a segment should be written. */
  get isFull(): boolean {
    return this.#calls.isFull() !== 0 || this.#tokensBytes > MAX_TOKENS_BYTES;
  }

  /** Starts a document: words that are added after this call belong to it. */
  startDocument(): void {
    this.#calls.startDocument();
  }

  /**
   * Adds all words of a text. The first word gets the position `from`. Returns the position after the last
   * word.
   */
  add(text: string, from: number, field: Field, fieldRanges: readonly FieldRange[]): number {
    const indexed = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
    const { written } = this.#encoder.encodeInto(indexed, this.#bytes(TEXT_AT, TOKENS_AT - TEXT_AT));
    this.#lastBytes = indexed === text ? written : -1;
    this.#growTokens(TOKENS_PER_TEXT * written + TOKEN_ROOM);
    const changes = fieldRanges.length === 0 ? 0 : this.#writeChanges(fieldRanges);
    return this.#calls.gather(TEXT_AT, written, from, field, changes);
  }

  /**
   * The position of the first word that is not in a menu, in the text that was added last; -1 if there is none.
   */
  get contentStart(): number {
    return this.#calls.contentStart() | 0;
  }

  /** The text that was added last, as UTF-8; null if it was too long. Valid until the next `add`. */
  get lastText(): Uint8Array | null {
    return this.#lastBytes < 0 ? null : this.#bytes(TEXT_AT, this.#lastBytes);
  }

  /**
   * Returns the texts of all words and stems, in the order of their numbers. Overwrites the text that was added
   * last.
   */
  texts(): string[] {
    const at = this.#calls.termBytes() < TOKENS_AT - TEXT_AT ? TEXT_AT : this.#scratchAt;
    this.#growTo(at + this.#calls.termBytes());
    const end = this.#calls.joinTerms(at);
    return end === at ? [] : this.#decode(at, end - at - 1).split('\n');
  }

  /** Returns the numbers of the words, sorted by their texts in UTF-16 units. */
  inOrder(): Uint32Array {
    const scratchAt = this.#scratchAt;
    const toAt = scratchAt + 16 * this.termCount;
    const buffer = this.#growTo(toAt + 4 * this.termCount);
    this.#calls.sortTerms(scratchAt, toAt);
    return new Uint32Array(buffer, toAt, this.termCount).slice();
  }

  /**
   * Groups the words of `documents` by term. `documents` has three numbers per document: the start and end of
   * its tokens, and the index of its stemming rules in `stemmings`. The result is valid until any method except
   * `newSorter` is called.
   */
  groupWords(documents: Uint32Array, stemmings: readonly Stemming[]): WordGroups {
    const tables = {
      calls: this.#calls,
      reserve: (end: number) => this.#growTo(end),
      termCount: () => this.termCount,
      stemAt: STEM_AT,
    };
    return groupWords(tables, this.#scratchAt, documents, stemmings);
  }

  /** Returns a sorter that orders the occurrences of words by term. It is valid as long as `groups` is. */
  newSorter(groups: WordGroups, window?: number): WordSorter {
    const end = groups.end + sorterBytes(groups, window);
    return new WordSorter(this.#calls, this.#growTo(end), groups, end);
  }

  /**
   * Returns a writer for the terms whose occurrences the sorter has sorted. The writer is valid as long as the
   * sorter.
   */
  newTermWriter(groups: WordGroups, sorter: WordSorter): TermWriter {
    const { setUpEncoder: setUp, start, addPairs, addPlaces, taken, finish, countForms } = this.#calls;
    const calls = { setUp, start, addPairs, addPlaces, taken, finish, countForms };
    const list = new PostingsWriter(new EncodeKernel(this.#memory, ENCODER_AT, calls));
    return new TermWriter(this.#calls, groups, sorter, list, {
      buffer: this.#memory.buffer,
      at: OUTPUT_AT,
      sizeBytes: OUTPUT_BYTES,
      scratchAt: FORMS_AT,
    });
  }

  /**
   * Returns the occurrences of a term that a sorter has sorted: for each occurrence its document and its place.
   */
  pairsOf(from: number, end: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, from, (end - from) / 4);
  }

  /**
   * Calls `visit` for each word that was added since the last call, then forgets these occurrences. The
   * additional terms of identifiers are left out. `isAdjacent` is false if something such as a line break
   * separates the word from the word before it.
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

  /** The address after the tokens, at which the tables for sorting begin. */
  get #scratchAt(): number {
    return (this.tokensEnd + 15) & ~7;
  }

  /** Returns a view of all memory. A new view is made after the memory has grown. */
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

  #stemOf(from: number, length: number, stemming: Stemming, to: number): number {
    return this.#view().write(termOf(this.#decode(from, length), stemming), to, STEM_BYTES);
  }

  /** Grows the memory if needed, so that `bytes` more bytes of tokens fit. */
  #growTokens(bytes: number): void {
    this.#growTo(this.tokensEnd + bytes);
    this.#calls.setTokenLimit(this.#memory.buffer.byteLength);
  }

  /**
   * Grows the memory so that it extends at least to the address `end`. Grows by at least a quarter of the token
   * memory, so that the memory does not grow for every document.
   */
  #growTo(end: number): ArrayBuffer {
    const size = this.#memory.buffer.byteLength;
    if (end > size) {
      const wanted = Math.max(end, size + Math.floor((size - TOKENS_AT) / 4) + MI);
      this.#memory.grow(Math.ceil((wanted - size) / PAGE_BYTES));
    }
    return this.#memory.buffer;
  }

  /**
   * Writes a table of the text offsets at which the field changes, with the new field. Returns the number of
   * entries.
   */
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
