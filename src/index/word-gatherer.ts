/**
 * The words of buffered documents, in the memory of the gathering kernel: no string and no object per word.
 *
 *   kinds, spellings, changes of field     small tables
 *   table, records                         terms; a term's bytes lie in its record
 *   text                                   the text that is being taken in, as UTF-8
 *   tokens                                 8 bytes per word; grows
 *   sorted                                 the same by term, while a segment is written
 *
 * Parts lie far apart; what is not touched takes no memory.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldWord, kindOfCodePoint } from '../text/mod.ts';
import type { Stretch } from './document.ts';
import { Field } from './fields.ts';
import { fieldAt } from './stretches.ts';

/** What assembly/gather.ts exports. */
interface GatherCalls {
  setUp(kindsAt: number, wordsAt: number, changesAt: number, tokensAt: number): void;
  setUpTerms(slotsAt: number, slotCount: number, byNumberAt: number, recordsAt: number, limit: number): void;
  setTokenLimit(limit: number): void;
  gather(text: number, length: number, from: number, startField: number, changesCount: number): number;
  sortTokens(documentsAt: number, docCount: number, endsAt: number, sortedAt: number): void;
  sortTerms(scratchAt: number, toAt: number): void;
  recordOf(term: number): number;
  clearTerms(): void;
  clearTokens(): void;
  countTokens(): number;
  countTerms(): number;
  termBytes(): number;
  isFull(): number;
}

/** Documents and places by term; valid until the gatherer is used again. */
export interface SortedWords {
  /** Where the words of each term end. */
  ends: Uint32Array;
  /** Document and place in turn. */
  pairs: Uint32Array;
}

const MI = 1024 * 1024;
const SLOT_COUNT = 4 * MI;
const MAX_CHANGES = 128 * 1024;
/** Of a longer text the rest is not indexed. In UTF-16 units. */
const MAX_TEXT_LENGTH = 16 * MI;
const MAX_WORDS = 192 * MI;

const KINDS_AT = 1024;
const SPELLINGS_AT = 128 * 1024;
const CHANGES_AT = 256 * 1024;
const SLOTS_AT = 2 * MI;
const BY_NUMBER_AT = SLOTS_AT + 8 * SLOT_COUNT;
const RECORDS_AT = BY_NUMBER_AT + 4 * SLOT_COUNT;
const TEXT_AT = RECORDS_AT + 128 * MI;
const TOKENS_AT = TEXT_AT + 3 * MAX_TEXT_LENGTH + MI;
const PAGE_BYTES = 65536;

let compiled: WebAssembly.Module | undefined;

export class WordGatherer {
  readonly #memory = new WebAssembly.Memory({ initial: TOKENS_AT / PAGE_BYTES, maximum: 65536 });
  readonly #calls: GatherCalls;
  readonly #encoder = new TextEncoder();

  constructor() {
    compiled ??= new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'kernels', 'gather.wasm')));
    const instance = new WebAssembly.Instance(compiled, {
      env: { memory: this.#memory, abort },
      gather: {
        kindOf: kindOfCodePoint,
        foldWord: (from: number, length: number, to: number) => this.#foldWord(from, length, to),
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

  /** What the words take in memory: their table, and twice the words, as they are sorted into a second place. */
  get sizeBytes(): number {
    return 16 * this.wordCount + this.#calls.termBytes() + 16 * this.termCount;
  }

  /** There is room for hardly any more. */
  get isFull(): boolean {
    return this.#calls.isFull() !== 0 || this.wordCount > MAX_WORDS;
  }

  /** Takes in all words of a text, the first at position `from`; returns the position after the last. */
  add(text: string, from: number, field: Field, stretches: readonly Stretch[]): number {
    const indexed = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
    const { written } = this.#encoder.encodeInto(indexed, this.#bytes(TEXT_AT, TOKENS_AT - TEXT_AT));
    this.#growTokens(this.wordCount + written + 2);
    const changes = stretches.length === 0 ? 0 : this.#writeChanges(stretches);
    return this.#calls.gather(TEXT_AT, written, from, field, changes);
  }

  /** `ranges` has the first word and the last + 1 of each document, in the order of the segment. */
  sort(ranges: Uint32Array): SortedWords {
    const endsAt = TOKENS_AT + 8 * (this.wordCount + 1);
    const rangesAt = endsAt + 8 * Math.ceil((this.termCount + 2) / 2);
    const sortedAt = rangesAt + 8 * Math.ceil(ranges.length / 2);
    this.#growTo(sortedAt + 8 * this.wordCount);
    new Uint32Array(this.#memory.buffer, rangesAt, ranges.length).set(ranges);
    this.#calls.sortTokens(rangesAt, ranges.length / 2, endsAt, sortedAt);
    const ends = new Uint32Array(this.#memory.buffer, endsAt, this.termCount);
    const pairs = new Uint32Array(this.#memory.buffer, sortedAt, 2 * (ends.at(-1) ?? 0));
    return { ends, pairs };
  }

  /**
   * The numbers of the terms, in ascending order of the terms, and the terms in the same order. To be called before
   * `sort`, whose result would be overwritten.
   */
  termsInOrder(): { ids: Uint32Array; terms: string[] } {
    const scratchAt = TOKENS_AT + 8 * (this.wordCount + 1);
    const toAt = scratchAt + 16 * this.termCount;
    this.#growTo(toAt + 4 * this.termCount);
    this.#calls.sortTerms(scratchAt, toAt);
    const ids = new Uint32Array(this.#memory.buffer, toAt, this.termCount).slice();
    const bytes = Buffer.from(this.#memory.buffer);
    const terms = Array.from(ids, (id) => {
      const record = this.#calls.recordOf(id);
      return bytes.toString('utf8', record + 8, record + 8 + bytes.readUInt32LE(record + 4));
    });
    return isAscending(terms) ? { ids, terms } : inOrderOfUnits(ids, terms);
  }

  clear(): void {
    this.#calls.clearTerms();
    this.#calls.clearTokens();
  }

  #bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer, at, length);
  }

  #text(at: number, length: number): string {
    return Buffer.from(this.#memory.buffer, at, length).toString();
  }

  #foldWord(from: number, length: number, to: number): number {
    const term = foldWord(this.#text(from, length));
    return this.#encoder.encodeInto(term, this.#bytes(to, 256)).written;
  }

  #growTokens(count: number): void {
    this.#growTo(TOKENS_AT + 8 * count);
    this.#calls.setTokenLimit(Math.floor((this.#memory.buffer.byteLength - TOKENS_AT) / 8));
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

function isAscending(terms: readonly string[]): boolean {
  for (let i = 1; i < terms.length; i++) if (terms[i - 1]! > terms[i]!) return false;
  return true;
}

/** Bytes sort characters beyond the basic plane behind all others, UTF-16 units some of them before. */
function inOrderOfUnits(ids: Uint32Array, terms: readonly string[]): { ids: Uint32Array; terms: string[] } {
  const order = [...terms.keys()].sort((a, b) => (terms[a]! < terms[b]! ? -1 : 1));
  return { ids: Uint32Array.from(order, (at) => ids[at]!), terms: order.map((at) => terms[at]!) };
}

function abort(): never {
  throw new Error('the gathering kernel aborted');
}
