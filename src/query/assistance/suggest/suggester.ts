/**
 * Suggests phrases of the index for the text that a visitor has typed so far: first phrases that begin with the
 * text, then titles that begin with its last word and have the words before it, in the title or in the name of the site
 * (`topcat m` suggests "Match Window" of the site topcat.example.org), then phrases that begin with it except for one
 * typing error. In each group, the phrase with the greatest weight comes first.
 *
 * Phrases are in several tables, one per segment and one for anchor texts. The candidates are the best phrases of
 * each table. The weight of a candidate depends on its popularity in all tables together.
 *
 * Works in memory, without waiting and without disk access; bench/suggest measures it with a million phrases.
 */
import { keyOf, type PhraseTable, phraseWeight } from '../../../lexicon/mod.ts';
import type { Suggestion } from '../../searcher.ts';
import { FUNCTION_WORDS } from '../../terms/mod.ts';
import { BestPhrases, type Found } from './best-phrases.ts';
import { descend, nearRanges, rootOf } from './near-ranges.ts';

/**
 * The minimum length of a typed text in which errors are considered. A shorter text with an error usually looks like
 * the beginning of another word.
 */
const MIN_TYPED_FOR_ERRORS = 4;
/** The number of titles that begin with the last typed word and are searched for the words before it. */
const SEARCHED_TITLES = 150;
/** The number of phrases that are read per shown suggestion. It is above 1 because only one phrase per page is shown. */
const ROOM = 2;
/** The number of typed characters that are used. Suggestions for longer texts are not useful. */
const MAX_TYPED_LENGTH = 80;

interface Searched {
  table: PhraseTable;
  best: BestPhrases;
}

/**
 * A phrase that may be suggested. `weight` is first its weight in one table, and after `#joined` its weight in
 * all tables.
 */
interface Candidate {
  table: PhraseTable;
  at: number;
  weight: number;
}

/** Returns the same key for texts that differ only in spaces and punctuation: `HTTP/2` and `HTTP2`. */
export function unspacedKey(text: string): string {
  return keyOf(text).replaceAll(' ', '');
}

export class Suggester {
  readonly #searched: readonly Searched[];

  constructor(tables: readonly PhraseTable[]) {
    this.#searched = tables.map((table) => ({ table, best: new BestPhrases(table.weights) }));
  }

  /** `mayHaveErrors` is false if the typed text is certainly spelled correctly. */
  suggest(typed: string, limit: number, mayHaveErrors = true): Suggestion[] {
    const key = Buffer.from(keyOf(typed.slice(0, MAX_TYPED_LENGTH)));
    if (key.length === 0) return [];
    const found = this.#joined(
      this.#searched.flatMap((searched) => exactIn(searched, key, ROOM * limit)),
      ROOM * limit,
    );
    if (found.length < limit) found.push(...this.#containing(key.toString(), limit));
    const isShort = found.length < limit && key.toString().trimEnd().length >= MIN_TYPED_FOR_ERRORS;
    if (isShort && mayHaveErrors) found.push(...this.#near(key, limit));
    return this.#shown(found).slice(0, limit);
  }

  /** Returns titles of pages that begin with the last word of the key and have its other words, also in their host. */
  #containing(key: string, limit: number): Candidate[] {
    const words = key.trimEnd().split(' ');
    const last = words.pop()!;
    const wanted = words.filter((word) => !FUNCTION_WORDS.has(word));
    if (wanted.length === 0 || key.endsWith(' ')) return [];
    const titles = this.#searched.flatMap((searched) =>
      exactIn(searched, Buffer.from(last), SEARCHED_TITLES),
    );
    const found = titles.filter((candidate) => {
      const { url } = candidate.table.phrase(candidate.at);
      if (url === '') return false;
      const host = URL.parse(url)?.hostname.split('.') ?? [];
      const own = new Set([...candidate.table.keyAt(candidate.at).toString().split(' '), ...host]);
      return wanted.every((word) => own.has(word));
    });
    return this.#joined(found, limit);
  }

  #near(key: Buffer, limit: number): Candidate[] {
    return this.#joined(
      this.#searched.flatMap((searched) => nearIn(searched, key, limit)),
      ROOM * limit,
    );
  }

  /** Merges the candidates of all tables. Returns the best ones, each phrase once, with its weight in all tables. */
  #joined(candidates: readonly Candidate[], limit: number): Candidate[] {
    const byWeight = candidates.toSorted((a, b) => b.weight - a.weight);
    if (this.#searched.length === 1) return byWeight.slice(0, limit);
    const heaviest = new Map<string, Candidate>();
    for (const candidate of byWeight) {
      const key = candidate.table.keyAt(candidate.at).toString('latin1');
      if (!heaviest.has(key)) heaviest.set(key, candidate);
      if (heaviest.size === ROOM * limit) break;
    }
    const joined = [...heaviest.values()].map((candidate) => this.#weighed(candidate));
    return joined.sort((a, b) => b.weight - a.weight).slice(0, limit);
  }

  #weighed(candidate: Candidate): Candidate {
    const key = candidate.table.keyAt(candidate.at);
    let popularity = 0;
    for (const { table } of this.#searched) {
      const at = table.find(key);
      if (at >= 0) popularity += table.popularity[at]!;
    }
    return { ...candidate, weight: phraseWeight(popularity, key.length) };
  }

  /**
   * Returns the suggestions to show. Shows only one suggestion per page, although the tables may have the title
   * of a page with and without the site name, and only one per spelling.
   */
  #shown(found: readonly Candidate[]): Suggestion[] {
    const seen = new Set<string>();
    return found.flatMap((candidate) => {
      const { text } = candidate.table.phrase(candidate.at);
      const url = this.#urlOf(candidate);
      const spelling = unspacedKey(text);
      if (seen.has(spelling) || (url !== '' && seen.has(url))) return [];
      seen.add(spelling).add(url);
      return [url === '' ? { text } : { text, url }];
    });
  }

  /** Returns the URL of the page whose title is the phrase; empty if no page or several pages have this title. */
  #urlOf({ table, at }: Candidate): string {
    const key = table.keyAt(at);
    const urls = this.#searched.flatMap(({ table: other }) => {
      const place = other.find(key);
      const { url, isShared } = place >= 0 ? other.phrase(place) : { url: '', isShared: false };
      return isShared ? ['', ''] : url === '' ? [] : [url];
    });
    return urls.length === 1 ? urls[0]! : '';
  }
}

function exactIn({ table, best }: Searched, key: Buffer, limit: number): Candidate[] {
  const found: Found[] = [];
  const node = descend(table, rootOf(table), key);
  if (node) best.collect(node.low, node.high, limit, found);
  return found.filter(({ weight }) => weight > 0).map(({ at, weight }) => ({ table, at, weight }));
}

/** Returns phrases of a table that begin with the key except for one typing error, each phrase once. */
function nearIn({ table, best }: Searched, key: Buffer, limit: number): Candidate[] {
  const exact = descend(table, rootOf(table), key) ?? { low: 0, high: 0 };
  const taken = new Map<number, number>();
  for (const { low, high } of nearRanges(table, key)) {
    const found: Found[] = [];
    best.collect(low, high, limit, found);
    for (const { at, weight } of found) {
      const isExact = at >= exact.low && at < exact.high;
      if (!isExact && weight > 0) taken.set(at, weight);
    }
  }
  const all = Array.from(taken, ([at, weight]) => ({ table, at, weight }));
  return all.sort((a, b) => b.weight - a.weight || a.at - b.at).slice(0, ROOM * limit);
}
