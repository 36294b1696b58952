/**
 * Measures whole queries over HTTP, for Gyre and for Lucene 8 with the JDK's HTTP server
 * (lucene/LucenePages.java). Both serve the same documents and queries, ten results with snippets as JSON, to
 * the same client with kept connections and without compression. Gyre runs with default settings, but without
 * its response cache.
 *
 *   first      each server is started several times, in turns, and asked one query as soon as it is ready
 *   warm-up    both answer the same titles of pages, which are not measured
 *   mean, p50, p95, p99   every query once, one at a time; the servers take turns after a few queries
 *   pages/s    the same queries from several connections at once, in turns of a few seconds
 *   cpu        processor time of the server's process per query, of the queries one at a time
 *
 * While one server is measured, the other is stopped (SIGSTOP), so that it uses no processor time. Then the
 * same figures are measured for queries of one kind each (query-sets.ts). Without Lucene only Gyre's rows are
 * printed. With `--work` the documents of Lucene are kept for the next run; the directory must not be used for
 * other data.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { indexPages, luceneJars } from '../lucene/lucene.ts';
import type { BenchRow } from '../report.ts';
import { mean, quantile } from '../statistics.ts';
import { type Bar, ratioBarsOf } from './bars.ts';
import { asFastAs, eachOnce, type LoadReport, type Target } from './load.ts';
import { mainQueries, queriesByKind, type SampledPage, samplePages, titleQueries } from './query-sets.ts';
import { gyreServer, luceneServer, type SearchServer } from './servers.ts';

export interface CompareOptions {
  data: string;
  /** The paths of files with judged queries. */
  queries: readonly string[];
  /**
   * The minimum number of measured queries; if the files have fewer queries, titles of pages are added. The
   * same number of queries is used for the warm-up, and a third of it for each kind of query.
   */
  count: number;
  seconds: number;
  /** The number of times that each server is started, to measure its first query. */
  starts: number;
}

export interface Comparison {
  rows: BenchRow[];
  /** A row for each kind of query. */
  kinds: BenchRow[];
  ratios: Record<string, number>;
  bars: Bar[];
}

interface Rival {
  name: string;
  pathOf(query: string): string;
  start(): Promise<SearchServer>;
}

/** The times of queries that were sent one at a time, and the processor time of all of them together. */
interface Series {
  times: number[];
  cpuMs: number;
}

const GYRE = join(import.meta.dirname, '..', '..', 'bin', 'gyre');
const TURN_QUERIES = 25;
const LOAD_TURNS = 2;
const CONNECTIONS = 8;
const CHECKED_QUERIES = 20;

export async function compareServers(options: CompareOptions, work: string): Promise<Comparison> {
  mkdirSync(work, { recursive: true });
  const exported = join(work, 'pages.jsonl');
  if (!existsSync(exported))
    execFileSync(process.execPath, [GYRE, 'export', '--data', options.data, '--out', exported]);
  const rivals = [gyreRival(options.data), ...(await luceneRival(exported, join(work, 'lucene')))];
  const pages = samplePages(exported);
  const comparing = new Comparing(rivals, pages, options);
  try {
    return await comparing.run();
  } finally {
    await comparing.stop();
  }
}

function gyreRival(data: string): Rival {
  return {
    name: 'gyre',
    pathOf: (query) => `/api/v1/search?limit=10&q=${encodeURIComponent(query)}`,
    start: () => gyreServer(data, { GYRE_SERVE_ANSWER_CACHE: '0' }),
  };
}

async function luceneRival(exported: string, index: string): Promise<Rival[]> {
  const jars = luceneJars();
  if (!jars) return [];
  if (!existsSync(index)) await indexPages(jars, exported, index);
  const pathOf = (query: string) => `/search?q=${encodeURIComponent(query)}`;
  return [{ name: 'lucene 8', pathOf, start: () => luceneServer(jars, index) }];
}

class Comparing {
  readonly #rivals: readonly Rival[];
  readonly #pages: readonly SampledPage[];
  readonly #options: CompareOptions;
  readonly #servers = new Map<Rival, SearchServer>();

  constructor(rivals: readonly Rival[], pages: readonly SampledPage[], options: CompareOptions) {
    this.#rivals = rivals;
    this.#pages = pages;
    this.#options = options;
  }

  async run(): Promise<Comparison> {
    const { queries: files, count, starts } = this.#options;
    const titles = titleQueries(this.#pages);
    const [warming, others] = [titles.slice(0, count), titles.slice(count)];
    const queries = mainQueries(files, others.slice(starts), count);
    const first = await this.#firstQueries(others);
    for (const rival of this.#rivals)
      await this.#measured(rival, (server) => eachOnce(targetOf(rival, server, warming), 1));
    const alone = await this.#inTurns(queries);
    const loaded = await this.#load(queries);
    const rows: BenchRow[] = [];
    for (const rival of this.#rivals) {
      const figures = { ...first.get(rival)!, ...aloneColumns(alone.get(rival)!), ...loaded.get(rival)! };
      rows.push({ name: rival.name, ...figures, ...(await this.#responses(rival, queries)) });
    }
    const kinds: BenchRow[] = [];
    for (const [name, some] of queriesByKind(this.#pages, Math.ceil(count / 3)))
      kinds.push(this.#kindRow(name, await this.#inTurns(some)));
    const ratios = ratiosOf(rows);
    return { rows, kinds, ratios, bars: ratioBarsOf(ratios) };
  }

  async stop(): Promise<void> {
    for (const server of this.#servers.values()) await server.stop();
  }

  /**
   * Starts each server several times, and asks it one query each time. The server of the last start keeps
   * running.
   */
  async #firstQueries(titles: readonly string[]): Promise<Map<Rival, Record<string, number>>> {
    const measured = new Map(this.#rivals.map((rival) => [rival, { ready: [], first: [] } as FirstTimes]));
    for (let start = 0; start < this.#options.starts; start++) {
      for (const rival of this.#rivals) {
        await this.#servers.get(rival)?.stop();
        const server = await rival.start();
        this.#servers.set(rival, server);
        const asked = await eachOnce(targetOf(rival, server, titles.slice(start, start + 1)), 1);
        const { ready, first } = measured.get(rival)!;
        ready.push(server.readyMs);
        first.push(asked.times[0]!);
        server.pause();
      }
    }
    return new Map(
      [...measured].map(([rival, { ready, first }]) => [
        rival,
        { 'ready ms': quantile(ready, 0.5), 'first ms': quantile(first, 0.5) },
      ]),
    );
  }

  async #inTurns(queries: readonly string[]): Promise<Map<Rival, Series>> {
    const series = new Map(this.#rivals.map((rival) => [rival, { times: [], cpuMs: 0 } as Series]));
    for (let from = 0; from < queries.length; from += TURN_QUERIES) {
      const some = queries.slice(from, from + TURN_QUERIES);
      for (const rival of this.#rivals) {
        const { report, cpuMs } = await this.#measured(rival, (server) =>
          eachOnce(targetOf(rival, server, some), 1),
        );
        const total = series.get(rival)!;
        total.times.push(...report.times);
        total.cpuMs += cpuMs;
      }
    }
    return series;
  }

  async #load(queries: readonly string[]): Promise<Map<Rival, Record<string, number>>> {
    const totals = new Map(this.#rivals.map((rival) => [rival, { pages: 0, seconds: 0, cpuMs: 0 }]));
    for (let turn = 0; turn < LOAD_TURNS; turn++) {
      for (const rival of this.#rivals) {
        const { report, cpuMs } = await this.#measured(rival, (server) =>
          asFastAs(targetOf(rival, server, queries), CONNECTIONS, this.#options.seconds / LOAD_TURNS),
        );
        const total = totals.get(rival)!;
        total.pages += report.times.length;
        total.seconds += report.seconds;
        total.cpuMs += cpuMs;
      }
    }
    return new Map(
      [...totals].map(([rival, { pages, seconds, cpuMs }]) => [
        rival,
        { 'pages/s': pages / seconds, 'loaded cpu ms': cpuMs / pages },
      ]),
    );
  }

  /** Returns the mean number of results and bytes, to see that both servers do the same work. */
  async #responses(rival: Rival, queries: readonly string[]): Promise<Record<string, number>> {
    const server = this.#servers.get(rival)!;
    const [results, bytes]: number[][] = [[], []];
    server.resume();
    for (const query of queries.slice(0, CHECKED_QUERIES)) {
      const body = await (await fetch(`http://127.0.0.1:${server.port}${rival.pathOf(query)}`)).text();
      results!.push((JSON.parse(body) as { results: unknown[] }).results.length);
      bytes!.push(Buffer.byteLength(body));
    }
    const { rssMB } = server.usage();
    server.pause();
    return { 'rss MiB': rssMB, results: mean(results!), bytes: mean(bytes!) };
  }

  async #measured(rival: Rival, work: (server: SearchServer) => Promise<LoadReport>) {
    const server = this.#servers.get(rival)!;
    server.resume();
    const before = server.usage().cpuSeconds;
    const report = await work(server);
    const cpuMs = 1000 * (server.usage().cpuSeconds - before);
    server.pause();
    return { report, cpuMs };
  }

  #kindRow(name: string, series: ReadonlyMap<Rival, Series>): BenchRow {
    const columns = [...series].flatMap(([rival, { times, cpuMs }]): [string, number][] => [
      [`${rival.name} ms`, mean(times)],
      [`${rival.name} p95`, quantile(times, 0.95)],
      [`${rival.name} cpu ms`, cpuMs / times.length],
    ]);
    const [ours, theirs] = [...series.values()].map(({ times }) => mean(times));
    const ratio = theirs === undefined ? {} : { ratio: ours! / theirs };
    return { name, ...Object.fromEntries(columns), ...ratio };
  }
}

interface FirstTimes {
  ready: number[];
  first: number[];
}

function targetOf({ pathOf }: Rival, { port }: SearchServer, queries: readonly string[]): Target {
  return { port, paths: queries.map(pathOf), acceptEncoding: 'identity' };
}

function aloneColumns({ times, cpuMs }: Series): Record<string, number> {
  return {
    queries: times.length,
    'mean ms': mean(times),
    'p50 ms': quantile(times, 0.5),
    'p95 ms': quantile(times, 0.95),
    'p99 ms': quantile(times, 0.99),
    'cpu ms': cpuMs / times.length,
  };
}

/**
 * Returns the figures of Gyre divided by the figures of Lucene. `firstOverMean` is the time of Gyre's first
 * query after a start, divided by its mean time; `luceneFirstOverMean` is the same for Lucene.
 */
function ratiosOf([ours, theirs]: readonly BenchRow[]): Record<string, number> {
  const ratio = (a: BenchRow, b: BenchRow, column: string, over = column) =>
    Number(a[column]) / Number(b[over]);
  const first = { firstOverMean: ratio(ours!, ours!, 'first ms', 'mean ms') };
  if (!theirs) return first;
  return {
    meanOverLucene: ratio(ours!, theirs, 'mean ms'),
    p99OverLucene: ratio(ours!, theirs, 'p99 ms'),
    cpuOverLucene: ratio(ours!, theirs, 'cpu ms'),
    pagesOverLucene: ratio(ours!, theirs, 'pages/s'),
    ...first,
    luceneFirstOverMean: ratio(theirs, theirs, 'first ms', 'mean ms'),
  };
}
