/**
 * Counts pairs of numbered words in a hash table with open addressing. Counting is limited by memory accesses,
 * so a slot has only eight bytes:
 *
 *   low     first word in 21 bits, then the lowest 11 bits of the second word
 *   high    the other 10 bits of the second word, then count + 1 in 22 bits; 0 if the slot is empty
 *
 * Words whose numbers do not fit into 21 bits are not counted, and counts stop at MAX_COUNT. The table doubles
 * when it is 2/3 full.
 */
import type { PairColumns } from './segment-lexicon-format.ts';

const FIRST_SLOTS = 1 << 12;
const WORD_BITS = 21;
const MAX_PAIR_WORDS = 1 << WORD_BITS;
const LOW_BITS = 32 - WORD_BITS;

const HIGH_BITS = WORD_BITS - LOW_BITS;
const HIGH_MASK = (1 << HIGH_BITS) - 1;
const MAX_COUNT = 2 ** (32 - HIGH_BITS) - 2;
/**
 * The maximum length of a run of pairs that is sorted by insertion. For short runs this is faster than the sort
 * of typed arrays.
 */
const SHORT_RANGE = 24;
/** When the rarest pairs are left out, pairs with counts above this number are not distinguished. */
const COMMON = 64;
/** The length of a histogram of counts for `leastCountOf`. */
export const PAIR_COUNTS = COMMON + 1;

export class PairCounter {
  #slots = new Int32Array(2 * FIRST_SLOTS);
  #used = 0;

  add(first: number, second: number, count: number): void {
    if ((first | second) >= MAX_PAIR_WORDS) return;
    if (3 * this.#used >= this.#slots.length) this.#grow();
    const slots = this.#slots;
    const at = this.#placeOf(first, second);
    if (slots[at + 1] === 0) {
      slots[at] = first | (second << WORD_BITS);
      slots[at + 1] = (second >>> LOW_BITS) | (1 << HIGH_BITS);
      this.#used++;
    }
    const sum = Math.min(MAX_COUNT, Math.max(0, (slots[at + 1]! >>> HIGH_BITS) - 1 + count));
    slots[at + 1] = (slots[at + 1]! & HIGH_MASK) | ((sum + 1) << HIGH_BITS);
  }

  /** Removes all word pairs, but keeps the memory for the next use. */
  clear(): void {
    this.#slots.fill(0);
    this.#used = 0;
  }

  /**
   * Returns the pairs, sorted by the new numbers of their words. If there are more than `limit`, the rarest are
   * left out. `newNumbers` maps old word numbers to new ones, which are less than `words`; pairs of a word with
   * the new number -1 are left out.
   */
  finish(newNumbers: Int32Array, words: number, limit: number): PairColumns {
    const places = this.#listed(newNumbers, limit);
    const pairEnds = new Uint32Array(words);
    for (const at of places) pairEnds[newNumbers[this.#firstAt(at)]!]!++;
    let end = 0;
    for (let word = 0; word < words; word++) {
      end += pairEnds[word]!;
      pairEnds[word] = end;
    }
    return { pairEnds, ...this.#sorted(places, newNumbers, pairEnds) };
  }

  /**
   * Sorts the pairs by first word, then by second word. For the sort, each pair becomes one number: its second
   * word times the size of the hash table, plus its slot in the hash table. After the sort, the slot gives the
   * count of the pair.
   */
  #sorted(places: Uint32Array, newNumbers: Int32Array, pairEnds: Uint32Array): Omit<PairColumns, 'pairEnds'> {
    const size = this.#slots.length;
    const next = pairEnds.slice();
    const combined = new Float64Array(places.length);
    for (const at of places) {
      const to = --next[newNumbers[this.#firstAt(at)]!]!;
      combined[to] = newNumbers[this.#secondAt(at)]! * size + at;
    }
    for (let word = 0, from = 0; word < pairEnds.length; from = pairEnds[word++]!)
      sortRange(combined, from, pairEnds[word]!);
    const seconds = new Uint32Array(places.length);
    const together = new Uint32Array(places.length);
    for (let i = 0; i < places.length; i++) {
      const second = Math.floor(combined[i]! / size);
      seconds[i] = second;
      together[i] = this.#countAt(combined[i]! - second * size);
    }
    return { seconds, together };
  }

  /** Returns the slot indexes of the word pairs that are kept in the lexicon. */
  #listed(newNumbers: Int32Array, limit: number): Uint32Array {
    const places = new Uint32Array(this.#used);
    const withCount = new Uint32Array(PAIR_COUNTS);
    let count = 0;
    for (let at = 0; at < this.#slots.length; at += 2) {
      if (this.#slots[at + 1] === 0 || this.#countAt(at) === 0) continue;
      if (newNumbers[this.#firstAt(at)]! < 0 || newNumbers[this.#secondAt(at)]! < 0) continue;
      places[count++] = at;
      withCount[Math.min(this.#countAt(at), COMMON)]!++;
    }
    const least = leastCountOf(withCount, limit);
    const listed = places.subarray(0, count);
    return least === 1 ? listed : listed.filter((at) => this.#countAt(at) >= least);
  }

  #firstAt(at: number): number {
    return this.#slots[at]! & (MAX_PAIR_WORDS - 1);
  }

  #secondAt(at: number): number {
    return (this.#slots[at]! >>> WORD_BITS) | ((this.#slots[at + 1]! & HIGH_MASK) << LOW_BITS);
  }

  #countAt(at: number): number {
    return (this.#slots[at + 1]! >>> HIGH_BITS) - 1;
  }

  /**
   * Returns the index of the slot that holds a pair. If the pair is not in the table, returns the index of the
   * empty slot in which it would be stored.
   */
  #placeOf(first: number, second: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const low = first | (second << WORD_BITS);
    const high = second >>> LOW_BITS;
    let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    hash ^= hash >>> 15;
    let at = (hash << 1) & mask;
    while (slots[at + 1] !== 0 && (slots[at] !== low || (slots[at + 1]! & HIGH_MASK) !== high))
      at = (at + 2) & mask;
    return at;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(2 * old.length);
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] === 0) continue;
      const second = (old[at]! >>> WORD_BITS) | ((old[at + 1]! & HIGH_MASK) << LOW_BITS);
      const to = this.#placeOf(old[at]! & (MAX_PAIR_WORDS - 1), second);
      this.#slots[to] = old[at]!;
      this.#slots[to + 1] = old[at + 1]!;
    }
  }
}

/**
 * Returns the least count of the pairs to keep, so that about `limit` pairs are kept. `withCount` has the
 * number of pairs with each count; its last element is for all higher counts together.
 */
export function leastCountOf(withCount: Uint32Array, limit: number): number {
  let left = withCount.reduce((sum, pairs) => sum + pairs, 0);
  let least = 1;
  for (; left > limit && least < COMMON; least++) left -= withCount[least]!;
  return least;
}

function sortRange(values: Float64Array, from: number, end: number): void {
  if (end - from > SHORT_RANGE) {
    values.subarray(from, end).sort();
    return;
  }
  for (let i = from + 1; i < end; i++) {
    const value = values[i]!;
    let to = i;
    for (; to > from && values[to - 1]! > value; to--) values[to] = values[to - 1]!;
    values[to] = value;
  }
}
