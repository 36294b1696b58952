/** A searcher over the index in a directory of this machine: a gateway over one shard in this process. */
import type { Directory, Log } from '../base/mod.ts';
import { IndexReader } from '../index/mod.ts';
import type { ScoreBreakdown } from '../scoring/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { Gateway, type GatewayOptions } from './gateway/mod.ts';
import type { Arrival, IndexStats, Searcher, SearchRequest, SearchResponse } from './searcher.ts';
import { LocalShard } from './shard/mod.ts';

export interface LocalSearcherOptions extends GatewayOptions {
  log: Log;
  /** The memory limit for postings lists that are kept between queries; default 256 MiB. */
  cacheBytes?: number;
}

/** Opens a searcher. An index that was never built gives empty responses. */
export function openSearcher(index: Directory, options: LocalSearcherOptions): LocalSearcher {
  return new LocalSearcher(new IndexReader(index, options.log), options);
}

export class LocalSearcher implements Searcher {
  readonly #shard: LocalShard;
  readonly #gateway: Gateway;

  constructor(index: IndexReader, options: LocalSearcherOptions) {
    this.#shard = new LocalShard(index, options);
    this.#gateway = new Gateway([this.#shard], options);
  }

  /** Switches to the newest index; returns false if it is the same index as before. */
  refresh(): boolean {
    return this.#shard.refresh();
  }

  search(request: SearchRequest): Promise<SearchResponse> {
    return this.#gateway.search(request);
  }

  /** See Gateway.explain. */
  explain(query: string, url: CanonicalUrl, arrival?: Arrival): Promise<ScoreBreakdown | null> {
    return this.#gateway.explain(query, url, arrival);
  }

  /** See Gateway.ranking. */
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
