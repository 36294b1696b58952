/**
 * Features with pairs of pages that are byte-identical or nearly identical.
 *
 * Similarity is the Jaccard coefficient of the sets of three-word shingles of the visible text (heading and
 * paragraphs; these pages have no links). Words are runs of letters and digits in lower case. A changed word
 * without changed neighbours changes three shingles, so k changes in a text of s shingles give a similarity
 * of (s - 3k) / (s + 3k). This determines the number of changes for a given level; the actual similarity is
 * measured on the finished texts.
 */
import {
  type Document,
  type FeatureContext,
  type FeaturePart,
  featurePageOf,
  listedSite,
  randomFor,
  range,
} from '../feature.ts';
import { contentRank, wordOfRank } from '../lexicon.ts';
import { htmlResponse, type Place, type Responder, type Site } from '../site.ts';

const LEVELS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99];
const WORDS = 1200;
const PARAGRAPH_WORDS = 80;
/** The number of pairs of pages on one host. */
const SHELF = 20;

export interface DuplicateTruth {
  kind: 'exact' | 'near';
  original: Place;
  copy: Place;
  /** The similarity of the two pages; 1 for exact duplicates, whose bytes are the same. */
  similarity: number;
  title: string;
  /** A word that both pages contain. */
  uniqueWord: string;
}

/** Plans `count` pairs of identical pages. The copy of every second pair is on another host. */
export function planExactDuplicates(context: FeatureContext, count: number): FeaturePart<DuplicateTruth> {
  const shelf = new Shelves(context, 'copies');
  const truth = range(count).map((number): DuplicateTruth => {
    const document = context.document();
    const page = featurePageOf(context, document);
    const { title, uniqueWord } = document;
    return { kind: 'exact', ...shelf.place(number, page, page), similarity: 1, title, uniqueWord };
  });
  return { sites: shelf.sites(), entries: shelf.entries(), truth };
}

/** Plans `count` pairs of nearly identical pages that cycle through similarity levels from 0.5 to 0.99. */
export function planNearDuplicates(context: FeatureContext, count: number): FeaturePart<DuplicateTruth> {
  const shelf = new Shelves(context, 'alike');
  const truth = range(count).map((number): DuplicateTruth => {
    const document = context.document();
    const { title, uniqueWord } = document;
    const original = wordsOf(context, document);
    const copy = changed(context, document, original, LEVELS[number % LEVELS.length]!);
    const places = shelf.place(
      number,
      featurePageOf(context, document, { paragraphs: paragraphs(original) }),
      featurePageOf(context, document, { paragraphs: paragraphs(copy) }),
    );
    const similarity = jaccard([title, ...original].join(' '), [title, ...copy].join(' '));
    return { kind: 'near', ...places, similarity, title, uniqueWord };
  });
  return { sites: shelf.sites(), entries: shelf.entries(), truth };
}

export function jaccard(one: string, other: string): number {
  const a = shingles(one);
  const b = shingles(other);
  let common = 0;
  for (const shingle of a) if (b.has(shingle)) common++;
  return common / (a.size + b.size - common);
}

function shingles(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(range(Math.max(0, words.length - 2)).map((at) => words.slice(at, at + 3).join(' ')));
}

function wordsOf(context: FeatureContext, document: Document): string[] {
  const random = randomFor(context, document.number);
  const words = [document.uniqueWord];
  while (words.length < WORDS) words.push(...context.prose.paragraph(random).split(' '));
  return words.slice(0, WORDS);
}

function changed(context: FeatureContext, document: Document, words: string[], level: number): string[] {
  const random = randomFor(context, document.number + 0x40000000);
  const changes = Math.max(1, Math.round((WORDS * (1 - level)) / (3 * (1 + level))));
  const stride = (WORDS - 4) / changes;
  const copy = [...words];
  for (const change of range(changes)) {
    const at = 3 + Math.floor(change * stride + random.next() * (stride - 3));
    copy[at] = `${wordOfRank(contentRank(random))}ish`;
  }
  return copy;
}

function paragraphs(words: string[]): string[] {
  const starts = range(Math.ceil(words.length / PARAGRAPH_WORDS)).map((number) => number * PARAGRAPH_WORDS);
  return starts.map((start) => words.slice(start, start + PARAGRAPH_WORDS).join(' '));
}

/** Distributes pairs over hosts, `SHELF` pairs per host. Each host has a second host for copies. */
class Shelves {
  readonly #context: FeatureContext;
  readonly #name: string;
  readonly #pages = new Map<string, Record<string, Responder>>();

  constructor(context: FeatureContext, name: string) {
    this.#context = context;
    this.#name = name;
  }

  place(number: number, originalPage: string, copyPage: string): { original: Place; copy: Place } {
    const shelf = Math.floor(number / SHELF);
    const host = `${this.#name}-${shelf}.test`;
    const copyHost = number % 2 === 0 ? host : `${this.#name}-${shelf}-mirror.test`;
    const original = { host, path: `/original/${number}` };
    const copy = { host: copyHost, path: `/copy/${number}` };
    this.#put(original, originalPage);
    this.#put(copy, copyPage);
    return { original, copy };
  }

  sites(): Site[] {
    return [...this.#pages].map(([host, pages]) => listedSite(this.#context, host, pages));
  }

  entries(): Place[] {
    return [...this.#pages.keys()].map((host) => ({ host, path: '/' }));
  }

  #put({ host, path }: Place, page: string): void {
    const pages = this.#pages.get(host) ?? {};
    pages[path] = () => htmlResponse(page);
    this.#pages.set(host, pages);
  }
}
