/**
 * The piece of a document that shows why it was found.
 *
 * It is the stretch of the text with the most of the query's words, by rarity, each counted once; among equals
 * the first. What was quoted is worth as much again where it stands as it was quoted. It begins with the sentence of its
 * first hit if that is near enough, and ends between words. A text without any of the words that say something gives
 * way to the description, then to its own beginning.
 *
 * What must not be quoted is not in the text any more (see build/); how much may be, the document says.
 */
import type { StoredDocument } from '../index/mod.ts';
import type { QuotedPhrase } from './best-stretch.ts';
import { isWantedForm } from './condition.ts';
import type { Hit, HitFinder } from './hit-finder.ts';

/** Plain text, and where the query's words stand in it: [start, end) in UTF-16 units, ascending. */
export interface Snippet {
  text: string;
  highlights: [number, number][];
}

const LENGTH = 200;
/** What the marks of omission add to that at most. */
const OMISSION_LENGTH = 4;
/** With less of the query's weight than this, a text has only words like "the" of it. */
const TELLING_SHARE = 0.1;
/** How far apart hits may stand that are to be shown together. */
const WINDOW_LENGTH = 160;
/** Of a very long text only the beginning is searched, so that a page of results is quick. */
const SEARCHED_LENGTH = 100_000;
const PIECE_LENGTH = 2000;
/** What adding and taking away weights may leave behind. */
const ROUNDING = 1e-9;
const ELLIPSIS = '… ';

interface Window {
  start: number;
  end: number;
  /** What its different words weigh, and its phrase. */
  weight: number;
}

/** What a snippet is to show. */
export interface Sought {
  /** Knows the written words that count. */
  finder: HitFinder;
  /** How rare each word of the query is. */
  weights: readonly number[];
  phrases?: readonly QuotedPhrase[];
  /** What the best window weighs, if somebody knows: the search ends with one that does. */
  best?: number | null;
}

export function snippetOf(document: StoredDocument, sought: Sought): Snippet {
  const { text, description, maxSnippet = Number.POSITIVE_INFINITY } = document;
  const { finder, weights } = sought;
  const length = Math.min(LENGTH, maxSnippet - OMISSION_LENGTH);
  if (length <= 0) return { text: '', highlights: [] };
  const { window, hits } = bestWindow(text, sought);
  const enough = TELLING_SHARE * sumOf(weights);
  if (window && (window.weight >= enough || description === '')) {
    return cut(text, startFor(text, window, length), hits, length);
  }
  if (description !== '') {
    const described: Hit[] = [];
    finder.find(description, 0, description.length, described);
    return cut(description, 0, described, length);
  }
  return cut(text, 0, [], length);
}

interface Found {
  window: Window | null;
  hits: readonly Hit[];
}

/** From the beginning, until there is a window with everything, or as good as any. */
function bestWindow(text: string, sought: Sought): Found {
  const { finder, weights, phrases = [], best } = sought;
  const wanted = best ?? sumOf(weights) + Math.max(0, ...phrases.map(({ weight }) => weight));
  const hits: Hit[] = [];
  const windows = new WindowFinder(text, hits, sought);
  const searched = Math.min(text.length, SEARCHED_LENGTH);
  let window: Window | null = null;
  for (let from = 0; from < searched && (window?.weight ?? -1) < wanted - ROUNDING; ) {
    const to = pieceEnd(text, from);
    finder.find(text, from, to, hits);
    window = windows.slide();
    from = to;
  }
  return { window, hits };
}

function sumOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

/** The text is searched piece by piece, until there is a window with all the words. Pieces end between words. */
function pieceEnd(text: string, from: number): number {
  const limit = from + 2 * PIECE_LENGTH;
  for (let at = from + PIECE_LENGTH; at < limit; at++)
    if (at >= text.length || text.charCodeAt(at) <= 0x20) return Math.min(at, text.length);
  return isLowSurrogate(text, limit) ? limit - 1 : limit;
}

/** Slides over the hits as they come in; both ends only move forward. */
class WindowFinder {
  readonly #text: string;
  readonly #hits: readonly Hit[];
  readonly #weights: readonly number[];
  readonly #phrases: readonly QuotedPhrase[];
  readonly #counts: number[];
  #best: Window | null = null;
  #score = 0;
  #first = 0;
  #next = 0;

  constructor(text: string, hits: readonly Hit[], { weights, phrases = [] }: Sought) {
    this.#text = text;
    this.#hits = hits;
    this.#weights = weights;
    this.#phrases = phrases;
    this.#counts = weights.map(() => 0);
  }

  /** Takes up the hits that are new, and returns the best window so far. */
  slide(): Window | null {
    for (; this.#next < this.#hits.length; this.#next++) {
      const hit = this.#hits[this.#next]!;
      this.#add(hit.word);
      while (hit.end - this.#hits[this.#first]!.start > WINDOW_LENGTH && this.#first < this.#next)
        this.#drop(this.#hits[this.#first++]!.word);
      const weight = this.#score + this.#quoted();
      if (weight > (this.#best?.weight ?? -1) + ROUNDING) {
        const { start } = this.#hits[this.#first]!;
        this.#best = { start, end: hit.end, weight };
      }
    }
    return this.#best;
  }

  /** What the phrase weighs that ends with the newest hit. */
  #quoted(): number {
    const { weight = 0 } = this.#phrases.find((phrase) => this.#endsWith(phrase)) ?? {};
    return weight;
  }

  #endsWith({ words, exact }: QuotedPhrase): boolean {
    const start = this.#next - words.length + 1;
    if (start < this.#first) return false;
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

/** Where to begin so that the window is shown with what leads up to it. */
function startFor(text: string, window: Window, length: number): number {
  const slack = Math.max(0, length - (window.end - window.start));
  const earliest = Math.max(0, window.start - slack);
  const sentence = sentenceStart(text, earliest, window.start);
  if (sentence >= 0) return sentence;
  return wordStart(text, window.start - Math.floor(slack / 3), window.start);
}

/** The last beginning of a sentence or block in [from, to], or -1. */
function sentenceStart(text: string, from: number, to: number): number {
  for (let at = to; at > from; at--) if (isSentenceStart(text, at)) return at;
  return from === 0 ? 0 : -1;
}

function isSentenceStart(text: string, at: number): boolean {
  const before = text[at - 1]!;
  if (before === '\n' || '。！？'.includes(before)) return true;
  return before === ' ' && at >= 2 && '.!?'.includes(text[at - 2]!);
}

/** The first beginning of a word in [from, to]; `to` is one. */
function wordStart(text: string, from: number, to: number): number {
  for (let at = Math.max(1, from); at < to; at++) if (/\s/.test(text[at - 1]!)) return at;
  return from <= 0 ? 0 : to;
}

function cut(text: string, from: number, hits: readonly Hit[], length: number): Snippet {
  const lead = from === 0 || isSentenceStart(text, from) ? '' : ELLIPSIS;
  let start = from;
  while (start < text.length && /\s/.test(text[start]!)) start++;
  const end = endFor(text, start, length);
  const body = text.slice(start, end).trimEnd();
  const tail = end >= text.length || isSentenceStart(text, end) ? '' : ' …';
  const shift = lead.length - start;
  const shown = hits.filter((hit) => hit.start >= start && hit.end <= start + body.length);
  return {
    text: lead + body.replaceAll('\n', ' ') + tail,
    highlights: joined(shown.map((hit) => [hit.start + shift, hit.end + shift])),
  };
}

/** About `length` further on: between words if there is a space, else between characters. */
function endFor(text: string, start: number, length: number): number {
  const limit = start + length;
  if (limit >= text.length) return text.length;
  for (let at = limit; at > start + length / 2; at--) if (/\s/.test(text[at - 1]!)) return at;
  return isLowSurrogate(text, limit) ? limit - 1 : limit;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000;
}

/** Hits that overlap, as the pairs of unspaced scripts do, become one highlight. */
function joined(ranges: [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = out.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else out.push([start, end]);
  }
  return out;
}
