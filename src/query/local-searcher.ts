/** A searcher over an index on this machine: a gateway with a single shard in the same process. */
import type { Directory, Log } from '../base/mod.ts';
import { type FamilyRule, IndexReader } from '../index/mod.ts';
import type { Profile, ScoreBreakdown } from '../scoring/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { Gateway, type GatewayOptions } from './gateway/mod.ts';
import type { ExplainOptions, IndexStats, Searcher, SearchRequest, SearchResponse } from './searcher.ts';
import { LocalShard } from './shard/mod.ts';
import { WarmUp } from './warm-up.ts';

export interface LocalSearcherOptions extends GatewayOptions {
  log: Log;
  /** The family filter; by default no document is hidden. */
  family?: FamilyRule;
  /** The memory limit of the postings cache, in bytes. The default is 256 MiB. */
  cacheBytes?: number;
  /**
   * If true, the searcher answers queries before the checksums of the index are verified, and verifies them
   * meanwhile.
   */
  verifiesLater?: boolean;
}

/** Opens a searcher over an index. If the index was never built, all responses are empty. */
export function openSearcher(index: Directory, options: LocalSearcherOptions): LocalSearcher {
  const { log, verifiesLater = false, family } = options;
  return new LocalSearcher(new IndexReader(index, log, { verifiesLater, family }), options);
}

export class LocalSearcher implements Searcher {
  readonly #shard: LocalShard;
  readonly #gateway: Gateway;
  readonly #warmUp: WarmUp;

  constructor(index: IndexReader, options: LocalSearcherOptions) {
    this.#shard = new LocalShard(index, options);
    this.#gateway = new Gateway([this.#shard], options);
    this.#warmUp = new WarmUp(this.#shard, options);
  }

  /** Switches to the newest index; returns false if it is the same index as before. */
  refresh(): boolean {
    return this.#shard.refresh();
  }

  /** Ranks the results of the next queries with another profile. */
  useProfile(profile: Profile): void {
    this.#gateway.useProfile(profile);
  }

  /**
   * Runs sample queries until `isOver` returns true, so that the code of queries is compiled; the next call continues
   * after them. Returns true if no sample query is left.
   */
  warmUp(isOver: () => boolean): Promise<boolean> {
    return this.#warmUp.run(isOver);
  }

  search(request: SearchRequest): Promise<SearchResponse> {
    return this.#gateway.search(request);
  }

  /** Explains the score of a document for a query; see Gateway.explain. */
  explain(query: string, url: CanonicalUrl, request?: ExplainOptions): Promise<ScoreBreakdown | null> {
    return this.#gateway.explain(query, url, request);
  }

  /** Returns the best documents for a text, for measuring rankings; see Gateway.ranking. */
  ranking(text: string, depth: number): ReturnType<Gateway['ranking']> {
    return this.#gateway.ranking(text, depth);
  }

  /** Returns the URLs and titles of at most `limit` documents, spread evenly over the index. */
  titles(limit: number): { url: string; title: string }[] {
    return this.#shard.titles(limit);
  }

  stats(): IndexStats {
    return this.#gateway.stats();
  }

  close(): void {
    this.#gateway.close();
  }
}
