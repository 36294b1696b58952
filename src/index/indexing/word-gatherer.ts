/**
 * Holds the words of buffered documents in the memory of the gathering kernel, without a string or an object
 * per occurrence. The memory is laid out as follows:
 *
 *   kinds, spellings, changes of field     small tables
 *   table, records                         words, and later their stems; a record contains the bytes
 *   text                                   the text that is being added, as UTF-8
 *   tokens                                 two bytes for most occurrences, see assembly/indexing/tokens.ts; grows
 *   encoder                                while a segment is written: see encode-kernel.ts
 *   documents, targets, starts, window     while a segment is written: occurrences by term, see sort-tokens.ts
 *
 * The parts are far apart; pages of memory that are never written take no physical memory.
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

/** The exports of assembly/indexing/gather.ts. */
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
/** Buffers of a stem, and of the forms of a term. */
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
/** While a segment is written, there is no text, and the encoded terms are in its place. */
const OUTPUT_AT = TEXT_AT;
const OUTPUT_BYTES = 768 * 1024;
const PAGE_BYTES = 65536;

export class WordGatherer {
  readonly #memory = new WebAssembly.Memory({ initial: TOKENS_AT / PAGE_BYTES, maximum: 65536 });
  readonly #calls: GatherCalls;
  readonly #encoder = new TextEncoder();
  #whole: Buffer = Buffer.alloc(0);
  /** Byte length of the text that was added last; -1 if that text was cut. */
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

  /** Returns the words and stems by number. Overwrites the text that was added last. */
  texts(): string[] {
    const at = this.#calls.termBytes() < TOKENS_AT - TEXT_AT ? TEXT_AT : this.#scratchAt;
    this.#growTo(at + this.#calls.termBytes());
    const end = this.#calls.joinTerms(at);
    return end === at ? [] : this.#decode(at, end - at - 1).split('\n');
  }

  /** Returns the numbers of the words in ascending order of their UTF-16 units. */
  inOrder(): Uint32Array {
    const scratchAt = this.#scratchAt;
    const toAt = scratchAt + 16 * this.termCount;
    const buffer = this.#growTo(toAt + 4 * this.termCount);
    this.#calls.sortTerms(scratchAt, toAt);
    return new Uint32Array(buffer, toAt, this.termCount).slice();
  }

  /**
   * Groups the words of `documents` by term: the start and the end of the tokens of each document, and the index of its
   * stemming in `stemmings`. The result is valid until the next call of any other method except `newSorter`.
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

  /** Returns a sorter that groups the occurrences by term. It is valid as long as the groups. */
  newSorter(groups: WordGroups, window?: number): WordSorter {
    const end = groups.end + sorterBytes(groups, window);
    return new WordSorter(this.#calls, this.#growTo(end), groups, end);
  }

  /** Returns a writer of the terms that a sorter lays out; valid as long as the sorter. */
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

  /** Returns the pairs of a term that a sorter has laid out. */
  pairsOf(from: number, end: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, from, (end - from) / 4);
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

  #stemOf(from: number, length: number, stemming: Stemming, to: number): number {
    return this.#view().write(termOf(this.#decode(from, length), stemming), to, STEM_BYTES);
  }

  /** Makes room for `bytes` more bytes of tokens. */
  #growTokens(bytes: number): void {
    this.#growTo(this.tokensEnd + bytes);
    this.#calls.setTokenLimit(this.#memory.buffer.byteLength);
  }

  /** Grows by at least a quarter of the token memory, so that it does not grow for every document. */
  #growTo(end: number): ArrayBuffer {
    const size = this.#memory.buffer.byteLength;
    if (end > size) {
      const wanted = Math.max(end, size + Math.floor((size - TOKENS_AT) / 4) + MI);
      this.#memory.grow(Math.ceil((wanted - size) / PAGE_BYTES));
    }
    return this.#memory.buffer;
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
