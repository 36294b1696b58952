/**
 * Measures the effect of hostile queries and of merges on the response time of other searches.
 *
 *   npm run bench:serving -- [--corpus C.jsonl] [--queries Q.txt] [--docs 20000] [--seconds 8] [--json]
 *
 * One client sends query after query, with a pause between them, to the same pool of threads as in `gyre
 * serve`. The benchmark measures the time from the request to the page of ten results with snippets: without
 * other load, beside a client that continuously sends the most expensive queries, and while segments are
 * merged in a thread. Ratios are the time of a phase divided by the time without other load. `rssOverCacheMb`
 * is the memory of the whole process, without the merge, minus the configured cache.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { directoryAt, silentLog } from '../../src/base/mod.ts';
import { mergeInThread } from '../../src/build/mod.ts';
import { openData, writeSettings } from '../../src/cli/data-directory.ts';
import { loadConfig } from '../../src/cli/settings/config.ts';
import { SearchPool } from '../../src/cli/threads/search-pool.ts';
import { ShownPages } from '../../src/cli/threads/shown-pages.ts';
import { IndexReader } from '../../src/index/mod.ts';
import { report } from '../report.ts';
import { mean, quantile } from '../statistics.ts';

const GAP_MS = 10;
/**
 * An expensive query. It has common words that the search kernel cannot skip, and exclusions, which the kernel
 * does not support.
 */
const HOSTILE = 'the of and to in is for a be this with that -zzzz "of the" "in the" "to the"';

interface Phase {
  name: string;
  times: number[];
  partial: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string' },
      queries: { type: 'string' },
      docs: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '8' },
      json: { type: 'boolean', default: false },
    },
  });
  const work = mkdtempSync(join(tmpdir(), 'gyre-serving-'));
  const corpus = values.corpus ?? join(work, 'corpus.jsonl');
  const queries = values.queries ?? join(work, 'queries.txt');
  if (!existsSync(corpus)) run('corpus.ts', '--out', corpus, '--docs', values.docs);
  if (!existsSync(queries)) run('queries.ts', '--corpus', corpus, '--out', queries);
  const data = join(work, 'data');
  writeSettings(openData(data).root, { format: 1, seeds: [], contact: '', samplePort: null });
  run('gyre.ts', 'index', corpus, join(data, 'index'));
  const lines = readFileSync(queries, 'utf8').split('\n').filter(Boolean);
  const config = loadConfig({ flags: {}, environment: { GYRE_DATA: data }, file: undefined });
  const pool = new SearchPool(config, silentLog, { model: Promise.resolve(null), shown: new ShownPages() });
  await pool.ready;
  const seconds = Number(values.seconds);
  await measure('warm-up', pool, lines, seconds / 2);
  const quiet = await measure('quiet', pool, lines, seconds);
  const hostile = await beside(hostileClient(pool), () => measure('hostile', pool, lines, seconds));
  const rssBytes = process.memoryUsage().rss - config.serve.postingsCacheBytes;
  const merging = await beside(mergesOf(join(data, 'index')), () => measure('merging', pool, lines, seconds));
  pool.close();
  report([quiet, hostile, merging].map(rowOf), ratiosOf(quiet, hostile, merging, rssBytes), values.json);
  rmSync(work, { recursive: true, force: true });
}

async function measure(
  name: string,
  pool: SearchPool,
  lines: readonly string[],
  seconds: number,
): Promise<Phase> {
  const phase: Phase = { name, times: [], partial: 0 };
  const end = performance.now() + 1000 * seconds;
  for (let n = 0; performance.now() < end; n++) {
    await ask(pool, lines[n % lines.length]!, phase);
    await setTimeout(GAP_MS);
  }
  return phase;
}

async function ask(pool: SearchPool, query: string, phase: Phase): Promise<void> {
  const start = performance.now();
  const { partial } = await pool.search({ query, offset: 0, limit: 10 });
  phase.times.push(performance.now() - start);
  if (partial) phase.partial++;
}

/** Repeats `work` while `measured` runs, and returns the result of `measured`. */
async function beside(work: () => Promise<unknown>, measured: () => Promise<Phase>): Promise<Phase> {
  let isDone = false;
  const loop = async () => {
    while (!isDone) await work();
  };
  const looping = loop();
  const phase = await measured();
  isDone = true;
  await looping;
  return phase;
}

function hostileClient(pool: SearchPool): () => Promise<unknown> {
  return () => pool.search({ query: HOSTILE, offset: 0, limit: 100 });
}

/** Returns a function that runs the same merge each time. The result of the merge is discarded. */
function mergesOf(path: string): () => Promise<unknown> {
  const index = directoryAt(path);
  const reader = new IndexReader(index, silentLog);
  const inputs = reader.segments.map(({ reader, deletes }) => ({
    file: reader.name,
    deletes: deletes.toBytes(),
    lexicon: null,
  }));
  reader.close();
  const merge = mergeInThread(256 * 1024 * 1024);
  return () => merge(index, { output: 'bench-merge.seg', lexicon: 'bench-merge.lex', inputs });
}

function rowOf({ name, times, partial }: Phase) {
  return {
    name,
    queries: times.length,
    'mean ms': mean(times),
    'p50 ms': quantile(times, 0.5),
    'p99 ms': quantile(times, 0.99),
    'max ms': Math.max(...times),
    partial,
  };
}

function ratiosOf(quiet: Phase, hostile: Phase, merging: Phase, rssBytes: number): Record<string, number> {
  const p99 = ({ times }: Phase) => quantile(times, 0.99);
  return {
    hostileP99: p99(hostile) / p99(quiet),
    mergingP99: p99(merging) / p99(quiet),
    rssOverCacheMb: rssBytes / 1e6,
  };
}

function run(script: string, ...args: string[]): void {
  const options = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, script), ...args];
  execFileSync(process.execPath, options, { stdio: ['ignore', 'ignore', 'inherit'] });
}

await main();
