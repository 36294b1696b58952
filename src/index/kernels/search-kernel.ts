/**
 * Calls the search kernel and manages its memory, which contains:
 *
 *   scratch   buffers of a query: cursors, windows, positions, the best matches
 *   columns   per segment: norms, static scores, fingerprints, deletes, a bitmap to count with
 *   lists     postings of recent queries, up to a limit; see postings-cache.ts
 *
 * A kernel belongs to one thread and one set of segments at a time.
 */
import { loadKernel } from '../../base/mod.ts';

/** The functions that the kernel assembly/search.ts exports. */
interface KernelCalls {
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
  /**
   * Computes the score of a term. Exported for a test that compares it with the function of the same name in
   * scoring/.
   */
  termScore(scale: number, frequency: number, norm: number): number;
}

/**
 * Phrases can select single forms of a term only if the form numbers are below this limit, because the kernel
 * has a bit set of the accepted forms.
 */
export const MAX_KERNEL_FORMS = 63;
/** A bit set with all bits set: it accepts all forms of a term. */
export const ALL_FORMS = 0xffffffffffffffffn;
/** The maximum number of lists of postings that a query may use. */
export const MAX_KERNEL_LISTS = 64;
/**
 * The maximum number of slots in a query. Each word of a phrase takes a slot. If only certain forms of the word
 * are accepted, each postings list of the word takes one more.
 */
export const MAX_KERNEL_SLOTS = 256;
export const MAX_KERNEL_MATCHES = 10_000;

/** The maximum number of documents that are searched in one call. */
export const DOCS_PER_SEARCH = 1 << 18;

const PAGE_BYTES = 65536;
/**
 * The kernel's memory grows by at least this many bytes at a time. After each growth, the garbage collector
 * scans the whole heap; with many small steps a busy server lost half of its processor time. Memory that was
 * never written takes no physical memory.
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

/** Addresses of the buffers in the scratch area. The kernel's static tables are at lower addresses. */
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

/** The postings lists of one word of the query: the number of the first list, and the number of lists. */
export interface ListRange {
  first: number;
  count: number;
}

/**
 * A word of a phrase. `forms` has, for each postings list of the word, a bit set of the accepted word forms; it
 * is null if all forms are accepted.
 */
export interface PhraseSlot extends ListRange {
  /** The index of the word in the phrase. */
  offset: number;
  forms: readonly bigint[] | null;
}

interface KernelMatch<Segment> {
  segment: Segment;
  doc: number;
  score: number;
}

export class SearchKernel {
  readonly #memory = new WebAssembly.Memory({ initial: Math.ceil(Scratch.end / PAGE_BYTES), maximum: 65536 });
  readonly calls: KernelCalls;
  /** A view of the memory as 32-bit numbers. A new view is made after the memory has grown. */
  #numbers: Uint32Array<ArrayBuffer>;

  constructor() {
    this.calls = loadKernel(new URL('./search.wasm', import.meta.url), this.#memory);
    this.calls.setUpBounds(Scratch.bounds, Scratch.tables, RANGES_PER_SEARCH);
    this.#numbers = new Uint32Array(this.#memory.buffer);
  }

  /** The memory of the kernel. Views of it become invalid when the memory grows. */
  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  /**
   * Grows the memory so that it extends at least to the address `end`, plus a few bytes, because unpacking
   * reads past the end of a block.
   */
  reserve(end: number): void {
    const missing = end + 64 - this.#memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(Math.max(missing, GROWN_BYTES) / PAGE_BYTES));
    this.#numbers = new Uint32Array(this.#memory.buffer);
  }

  /** Reads a 32-bit number. `at` must be a multiple of 4. */
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

  /**
   * Starts a query that keeps the best `keep` matches. `weight` is the sum of the weights of the query's words.
   */
  start(weight: number, keep: number): void {
    this.calls.startQuery(Scratch.cursors, Scratch.found, weight);
    this.calls.startBest(Scratch.best, keep);
    this.calls.setUpPhrases(Scratch.positions, POSITIONS_BYTES);
  }

  /**
   * Sets the required words, the word with the fewest documents first, and the phrases, each with its rarest
   * word first. Call this after the lists of a segment are set. Without required words, a document matches if
   * it has any word of the query.
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

  /**
   * Ends the query and returns its matches, best first. `segments` has the searched segments, indexed by
   * segment number.
   */
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
