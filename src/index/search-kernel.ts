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
  setUpWindows(at: number): void;
  setUpPhrases(at: number, bytes: number): void;
  prepare(list: number, bytesAt: number, segment: number, docsAt: number, frequenciesAt: number): void;
  startQuery(cursorsAt: number, foundAt: number, weight: number): void;
  startBest(at: number, keep: number): void;
  enterSegment(segment: number, number: number, lists: number): void;
  setList(number: number, list: number, word: number, scale: number, mass: number): void;
  setRequired(at: number, count: number, phrasesAt: number): void;
  searchAny(from: number, to: number, keep: number): void;
  searchAll(from: number, to: number, staticMaximum: number, isCounting: boolean): number;
  countAny(bitsAt: number, docCount: number): number;
  bestCount(): number;
  gaveUp(): number;
  openChosen(list: number): void;
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

const PAGE_BYTES = 65536;
const CURSOR_BYTES = 6800;
export const POSITIONS_BYTES = 1024 * 1024;
const MATCH_BYTES = 24;
const CURSORS_AT = 44 * 1024;

/** Where the parts of the scratch begin. */
export const Scratch = {
  histogram: 1024,
  windows: 8 * 1024,
  docs: 32 * 1024,
  frequencies: 33 * 1024,
  found: 34 * 1024,
  required: 35 * 1024,
  phrases: 36 * 1024,
  forms: 41 * 1024,
  cursors: CURSORS_AT,
  positions: CURSORS_AT + MAX_KERNEL_LISTS * CURSOR_BYTES,
  best: CURSORS_AT + MAX_KERNEL_LISTS * CURSOR_BYTES + POSITIONS_BYTES,
  end:
    CURSORS_AT + MAX_KERNEL_LISTS * CURSOR_BYTES + POSITIONS_BYTES + MATCH_BYTES * (MAX_KERNEL_MATCHES + 1),
} as const;

/** Lists of one word, by their number in the query. */
export interface ListRange {
  first: number;
  count: number;
}

/** A word of a phrase; `forms` says for each list as bits which of its forms count, null if all of all do. */
export interface PhraseSlot extends ListRange {
  forms: readonly bigint[] | null;
}

export interface KernelMatch {
  segment: number;
  doc: number;
  score: number;
}

let compiled: WebAssembly.Module | undefined;

export class SearchKernel {
  readonly #memory = new WebAssembly.Memory({ initial: Math.ceil(Scratch.end / PAGE_BYTES), maximum: 65536 });
  readonly calls: KernelCalls;

  constructor() {
    compiled ??= new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'kernels', 'search.wasm')));
    const abort = () => {
      throw new Error('the search kernel aborted');
    };
    const instance = new WebAssembly.Instance(compiled, { env: { memory: this.#memory, abort } });
    this.calls = instance.exports as unknown as KernelCalls;
    this.calls.setUpWindows(Scratch.windows);
  }

  /** The memory; any growth makes older views useless. */
  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  /** Makes the memory reach up to `end`, and some bytes beyond, as unpacking reads ahead. */
  reserve(end: number): void {
    const missing = end + 64 - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
  }

  write(at: number, numbers: readonly number[]): void {
    new Uint32Array(this.#memory.buffer, at, numbers.length).set(numbers);
  }

  /** Begins a query whose words weigh `weight` in all, and which wants the best `keep` matches. */
  start(weight: number, keep: number): void {
    this.calls.startQuery(Scratch.cursors, Scratch.found, weight);
    this.calls.startBest(Scratch.best, keep);
    this.calls.setUpPhrases(Scratch.positions, POSITIONS_BYTES);
  }

  /** Sets the words that must occur, those with the fewest documents first, and the phrases among them. */
  require(words: readonly ListRange[], phrases: readonly (readonly PhraseSlot[])[]): void {
    const forms: bigint[] = [];
    const numbersOf = (slot: PhraseSlot) => {
      const at = slot.forms ? Scratch.forms + 8 * forms.length : 0;
      forms.push(...(slot.forms ?? []));
      return [slot.first, slot.count, at];
    };
    const slots = phrases.flatMap((phrase) => [phrase.length, ...phrase.flatMap(numbersOf)]);
    this.write(
      Scratch.required,
      words.flatMap(({ first, count }) => [first, count]),
    );
    this.write(Scratch.phrases, [...slots, 0]);
    new BigUint64Array(this.#memory.buffer, Scratch.forms, forms.length).set(forms);
    this.calls.setRequired(Scratch.required, words.length, Scratch.phrases);
  }

  /** The matches of the query, best first. */
  matches(): KernelMatch[] {
    const count = this.calls.bestCount();
    const view = new DataView(this.#memory.buffer, Scratch.best, count * MATCH_BYTES);
    const found = Array.from({ length: count }, (_, i) => {
      const at = i * MATCH_BYTES;
      return {
        score: view.getFloat64(at, true),
        fingerprint: view.getBigInt64(at + 8, true),
        segment: view.getUint32(at + 16, true),
        doc: view.getUint32(at + 20, true),
      };
    });
    return found.sort((a, b) => b.score - a.score || (a.fingerprint < b.fingerprint ? -1 : 1));
  }
}
