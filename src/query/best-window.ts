/**
 * The stretch of a text with the most of the query's words, by rarity, each counted once. What was quoted is worth as much
 * again where it stands as it was quoted, and running text a little more than lists and menus; among equals the first
 * wins. Words in lines that repeat the title do not count: the title is shown anyway.
 */
import type { QuotedPhrase } from './best-stretch.ts';
import { isWantedForm } from './condition.ts';
import type { Hit, HitFinder } from './hit-finder.ts';
import { blockEnd, isProse } from './sentences.ts';
import { isWithin, type Lines } from './title-lines.ts';

export interface Window {
  start: number;
  end: number;
  /** What its different words weigh, and its phrase. */
  weight: number;
  /** Whether it is in one block, of running text. */
  isProse: boolean;
}

/** What a snippet is to show. */
export interface Sought {
  /** Knows the written words that count. */
  finder: HitFinder;
  /** How rare each word of the query is. */
  weights: readonly number[];
  phrases?: readonly QuotedPhrase[];
  /** What the best window weighs, if somebody knows: the search ends soon after one that does. */
  best?: number | null;
}

export interface FoundWindow {
  window: Window | null;
  hits: readonly Hit[];
}

/** How far apart hits may stand that are to be shown together. */
const WINDOW_LENGTH = 160;
/** Of a very long text only the beginning is searched, so that a page of results is quick. */
const SEARCHED_LENGTH = 100_000;
/** Once there is something to show, how much more text may have it in a better place. */
const FURTHER_LENGTH = 4000;
const PIECE_LENGTH = 2000;
/** What running text adds, as a share of what the words weigh, or of the lightest phrase. */
const PROSE_SHARE = 0.15;
/** What of a block is looked at, before and behind a hit, to tell whether it is running text. */
const LOOK_BACK = 200;
const LOOK_AHEAD = 300;
/** What adding and taking away weights may leave behind. */
const ROUNDING = 1e-9;

export function sumOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

/** From the beginning, until there is a window of running text with everything, or as good as any. */
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
  return { window, hits };
}

/** Takes the hits out that are in lines of the title; whether there were any. `from` is the first that is new. */
function dropTitles(hits: Hit[], from: number, titles: Lines): boolean {
  const [, lastEnd] = titles.at(-1)!;
  if (from >= hits.length || hits[from]!.start >= lastEnd) return false;
  const kept = hits.slice(from).filter(({ start }) => !isWithin(titles, start));
  const isAny = kept.length < hits.length - from;
  hits.length = from;
  for (const hit of kept) hits.push(hit);
  return isAny;
}

/** The text is searched piece by piece, until there is a window with all the words. Pieces end between words. */
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

/** Slides over the hits as they come in; both ends only move forward. */
class WindowFinder {
  readonly #text: string;
  readonly #hits: readonly Hit[];
  readonly #weights: readonly number[];
  readonly #phrases: readonly QuotedPhrase[];
  readonly #counts: number[];
  /** What running text adds. */
  readonly #bonus: number;
  #best: Window | null = null;
  #bestValue = Number.NEGATIVE_INFINITY;
  #score = 0;
  #first = 0;
  #next = 0;
  /** The part of a block that was looked at last, and what it is. */
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

  /** Takes up the hits that are new, and returns the best window so far. */
  slide(): Window | null {
    for (; this.#next < this.#hits.length; this.#next++) {
      const hit = this.#hits[this.#next]!;
      this.#add(hit.word);
      while (this.#first < this.#next && this.#isNeedless(this.#hits[this.#first]!, hit))
        this.#drop(this.#hits[this.#first++]!.word);
      const phrase = this.#phrases.find((each) => this.#endsWith(each));
      const weight = this.#score + (phrase?.weight ?? 0);
      if (weight + this.#bonus <= this.#bestValue + ROUNDING) continue;
      const first = Math.min(this.#first, this.#next + 1 - (phrase?.words.length ?? 0));
      const { start } = this.#hits[first]!;
      const isProse = this.#isInProse(start, hit.start);
      const value = isProse ? weight + this.#bonus : weight;
      if (value <= this.#bestValue + ROUNDING) continue;
      this.#bestValue = value;
      this.#best = { start, end: hit.end, weight, isProse };
    }
    return this.#best;
  }

  /** Too far away to be shown with the newest hit, or said again before that: windows are as short as they can be. */
  #isNeedless({ word, start }: Hit, newest: Hit): boolean {
    return newest.end - start > WINDOW_LENGTH || this.#counts[word]! > 1;
  }

  /** Whether a window is in one block, of running text. Every part of the text is looked at once, as hits move forward. */
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

  /** Whether it does so with the newest hit. */
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
