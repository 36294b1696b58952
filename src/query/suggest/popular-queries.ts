/**
 * Queries that were asked often, to be suggested to others.
 *
 * For privacy a query counts only if it had results and is plain words; it is suggested only once it was asked several
 * times, and nothing is kept of it but its words and how often that was. Whoever asks alone can still make a query
 * popular by repeating it, so this is off unless the operator turns it on.
 *
 * Bounded: when there are twice as many as may be kept, the less asked half is forgotten.
 */
import { type Directory, GyreError, type Log, messageOf } from '../../base/mod.ts';
import { keyOf, readQueries, writeQueries } from '../../words/mod.ts';

const LEAST_ASKED = 5;
const LIMIT = 10_000;
const MAX_LENGTH = 60;
/** Anything that is an operator, an address or a number: not for others. */
const PRIVATE = /[:@"*()/]|\d{4}|(?:^|\s)[-+]/;

export class PopularQueries {
  readonly #directory: Directory;
  readonly #limit: number;
  #counts: Map<string, number>;
  #isSaved = true;

  /** A damaged file is begun anew. */
  constructor(directory: Directory, log: Log, limit = LIMIT) {
    this.#directory = directory;
    this.#limit = limit;
    this.#counts = countsOrNone(directory, log);
  }

  /** A query was asked and had results. */
  note(query: string): void {
    const key = keyOf(query).trimEnd();
    if (key === '' || key.length > MAX_LENGTH || PRIVATE.test(query)) return;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#isSaved = false;
    if (this.#counts.size > 2 * this.#limit) this.#forget();
  }

  /** The most asked that begin with what is typed. */
  suggest(typed: string, limit: number): string[] {
    const key = keyOf(typed);
    if (key === '') return [];
    const found = [...this.#counts].filter(([query, count]) => count >= LEAST_ASKED && query.startsWith(key));
    return found
      .sort(([, a], [, b]) => b - a)
      .slice(0, limit)
      .map(([query]) => query);
  }

  /** Writes what changed since the last time, if anything. */
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

function countsOrNone(directory: Directory, log: Log): Map<string, number> {
  try {
    return readQueries(directory);
  } catch (error) {
    if (!(error instanceof GyreError)) throw error;
    log.warn('popular queries unreadable, counting anew', { why: messageOf(error) });
    return new Map();
  }
}
