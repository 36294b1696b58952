/**
 * Measures the cost of a results page: every kind of query, the second stage with snippets, cached responses,
 * and deep pages.
 *
 *   npm run bench:query -- [--corpus C.jsonl] [--docs 100000] [--queries 300] [--work DIR] [--json]
 *
 * Corpus and queries are the same as in bench/engine. `page` is the time from the text of a query to ten
 * results with snippets; `first stage` is the time to find and count all matches; `second stage` is the time to
 * score the best candidates, choose a page of them and make its snippets, measured separately. All queries of a
 * kind run once, then all again, three times in total. The best time of each query counts, because other work
 * on the machine can only add time. All other queries run in between, so most data that a query left in the
 * processor cache is evicted before the query runs again. With `--work` the index is kept for the next run.
 *
 * Ratios: `secondCpu` is the processor time of the second stage in ms, the mean of all runs, which on a busy
 * machine is more reliable than the elapsed time. `secondP95` and `cacheP99` are in ms, and their bars are 5
 * and 1. `deepPage` is the cost of a page by cursor after 9,900 results divided by the cost after 1,500; it
 * should be near 1. The other ratios are the processor time in ms per page of plain words, by step
 * (step-costs.ts).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import { IndexReader } from '../../src/index/mod.ts';
import { NO_DEADLINE } from '../../src/query/deadline.ts';
import { Gateway } from '../../src/query/gateway/gateway.ts';
import { readQuery } from '../../src/query/gateway/read-query.ts';
import { idsOf, rankCandidates } from '../../src/query/gateway/second-stage.ts';
import { ShardGroup } from '../../src/query/gateway/shard-group.ts';
import { readTokens } from '../../src/query/language/parse.ts';
import { LocalSearcher } from '../../src/query/mod.ts';
import { CandidateList } from '../../src/query/results/candidate-list.ts';
import { pageOf, resultsOf } from '../../src/query/results/results-page.ts';
import { LocalShard } from '../../src/query/shard/local-shard.ts';
import type { ShownDocument } from '../../src/query/shard/search-shard.ts';
import { joinStatistics } from '../../src/query/terms/statistics.ts';
import { usesOf } from '../../src/query/terms/word-use.ts';
import { DEFAULT_PROFILE } from '../../src/scoring/mod.ts';
import { type BenchRow, report } from '../report.ts';
import { StepCosts } from './step-costs.ts';

const ENGINE = join(import.meta.dirname, '..', 'engine');
const ROUNDS = 3;
const CACHE_BYTES = 512 * 1024 * 1024;
const ANSWER_BYTES = 64 * 1024 * 1024;
/** The number of candidates of the second stage. */
const KEPT = 1000;
const NO_OTHERS = { similar: [], translations: [] };
const FIRST_PAGE = { generation: 0, offset: 0 };
const PAGE = { offset: 0, limit: 10, perHost: 2, collapse: true };

/** The kinds of queries. Each function makes a query of its kind from adjacent words. */
const KINDS: Record<string, (words: string[]) => string> = {
  words: (words) => words.join(' '),
  all: (words) => words.join(' AND '),
  phrase: (words) => `"${words.join(' ')}"`,
  without: ([first, ...rest]) => `${rest.join(' ')} -${first}`,
  either: (words) => `(${words[0]} OR ${words[1]}) AND NOT ("${words.join(' ')}")`,
  near: (words) => `${words[0]} NEAR/5 ${words[1]}`,
  title: (words) => `intitle:${words[0]} ${words.join(' ')}`,
  site: (words) => `${words.join(' ')} site:docs.example`,
  prefix: (words) => `${words[0]} ${words[1]!.slice(0, 4)}*`,
};

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string' },
      docs: { type: 'string', default: '100000' },
      queries: { type: 'string', default: '300' },
      work: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const work = values.work ?? mkdtempSync(join(tmpdir(), 'gyre-bench-'));
  const { index, lines } = prepare(work, values.corpus, values.docs, Number(values.queries));
  const bench = new QueryBench(index);
  const measured: { row: BenchRow; second: number[] }[] = [];
  for (const kind of Object.keys(KINDS)) measured.push(await bench.kind(kind, lines));
  const cached = await bench.remembered(lines);
  const deep = await bench.deepPages();
  const steps = await bench.steps(lines);
  bench.close();
  const rows = [...measured.map(({ row }) => row), { name: 'remembered', ...summary('page', cached) }];
  const secondP95 = quantile(
    measured.flatMap(({ second }) => second),
    0.95,
  );
  report(
    rows,
    { secondCpu: bench.secondCpuMs, secondP95, cacheP99: quantile(cached, 0.99), deepPage: deep, ...steps },
    values.json,
  );
  if (!values.work) rmSync(work, { recursive: true, force: true });
}

function prepare(work: string, given: string | undefined, docs: string, count: number) {
  mkdirSync(work, { recursive: true });
  const corpus = given ?? join(work, 'corpus.jsonl');
  const queries = join(work, 'queries.txt');
  const index = join(work, 'gyre');
  if (!existsSync(corpus)) run('corpus.ts', '--out', corpus, '--docs', docs);
  if (!existsSync(queries)) run('queries.ts', '--corpus', corpus, '--out', queries);
  if (!existsSync(join(index, 'manifest.json'))) run('gyre.ts', 'index', corpus, index);
  const lines = readFileSync(queries, 'utf8').split('\n').filter(Boolean).slice(0, count);
  return { index, lines: lines.map((line) => line.split(' ')) };
}

function run(script: string, ...args: string[]): void {
  const options = ['--disable-warning=ExperimentalWarning', join(ENGINE, script), ...args];
  execFileSync(process.execPath, options, { stdio: ['ignore', 'ignore', 'inherit'] });
}

class QueryBench {
  readonly #shard: LocalShard;
  readonly #searcher: LocalSearcher;
  readonly #remembering: LocalSearcher;
  readonly #second = { runs: 0, cpuMs: 0 };

  constructor(index: string) {
    const open = () => new IndexReader(openDirectory(index), silentLog);
    const options = { log: silentLog, clock: systemClock, cacheBytes: CACHE_BYTES };
    this.#shard = new LocalShard(open(), options);
    this.#searcher = new LocalSearcher(open(), options);
    this.#remembering = new LocalSearcher(open(), { ...options, answerBytes: ANSWER_BYTES });
  }

  async kind(name: string, lines: readonly string[][]): Promise<{ row: BenchRow; second: number[] }> {
    const queries = lines.map((words) => KINDS[name]!(words));
    const page = await bestOfEach(queries, (query) => timed(() => this.#searcher.search({ query, ...PAGE })));
    const first: number[] = [];
    const second = await bestOfEach(queries, async (query, at) => {
      const stages = await this.#stages(query);
      first[at] = Math.min(first[at] ?? Number.POSITIVE_INFINITY, stages.firstMs);
      return stages.secondMs;
    });
    const row = {
      name,
      ...summary('page', page),
      ...summary('first stage', first),
      ...summary('second stage', second),
    };
    return { row, second };
  }

  async remembered(lines: readonly string[][]): Promise<number[]> {
    const times: number[] = [];
    for (const words of lines) {
      const request = { query: words.join(' '), ...PAGE };
      await this.#remembering.search(request);
      times.push(await timed(() => this.#remembering.search(request)));
    }
    return times;
  }

  /**
   * Returns the cost of a page after 9,900 results divided by the cost after 1,500; 1 if there are fewer
   * results.
   */
  async deepPages(): Promise<number> {
    const behind = async (offset: number): Promise<number | null> => {
      const request = { query: 'the of', ...PAGE };
      const { cursor } = await this.#searcher.search({ ...request, offset });
      return cursor === undefined
        ? null
        : (await bestOfEach([cursor], () => timed(() => this.#searcher.search({ ...request, cursor }))))[0]!;
    };
    const [near, far] = [await behind(1500), await behind(9900)];
    return near !== null && far !== null ? far / near : 1;
  }

  /** Returns the processor time of each step of a page of plain words. */
  async steps(lines: readonly string[][]): Promise<Record<string, number>> {
    const costs = new StepCosts();
    const gateway = new Gateway([costs.measured(this.#shard)], { clock: systemClock });
    for (const words of lines) await costs.query(() => gateway.search({ query: words.join(' '), ...PAGE }));
    return costs.means();
  }

  get secondCpuMs(): number {
    return this.#second.cpuMs / this.#second.runs;
  }

  close(): void {
    for (const one of [this.#shard, this.#searcher, this.#remembering]) one.close();
  }

  /**
   * Runs the two stages as the gateway does. The shard computes the rough scores of the second stage together
   * with the first stage, so the first stage runs once alone, and its cost is subtracted.
   */
  async #stages(text: string): Promise<{ firstMs: number; secondMs: number }> {
    const shard = this.#shard;
    const group = new ShardGroup([shard], NO_DEADLINE);
    const query = await readQuery(readTokens(text), group, { links: null, synonyms: null });
    const asked = { view: shard.state.view, leftMs: Number.POSITIVE_INFINITY };
    const part = await shard.statistics({ ...asked, words: query.terms, withForms: false });
    const profile = DEFAULT_PROFILE;
    const uses = usesOf(query.text, query);
    const statistics = joinStatistics([part], query.terms, uses, profile.functionWords);
    const limits = { keep: KEPT, count: true, after: null, roughAbove: profile.close };
    const request = { ...asked, ...limits, query, statistics, profile };
    const first = await costOf(() => shard.candidates({ ...request, roughCount: 0 }));
    const all = await costOf(async () => {
      const list = new CandidateList([await shard.candidates({ ...request, roughCount: KEPT })], KEPT);
      const { documents } = await rankCandidates({ group, query, statistics, profile, forms: null }, list);
      const page = pageOf(documents, list, documents.length, FIRST_PAGE, { query: text, ...PAGE }, query);
      const details = await group.askFor(idsOf(page.shown), (one, each) =>
        one.details({
          ...each,
          query,
          statistics,
          profile,
          forms: null,
          close: new Set(each.docs),
        }),
      );
      resultsOf(page, details as ShownDocument[], query.text, () => NO_OTHERS);
    });
    this.#second.cpuMs += all.cpuMs - first.cpuMs;
    this.#second.runs++;
    return { firstMs: first.ms, secondMs: Math.max(0, all.ms - first.ms) };
  }
}

async function costOf(work: () => unknown): Promise<{ ms: number; cpuMs: number }> {
  const before = process.threadCpuUsage();
  const ms = await timed(work);
  const { user, system } = process.threadCpuUsage(before);
  return { ms, cpuMs: (user + system) / 1000 };
}

/** Returns the best time of each query in several rounds. */
async function bestOfEach(
  queries: readonly string[],
  measure: (query: string, at: number) => Promise<number>,
): Promise<number[]> {
  const best = queries.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, query] of queries.entries()) best[at] = Math.min(best[at]!, await measure(query, at));
  return best;
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function summary(name: string, times: readonly number[]): Record<string, number> {
  return {
    [`${name} ms`]: mean(times),
    [`${name} p95`]: quantile(times, 0.95),
    [`${name} p99`]: quantile(times, 0.99),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function quantile(values: readonly number[], share: number): number {
  const ascending = [...values].sort((a, b) => a - b);
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))]!;
}

await main();
