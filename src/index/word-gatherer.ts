/**
 * The words of buffered documents, in the memory of the gathering kernel: no string and no object per occurrence.
 *
 *   kinds, spellings, changes of field     small tables
 *   table, records                         words, and later their stems; the bytes of each lie in its record
 *   text                                   the text that is being taken in, as UTF-8
 *   tokens                                 two bytes for most occurrences, see assembly/tokens.ts; grows
 *   encoder                                while a segment is written: see encode-kernel.ts
 *   documents, targets, starts, window     while a segment is written: the same by term, see sort-tokens.ts
 *
 * Parts lie far apart; what is not touched takes no memory.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formOfWord, kindOfCodePoint } from '../text/mod.ts';
import type { Stretch } from './document.ts';
import { EncodeKernel } from './encode-kernel.ts';
import { Field } from './fields.ts';
import { fieldAt } from './stretches.ts';
import {
  inParts,
  type SortCalls,
  sorterBytes,
  WordSorter,
  type WordsToSort,
  windowBytes,
} from './word-sorter.ts';

/** What assembly/gather.ts exports. */
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
  tokensNext(): number;
  countTerms(): number;
  termBytes(): number;
  isFull(): number;
}

/** Documents are numbered in 24 bits while they are sorted. */
export const MAX_SORTED_DOCS = 1 << 24;

const MI = 1024 * 1024;
const SLOT_COUNT = 2 * MI;
const MAX_CHANGES = 128 * 1024;
/** Of a longer text the rest is not indexed. In UTF-16 units. */
const MAX_TEXT_LENGTH = 16 * MI;
/** What a term takes besides its bytes: slots, and its string while a segment is written. */
const TERM_BYTES = 64;
const MAX_TOKENS_BYTES = 1024 * MI;
/** Of a byte of text there are at most so many bytes of tokens. */
const TOKENS_PER_TEXT = 4;
/** Of the first token of a text. */
const TOKEN_ROOM = 64;

const KINDS_AT = 1024;
const SPELLINGS_AT = 128 * 1024;
const STEM_AT = 132 * 1024;
const STEM_BYTES = 1024;
/** Behind what is looked up. */
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

let compiled: WebAssembly.Module | undefined;

export class WordGatherer {
  readonly #memory = new WebAssembly.Memory({ initial: TOKENS_AT / PAGE_BYTES, maximum: 65536 });
  readonly #calls: GatherCalls;
  readonly #encoder = new TextEncoder();
  #whole: Buffer = Buffer.alloc(0);
  /** Of the text that was taken in last; -1 if that was not all of it. */
  #lastBytes = -1;
  /** Whether a word has characters beyond the basic plane, as of the last `texts`. */
  #hasSurrogates = false;

  constructor() {
    compiled ??= new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'kernels', 'gather.wasm')));
    const instance = new WebAssembly.Instance(compiled, {
      env: { memory: this.#memory, abort },
      gather: {
        kindOf: kindOfCodePoint,
        formOf: (from: number, length: number, to: number) => this.#formOf(from, length, to),
      },
    });
    this.#calls = instance.exports as unknown as GatherCalls;
    this.#calls.setUp(KINDS_AT, SPELLINGS_AT, CHANGES_AT, TOKENS_AT);
    this.#calls.setUpTerms(SLOTS_AT, SLOT_COUNT, BY_NUMBER_AT, RECORDS_AT, TEXT_AT);
  }

  get wordCount(): number {
    return this.#calls.countTokens();
  }

  get termCount(): number {
    return this.#calls.countTerms();
  }

  /** Where the tokens end so far, to tell those of one document from the next's. */
  get tokensEnd(): number {
    return this.#calls.tokensNext();
  }

  /** What the words take in memory, with their table and what it takes to sort them. */
  get sizeBytes(): number {
    const terms = this.#calls.termBytes() + TERM_BYTES * this.termCount;
    return this.#tokensBytes + terms + windowBytes(this.wordCount);
  }

  /** There is room for hardly any more. */
  get isFull(): boolean {
    return this.#calls.isFull() !== 0 || this.#tokensBytes > MAX_TOKENS_BYTES;
  }

  /** What is added from here on belongs to another document. */
  startDocument(): void {
    this.#calls.startDocument();
  }

  /** Takes in all words of a text, the first at position `from`; returns the position after the last. */
  add(text: string, from: number, field: Field, stretches: readonly Stretch[]): number {
    const indexed = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
    const { written } = this.#encoder.encodeInto(indexed, this.#bytes(TEXT_AT, TOKENS_AT - TEXT_AT));
    this.#lastBytes = indexed === text ? written : -1;
    this.#growTokens(TOKENS_PER_TEXT * written + TOKEN_ROOM);
    const changes = stretches.length === 0 ? 0 : this.#writeChanges(stretches);
    return this.#calls.gather(TEXT_AT, written, from, field, changes);
  }

  /** The text that was taken in last as UTF-8, null if it was too long; valid until the next. */
  get lastText(): Uint8Array | null {
    return this.#lastBytes < 0 ? null : this.#bytes(TEXT_AT, this.#lastBytes);
  }

  /** The words by number. They are decoded all at once, as a call for each would cost more than its stemming. */
  texts(): string[] {
    const at = this.#scratchAt;
    this.#growTo(at + this.#calls.termBytes());
    const end = this.#calls.joinTerms(at);
    if (end === at) return [];
    const joined = this.#decode(at, end - at - 1);
    this.#hasSurrogates = SURROGATE.test(joined);
    return joined.split('\n');
  }

  /** The number of a stem, which is added if it is no word and no stem yet. */
  numberOf(stem: string): number {
    const written = this.#view().write(stem + ZEROS, STEM_AT, STEM_BYTES) - ZEROS.length;
    return this.#calls.numberOf(STEM_AT, written);
  }

  /** How often each word occurs in documents of each stemming, one stemming after the other. */
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

  /** Brings the occurrences of each term together; to be used before anything else is asked of the gatherer. */
  newSorter(given: WordsToSort, window?: number): WordSorter {
    const at = this.#scratchAt;
    const end = at + sorterBytes(given, window);
    this.#growTo(end);
    return new WordSorter(this.#calls, this.#memory.buffer, at, end, given);
  }

  /**
   * The numbers of words and stems in ascending order of their UTF-16 units. `texts` has them by number, and was the last
   * to ask for them.
   */
  inOrder(texts: readonly string[]): Uint32Array {
    const scratchAt = this.#scratchAt;
    const toAt = scratchAt + 16 * this.termCount;
    this.#growTo(toAt + 4 * this.termCount);
    this.#calls.sortTerms(scratchAt, toAt);
    const numbers = new Uint32Array(this.#memory.buffer, toAt, this.termCount).slice();
    return this.#hasSurrogates ? inOrderOfUnits(numbers, texts) : numbers;
  }

  /** For what a sorter lays out, as long as nothing else is asked of the gatherer. */
  newEncoder(): EncodeKernel {
    return new EncodeKernel(this.#memory, ENCODER_AT);
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

  /** Behind the tokens, where a sort has its tables. */
  get #scratchAt(): number {
    return (this.tokensEnd + 15) & ~7;
  }

  /** All of the memory; growth makes a new one. */
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

  /** Makes room for so many bytes more. */
  #growTokens(bytes: number): void {
    this.#growTo(this.tokensEnd + bytes);
    this.#calls.setTokenLimit(this.#memory.buffer.byteLength);
  }

  /** By a quarter at least, so that it does not happen for every document. */
  #growTo(end: number): void {
    const size = this.#memory.buffer.byteLength;
    if (end > size) {
      const wanted = Math.max(end, size + Math.floor((size - TOKENS_AT) / 4) + MI);
      this.#memory.grow(Math.ceil((wanted - size) / PAGE_BYTES));
    }
  }

  /** Where the field changes along the text. */
  #writeChanges(stretches: readonly Stretch[]): number {
    const offsets = new Set(stretches.flatMap(({ start, end }) => [start, end]));
    const ascending = Uint32Array.from(offsets).sort();
    const fieldOf = fieldAt(stretches);
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
 * From the order of bytes to that of UTF-16 units: bytes sort characters beyond the basic plane behind all others, units
 * before some. Only words with either kind can be out of place, so those are sorted and merged with the rest.
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

function abort(): never {
  throw new Error('the gathering kernel aborted');
}
