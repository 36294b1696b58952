/**
 * Measures the cost of search by meaning: the processor time and elapsed time of queries with meaning and
 * without. Both run the same queries over the same index, in one process and in turns. Query vectors and
 * responses are not cached.
 */
import { silentLog } from '../../src/base/mod.ts';
import { readData } from '../../src/cli/data-directory.ts';
import { type LocalSearching, openLocalSearching } from '../../src/cli/sessions/local-searching.ts';
import type { Config } from '../../src/cli/settings/mod.ts';
import type { Embedder } from '../../src/meaning/mod.ts';
import type { BenchRow } from '../report.ts';
import { mean } from '../statistics.ts';

interface Cost {
  cpuMs: number;
  ms: number;
}

interface QueryCosts {
  /** True if the query's vector was computed, so that it was also searched by meaning. */
  hasMeaning: boolean;
  off: Cost;
  on: Cost;
}

const CACHE_BYTES = 256 * 1024 * 1024;
const WARM_UP_MS = 2000;

/**
 * Measures every query once per round. Each round opens the index again, because a searcher caches the vectors
 * of queries.
 */
export async function measureQueries(
  config: Config,
  embedder: Embedder,
  queries: readonly string[],
  rounds: number,
): Promise<QueryCosts[]> {
  const costs: QueryCosts[] = [];
  for (let round = 0; round < rounds; round++) {
    const watched = watch(embedder);
    const off = await open(config, null);
    const on = await open(config, watched);
    for (const query of queries) {
      const before = watched.texts;
      const first = round % 2 === 0 ? off : on;
      const second = first === off ? on : off;
      const costOfFirst = await costOf(first, query);
      const costOfSecond = await costOf(second, query);
      const [offCost, onCost] = first === off ? [costOfFirst, costOfSecond] : [costOfSecond, costOfFirst];
      costs.push({ hasMeaning: watched.texts > before, off: offCost, on: onCost });
    }
    off.close();
    on.close();
  }
  return costs;
}

/**
 * Returns a row for all queries, a row for the queries that were searched by meaning, and a row for the other
 * queries.
 */
export function queryRows(costs: readonly QueryCosts[], rounds: number): BenchRow[] {
  const row = (name: string, chosen: readonly QueryCosts[]): BenchRow => {
    const meanOf = (of: (costs: QueryCosts) => number) => mean(chosen.map(of));
    const [offCpuMs, onCpuMs] = [meanOf(({ off }) => off.cpuMs), meanOf(({ on }) => on.cpuMs)];
    const [offMs, onMs] = [meanOf(({ off }) => off.ms), meanOf(({ on }) => on.ms)];
    const queries = chosen.length / rounds;
    return {
      name,
      queries,
      offCpuMs,
      onCpuMs,
      addedCpuMs: onCpuMs - offCpuMs,
      offMs,
      onMs,
      addedMs: onMs - offMs,
    };
  };
  return [
    row('all queries', costs),
    row(
      'with meaning',
      costs.filter(({ hasMeaning }) => hasMeaning),
    ),
    row(
      'skip meaning',
      costs.filter(({ hasMeaning }) => !hasMeaning),
    ),
  ].filter(({ queries }) => Number(queries) > 0);
}

async function open(config: Config, embedder: Embedder | null): Promise<LocalSearching> {
  const searching = openLocalSearching(readData(config.data), config, silentLog, {
    cacheBytes: CACHE_BYTES,
    answerBytes: 0,
    embedder: () => embedder,
  });
  const endsAt = performance.now() + WARM_UP_MS;
  await searching.warmUp(() => performance.now() > endsAt);
  return searching;
}

async function costOf(searching: LocalSearching, query: string): Promise<Cost> {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await searching.search({ query, offset: 0, limit: 10, perHost: 2, collapse: true });
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, ms: performance.now() - startedAt };
}

/** Returns the embedder with a counter of the texts that it embeds. */
function watch(embedder: Embedder): Embedder & { texts: number } {
  const watched = {
    ...embedder,
    texts: 0,
    embed: (texts: readonly string[]) => {
      watched.texts += texts.length;
      return embedder.embed(texts);
    },
  };
  return watched;
}
