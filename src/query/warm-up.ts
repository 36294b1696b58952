/**
 * Warms up a shard: searches for titles of its documents, and for some words of them. The first queries after a start
 * take many times as long as later ones, because their code is not compiled yet.
 */
import { Gateway, type GatewayOptions } from './gateway/mod.ts';
import type { LocalShard } from './shard/mod.ts';

/** The maximum number of titles that a warm-up searches for. */
const WARM_UP_TITLES = 200;
const REQUEST = { offset: 0, limit: 10, perHost: 2, collapse: true, passage: true, asTyped: true } as const;

/** Each title gives these queries: first the whole title, then a few words of it, as most people type them. */
const QUERIES: readonly ((words: readonly string[]) => readonly string[])[] = [
  (words) => words,
  (words) => words.slice(0, 2),
  (words) => words.slice(-3),
  (words) => words.slice(1, 2),
];

export class WarmUp {
  readonly #shard: LocalShard;
  readonly #gateway: Gateway;
  /** The queries that are left, in order. The list is made when the warm-up begins. */
  #queries: Iterator<string> | null = null;

  /** The responses are not cached, whatever the options say. */
  constructor(shard: LocalShard, options: GatewayOptions) {
    this.#shard = shard;
    this.#gateway = new Gateway([shard], { ...options, answerBytes: 0 });
  }

  /**
   * Runs queries until `isOver` returns true; the next call continues after them. Returns true if no query is left.
   */
  async run(isOver: () => boolean): Promise<boolean> {
    this.#queries ??= queriesOf(this.#shard.titles(WARM_UP_TITLES).map(({ title }) => title));
    while (!isOver()) {
      const { value: query, done } = this.#queries.next();
      if (done) return true;
      await this.#gateway.search({ ...REQUEST, query });
    }
    return false;
  }
}

function* queriesOf(titles: readonly string[]): Generator<string> {
  const all = titles.map((title) => title.split(' '));
  for (const query of QUERIES) for (const words of all) yield query(words).join(' ');
}
