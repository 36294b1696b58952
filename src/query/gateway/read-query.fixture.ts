/**
 * Parses queries and computes their statistics over one index without a gateway, for tests and benchmarks of single
 * stages.
 */
import type { IndexReader } from '../../index/mod.ts';
import type { Synonyms } from '../assistance/mod.ts';
import { NO_DEADLINE } from '../deadline.ts';
import { readTokens } from '../language/mod.ts';
import { LocalShard } from '../shard/mod.ts';
import {
  type GlobalStatistics,
  joinStatistics,
  partStatisticsOf,
  type SearchedSegment,
  type TermQuery,
} from '../terms/mod.ts';
import { readQuery } from './read-query.ts';
import { ShardGroup } from './shard-group.ts';

export function readQueryIn(
  index: IndexReader,
  text: string,
  synonyms: Pick<Synonyms, 'of'> | null = null,
): Promise<TermQuery> {
  const group = new ShardGroup([shardOver(index)], NO_DEADLINE);
  return readQuery(readTokens(text), group, { links: null, synonyms });
}

/** Returns the statistics of a query over an index that consists of these segments. */
export function statisticsIn(searched: readonly SearchedSegment[], query: TermQuery): GlobalStatistics {
  return joinStatistics([partStatisticsOf(searched, query.terms)], query.terms);
}

const shards = new WeakMap<IndexReader, LocalShard>();

/**
 * Returns the shard of an index, which is created only once: benchmarks read many queries, and creating a shard
 * costs more than reading a query.
 */
function shardOver(index: IndexReader): LocalShard {
  const shard = shards.get(index) ?? new LocalShard(index);
  shards.set(index, shard);
  return shard;
}
