/**
 * Warms up a shard: searches for titles of its documents. The first queries after a start take many times as long as
 * later ones, because their code is not compiled yet.
 */
import { Gateway, type GatewayOptions } from './gateway/mod.ts';
import type { LocalShard } from './shard/mod.ts';

/** The maximum number of queries that a warm-up runs. */
const WARM_UP_QUERIES = 200;
const REQUEST = { offset: 0, limit: 10, perHost: 2, collapse: true, passage: true, asTyped: true } as const;

/** Runs queries until `isOver` returns true. The responses are not cached. */
export async function warmUpShard(
  shard: LocalShard,
  options: GatewayOptions,
  isOver: () => boolean,
): Promise<void> {
  const gateway = new Gateway([shard], { ...options, answerBytes: 0 });
  for (const { title } of shard.titles(WARM_UP_QUERIES)) {
    if (isOver()) return;
    await gateway.search({ ...REQUEST, query: title });
  }
}
