/**
 * Counts queries, to suggest frequent ones to other visitors.
 *
 * For privacy, a query is counted only if it had results and consists of plain words. It is suggested only after it
 * was made LEAST_ASKED times. Only its words and its count are stored. One visitor can still make a query popular by
 * repeating it, so the feature is off by default.
 *
 * When there are more than twice LIMIT queries, only the LIMIT most frequent are kept.
 */
import { type Directory, GyreError, type Log, messageOf } from '../../../base/mod.ts';
import { keyOf, readQueries, writeQueries } from '../../../lexicon/mod.ts';

const LEAST_ASKED = 5;
const LIMIT = 10_000;
const MAX_LENGTH = 60;
/** Matches queries with operators, URLs, mail addresses or long numbers. They are not suggested to other visitors. */
const PRIVATE = /[:@"*()/]|\d{4}|(?:^|\s)[-+]/;

export class PopularQueries {
  readonly #directory: Directory;
  readonly #limit: number;
  #counts: Map<string, number>;
  #isSaved = true;
  /** Queries without results since the start, with their counts. They are never suggested and never stored. */
  readonly #withoutResults = new Map<string, number>();

  /** Reads the counts from a file. If the file is damaged, all counts start at 0. */
  constructor(directory: Directory, log: Log, limit = LIMIT) {
    this.#directory = directory;
    this.#limit = limit;
    this.#counts = countsOrNone(directory, log);
  }

  /** Counts a query that had results. */
  note(query: string): void {
    const key = countedKey(query);
    if (key === null) return;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#isSaved = false;
    if (this.#counts.size > 2 * this.#limit) this.#forget();
  }

  /** Counts a query that had no results. */
  noteWithoutResults(query: string): void {
    const key = countedKey(query);
    if (key === null) return;
    if (this.#withoutResults.size >= this.#limit && !this.#withoutResults.has(key)) return;
    this.#withoutResults.set(key, (this.#withoutResults.get(key) ?? 0) + 1);
  }

  /** Returns the most frequent queries with results, and those without results since the start, for the operator. */
  mostFrequent(limit: number): Record<'withResults' | 'withoutResults', [query: string, count: number][]> {
    const first = (counts: ReadonlyMap<string, number>) =>
      [...counts].sort(([, a], [, b]) => b - a).slice(0, limit);
    return { withResults: first(this.#counts), withoutResults: first(this.#withoutResults) };
  }

  /** Returns the most frequent queries that begin with the typed text. */
  suggest(typed: string, limit: number): string[] {
    const key = keyOf(typed);
    if (key === '') return [];
    const found = [...this.#counts].filter(([query, count]) => count >= LEAST_ASKED && query.startsWith(key));
    return found
      .sort(([, a], [, b]) => b - a)
      .slice(0, limit)
      .map(([query]) => query);
  }

  /** Writes the counts to the file if they changed since the last save. */
  save(): void {
    if (this.#isSaved) return;
    if (this.#counts.size > this.#limit) this.#forget();
    writeQueries(this.#directory, this.#counts);
    this.#isSaved = true;
  }

  #forget(): void {
    const most = [...this.#counts].sort(([, a], [, b]) => b - a).slice(0, this.#limit);
    this.#counts = new Map(most);
  }
}

/** Returns the text under which a query is counted; null if it may be private. */
function countedKey(query: string): string | null {
  const key = keyOf(query).trimEnd();
  return key === '' || key.length > MAX_LENGTH || PRIVATE.test(query) ? null : key;
}

function countsOrNone(directory: Directory, log: Log): Map<string, number> {
  try {
    return readQueries(directory);
  } catch (error) {
    if (!(error instanceof GyreError)) throw error;
    log.warn('popular queries unreadable, counts reset', { reason: messageOf(error) });
    return new Map();
  }
}
