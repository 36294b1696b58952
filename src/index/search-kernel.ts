/**
 * The search kernel's memory, and the calls into it.
 *
 *   scratch   buffers of a query: cursors, windows, positions, the best matches
 *   columns   per segment: norms, static scores, fingerprints, deletes, a bitmap to count with
 *   lists     postings that queries have asked for, up to a limit; see resident-lists.ts
 *
 * A kernel belongs to one thread and one set of segments at a time.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What assembly/search.ts exports. */
export interface KernelCalls {
  setUp(scratchAt: number, k1: number): void;
  setUpBounds(at: number, tablesAt: number, ranges: number): void;
  setUpPhrases(at: number, bytes: number): void;
  prepare(list: number, bytesAt: number, segment: number, docsAt: number, frequenciesAt: number): number;
  countPlaces(list: number, bytesAt: number, docsAt: number, frequenciesAt: number, countsAt: number): void;
  startQuery(cursorsAt: number, foundAt: number, weight: number): void;
  startBest(at: number, keep: number): void;
  enterSegment(segment: number, number: number, lists: number): void;
  setList(number: number, list: number, word: number, scale: number, mass: number, mask: number): void;
  setRequired(at: number, count: number, phrasesAt: number): void;
  search(from: number, to: number, keep: number, isCounting: boolean): number;
  countAny(): number;
  finishBest(): number;
  gaveUp(): number;
  openChosen(list: number, fieldsAt: number): void;
  chosenFrequencies(docsAt: number, count: number, outAt: number): void;
  chosenPlaces(
    docsAt: number,
    from: number,
    count: number,
    limit: number,
    forms: bigint,
    outAt: number,
    outEnd: number,
  ): number;
  chosenEnd(): number;
  /** Exported for a test: must be that of rank/. */
  termScore(scale: number, frequency: number, norm: number): number;
}

/** Forms of a term that a phrase may ask for; those with greater numbers cannot be told apart here. */
export const MAX_KERNEL_FORMS = 63;
/** As bits of forms: whichever it is. */
export const ALL_FORMS = 0xffffffffffffffffn;
/** All lists of a query together. */
export const MAX_KERNEL_LISTS = 64;
/** Words of phrases, and the lists of those that ask for certain forms. */
export const MAX_KERNEL_SLOTS = 256;
export const MAX_KERNEL_MATCHES = 10_000;

/** At most so many documents are searched in one call. */
export const DOCS_PER_SEARCH = 1 << 18;

const PAGE_BYTES = 65536;
/**
 * Growth makes the garbage collector look through everything, and memory that is not written to takes no room: many
 * small steps cost a busy server half of its processor time.
 */
const GROWN_BYTES = 64 * 1024 * 1024;
const KIB = 1024;
const RANGES_PER_SEARCH = DOCS_PER_SEARCH / 64;
const CURSOR_BYTES = 2464;
export const POSITIONS_BYTES = KIB * KIB;
const MATCH_BYTES = 24;
const TABLES_AT = 64 * KIB;
const CURSORS_AT = TABLES_AT + MAX_KERNEL_LISTS * RANGES_PER_SEARCH;
const POSITIONS_AT = CURSORS_AT + MAX_KERNEL_LISTS * CURSOR_BYTES;
const BEST_AT = POSITIONS_AT + POSITIONS_BYTES;

/** Where the parts of the scratch begin; below are the kernel's own tables. */
export const Scratch = {
  histogram: 8 * KIB,
  docs: 12 * KIB,
  frequencies: 13 * KIB,
  counts: 14 * KIB,
  found: 15 * KIB,
  required: 16 * KIB,
  phrases: 17 * KIB,
  forms: 22 * KIB,
  bounds: 32 * KIB,
  tables: TABLES_AT,
  cursors: CURSORS_AT,
  positions: POSITIONS_AT,
  best: BEST_AT,
  end: BEST_AT + MATCH_BYTES * (MAX_KERNEL_MATCHES + 1),
} as const;

/** Lists of one word, by their number in the query. */
export interface ListRange {
  first: number;
  count: number;
}

/** A word of a phrase; `forms` says for each list as bits which of its forms count, null if all of all do. */
export interface PhraseSlot extends ListRange {
  /** Where in the phrase it stands. */
  offset: number;
  forms: readonly bigint[] | null;
}

export interface KernelMatch<Segment> {
  segment: Segment;
  doc: number;
  score: number;
}

let compiled: WebAssembly.Module | undefined;

export class SearchKernel {
  readonly #memory = new WebAssembly.Memory({ initial: Math.ceil(Scratch.end / PAGE_BYTES), maximum: 65536 });
  readonly calls: KernelCalls;
  /** The memory as numbers; made anew when it has grown. */
  #numbers: Uint32Array<ArrayBuffer>;

  constructor() {
    compiled ??= new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'kernels', 'search.wasm')));
    const abort = () => {
      throw new Error('the search kernel aborted');
    };
    const instance = new WebAssembly.Instance(compiled, { env: { memory: this.#memory, abort } });
    this.calls = instance.exports as unknown as KernelCalls;
    this.calls.setUpBounds(Scratch.bounds, Scratch.tables, RANGES_PER_SEARCH);
    this.#numbers = new Uint32Array(this.#memory.buffer);
  }

  /** The memory; any growth makes older views useless. */
  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  /** Makes the memory reach up to `end`, and some bytes beyond, as unpacking reads ahead. */
  reserve(end: number): void {
    const missing = end + 64 - this.#memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(Math.max(missing, GROWN_BYTES) / PAGE_BYTES));
    this.#numbers = new Uint32Array(this.#memory.buffer);
  }

  /** `at` is a multiple of 4. */
  read(at: number): number {
    return this.#numbers[at >>> 2]!;
  }

  write(at: number, numbers: readonly number[]): void {
    const first = at >>> 2;
    for (let i = 0; i < numbers.length; i++) this.#numbers[first + i] = numbers[i]!;
  }

  writeBytes(at: number, bytes: Uint8Array): void {
    new Uint8Array(this.#memory.buffer, at, bytes.length).set(bytes);
  }

  /** Begins a query whose words weigh `weight` in all, and which wants the best `keep` matches. */
  start(weight: number, keep: number): void {
    this.calls.startQuery(Scratch.cursors, Scratch.found, weight);
    this.calls.startBest(Scratch.best, keep);
    this.calls.setUpPhrases(Scratch.positions, POSITIONS_BYTES);
  }

  /**
   * Sets the words that must occur, those with the fewest documents first, and the phrases among them, of each the rarest
   * word first; after the lists of a segment. Without any, one of the query's words is enough.
   */
  require(words: readonly ListRange[], phrases: readonly (readonly PhraseSlot[])[]): void {
    let at = Scratch.required >>> 2;
    for (const { first, count } of words) {
      this.#numbers[at++] = first;
      this.#numbers[at++] = count;
    }
    this.#writePhrases(phrases);
    this.calls.setRequired(Scratch.required, words.length, Scratch.phrases);
  }

  #writePhrases(phrases: readonly (readonly PhraseSlot[])[]): void {
    const forms: bigint[] = [];
    let at = Scratch.phrases >>> 2;
    for (const phrase of phrases) {
      this.#numbers[at++] = phrase.length;
      for (const slot of phrase) {
        this.#numbers[at++] = slot.first;
        this.#numbers[at++] = slot.count;
        this.#numbers[at++] = slot.forms ? Scratch.forms + 8 * forms.length : 0;
        this.#numbers[at++] = slot.offset;
        if (slot.forms) forms.push(...slot.forms);
      }
    }
    this.#numbers[at] = 0;
    if (forms.length > 0) new BigUint64Array(this.#memory.buffer, Scratch.forms, forms.length).set(forms);
  }

  /** The matches of the query, best first; ends it. `segments` are those that were entered, by their number. */
  matches<Segment>(segments: readonly Segment[]): KernelMatch<Segment>[] {
    const count = this.calls.finishBest();
    const scores = new Float64Array(this.#memory.buffer, Scratch.best, 3 * count);
    const matches: KernelMatch<Segment>[] = [];
    for (let i = 0; i < count; i++) {
      const at = (Scratch.best + MATCH_BYTES * i) >>> 2;
      const segment = segments[this.#numbers[at + 4]!]!;
      matches.push({ segment, doc: this.#numbers[at + 5]!, score: scores[3 * i]! });
    }
    return matches;
  }
}
