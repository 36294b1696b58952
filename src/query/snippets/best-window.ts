/**
 * Finds the part of a text (window) with the greatest weight of query words, around which a snippet is built. Each
 * word counts once, with its IDF. A quoted phrase adds its weight where it occurs as quoted. Running text (prose)
 * scores slightly higher than lists and menus. Among equal windows the first wins. Words in lines that repeat the
 * title do not count, because the result shows the title anyway.
 */

import { isWantedForm } from '../language/mod.ts';
import type { QuotedPhrase } from '../reranking/mod.ts';
import type { Hit, QueryHighlighter } from './query-highlighter.ts';
import { blockEnd, isProse } from './sentences.ts';
import { isWithin, type Lines } from './title-lines.ts';

export interface Window {
  start: number;
  end: number;
  /** The sum of the weights of the different query words in the window, plus the weight of its quoted phrase. */
  weight: number;
  /** True if the window is within one block of running text. */
  isProse: boolean;
}

/** The words and phrases of the query that a snippet should show. */
export interface Sought {
  /** Finds the words of the query in a text, in any of their written forms. */
  finder: QueryHighlighter;
  /** The IDF of each word of the query. */
  weights: readonly number[];
  phrases?: readonly QuotedPhrase[];
  /**
   * For each word of the query, true if the snippet highlights it; false for words such as "the". By default
   * all words are highlighted.
   */
  isMarked?: readonly boolean[];
  /**
   * The weight of the best window, if the second stage has computed it. The search ends soon after it has found
   * a window of this weight.
   */
  best?: number | null;
}

interface FoundWindow {
  window: Window | null;
  /** The heaviest window of running text in the part of the text that was searched. */
  prose: Window | null;
  hits: readonly Hit[];
}

/** The maximum distance between the first and the last query word of a window, in characters. */
const WINDOW_LENGTH = 160;
/** The number of characters of a text that are searched for a snippet. A longer text would take too much time. */
const SEARCHED_LENGTH = 100_000;
/**
 * After a list or menu with the greatest possible weight is found, this many further characters are searched for
 * running text with the same weight.
 */
const FURTHER_LENGTH = 4000;
const PIECE_LENGTH = 2000;
/**
 * The bonus for a window of running text, as a share of the total weight of the query words. If the lightest
 * quoted phrase weighs less than all query words, it is a share of the weight of this phrase.
 */
const PROSE_SHARE = 0.15;
/** The number of characters before a query word, and after it, that are checked for running text. */
const LOOK_BACK = 200;
const LOOK_AHEAD = 300;
/** The tolerance for rounding errors when weights are added and subtracted. */
const ROUNDING = 1e-9;

export function sumOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

/**
 * Returns the best window of a text. Searches from the beginning until it finds running text with the greatest
 * possible weight, or until a length limit is reached.
 */
export function bestWindow(text: string, titles: Lines, sought: Sought): FoundWindow {
  const { finder, weights, phrases = [], best } = sought;
  const wanted = best ?? sumOf(weights) + Math.max(0, ...phrases.map(({ weight }) => weight));
  const hits: Hit[] = [];
  const windows = new WindowFinder(text, hits, sought);
  let limit = Math.min(text.length, SEARCHED_LENGTH);
  let isLimited = false;
  let isInTitle = false;
  let window: Window | null = null;
  for (let from = 0; from < limit; ) {
    const to = pieceEnd(text, from);
    const known = hits.length;
    finder.find(text, from, to, hits);
    if (titles.length > 0) isInTitle = dropTitles(hits, known, titles) || isInTitle;
    window = windows.slide();
    from = to;
    const isFull = window !== null && window.weight >= wanted - ROUNDING;
    if (isFull && window?.isProse) break;
    if (!isLimited && (isFull || (isInTitle && window))) {
      isLimited = true;
      limit = Math.min(limit, from + FURTHER_LENGTH);
    }
  }
  return { window, prose: windows.prose, hits };
}

/**
 * Removes the hits (query words) in lines that repeat the title, from index `from` on. Returns true if it removed
 * any.
 */
function dropTitles(hits: Hit[], from: number, titles: Lines): boolean {
  const [, lastEnd] = titles.at(-1)!;
  if (from >= hits.length || hits[from]!.start >= lastEnd) return false;
  const kept = hits.slice(from).filter(({ start }) => !isWithin(titles, start));
  const isAny = kept.length < hits.length - from;
  hits.length = from;
  for (const hit of kept) hits.push(hit);
  return isAny;
}

/**
 * Returns the end of the piece of text that is searched next, beginning at `from`. Pieces end between words, if
 * possible.
 */
function pieceEnd(text: string, from: number): number {
  const limit = from + 2 * PIECE_LENGTH;
  for (let at = from + PIECE_LENGTH; at < limit; at++)
    if (at >= text.length || text.charCodeAt(at) <= 0x20) return Math.min(at, text.length);
  return isLowSurrogate(text, limit) ? limit - 1 : limit;
}

export function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000;
}

/** Moves a window over the hits (occurrences of query words) of a text. Both ends of the window only move forward. */
class WindowFinder {
  readonly #text: string;
  readonly #hits: readonly Hit[];
  readonly #weights: readonly number[];
  readonly #phrases: readonly QuotedPhrase[];
  readonly #counts: number[];
  /** The additional score of a window of running text. */
  readonly #bonus: number;
  #best: Window | null = null;
  #prose: Window | null = null;
  #bestValue = Number.NEGATIVE_INFINITY;
  #score = 0;
  #first = 0;
  #next = 0;
  /** `#lookedFrom` and `#lookedTo` are the range of text that was last checked for running text. */
  #lookedFrom = 0;
  #lookedTo = 0;
  #isProse = false;

  constructor(text: string, hits: readonly Hit[], { weights, phrases = [] }: Sought) {
    this.#text = text;
    this.#hits = hits;
    this.#weights = weights;
    this.#phrases = phrases;
    this.#counts = weights.map(() => 0);
    const lightest = Math.min(sumOf(weights), ...phrases.map(({ weight }) => weight));
    this.#bonus = PROSE_SHARE * lightest;
  }

  /** The heaviest window of running text so far. */
  get prose(): Window | null {
    return this.#prose;
  }

  /** Moves the window over the hits that were added since the last call. Returns the best window so far. */
  slide(): Window | null {
    for (; this.#next < this.#hits.length; this.#next++) {
      const hit = this.#hits[this.#next]!;
      this.#add(hit.word);
      while (this.#first < this.#next && this.#isNeedless(this.#hits[this.#first]!, hit))
        this.#drop(this.#hits[this.#first++]!.word);
      const phrase = this.#phrases.find((each) => this.#endsWith(each));
      const weight = this.#score + (phrase?.weight ?? 0);
      const isHeaviest = weight > (this.#prose?.weight ?? 0) + ROUNDING;
      if (!isHeaviest && weight + this.#bonus <= this.#bestValue + ROUNDING) continue;
      const first = Math.min(this.#first, this.#next + 1 - (phrase?.words.length ?? 0));
      const { start } = this.#hits[first]!;
      const window = { start, end: hit.end, weight, isProse: this.#isInProse(start, hit.start) };
      if (window.isProse && isHeaviest) this.#prose = window;
      const value = window.isProse ? weight + this.#bonus : weight;
      if (value <= this.#bestValue + ROUNDING) continue;
      this.#bestValue = value;
      this.#best = window;
    }
    return this.#best;
  }

  /**
   * Returns true if the first hit of the window should be dropped: it is too far from the newest hit, or the same
   * word occurs again later in the window. So windows are as short as possible.
   */
  #isNeedless({ word, start }: Hit, newest: Hit): boolean {
    return newest.end - start > WINDOW_LENGTH || this.#counts[word]! > 1;
  }

  /**
   * Returns true if the window is within one block of running text. The last result is reused while the window stays
   * in the same range, because windows only move forward.
   */
  #isInProse(start: number, newest: number): boolean {
    if (newest >= this.#lookedTo) {
      const text = this.#text;
      let from = newest;
      while (from > 0 && newest - from < LOOK_BACK && text.charCodeAt(from - 1) !== 0x0a) from--;
      this.#lookedFrom = from;
      this.#lookedTo = blockEnd(text, newest, newest + LOOK_AHEAD);
      this.#isProse = isProse(text, from, this.#lookedTo);
    }
    return this.#isProse && start >= this.#lookedFrom;
  }

  /** Returns true if the newest hit is the last word of an occurrence of the phrase. */
  #endsWith({ words, exact }: QuotedPhrase): boolean {
    const start = this.#next - words.length + 1;
    if (start < 0) return false;
    return words.every((word, i) => {
      const hit = this.#hits[start + i]!;
      if (hit.word !== word || (exact[i] !== null && !isWantedForm(exact[i]!, hit.form))) return false;
      const before = i === 0 ? null : this.#hits[start + i - 1]!;
      return !before || !/[\p{L}\p{N}\n]/u.test(this.#text.slice(before.end, hit.start));
    });
  }

  #add(word: number): void {
    if (this.#counts[word]!++ > 0) return;
    this.#score += this.#weights[word]!;
  }

  #drop(word: number): void {
    if (--this.#counts[word]! > 0) return;
    this.#score -= this.#weights[word]!;
  }
}
