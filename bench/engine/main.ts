/**
 * Compares the index of Gyre with Lucene, FTS5 of SQLite and MiniSearch: the same documents and queries, one
 * thread each.
 *
 *   npm run bench:engine -- [--corpus C.jsonl] [--queries Q.txt] [--docs 100000] [--work DIR]
 *                           [--growth 5000] [--json]
 *
 * The benchmark measures indexing (processor time without reading the corpus), the size of the index without
 * stored text, and the time from the query's text to the ten best documents: for a query of any of the words,
 * of all of the words, and of the phrase. Every query runs five times, and the best of the last three counts.
 * Without `--corpus`, the corpus is made from the documentation on this machine.
 *
 * Gyre and Lucene stem words. Gyre can distinguish the forms of a word, so its phrases are exact; Lucene as it
 * is used here cannot. Gyre caches the terms of words and the locations of their postings, but no queries and
 * no results. The query cache of Lucene is off. Neither engine reads the titles and texts of the ten documents.
 * Lucene is Debian's `liblucene8-java`; if it is not installed, its row and the ratios are left out.
 *
 * MiniSearch gets only some of the documents; if it is not installed in bench/, its row is left out.
 *
 * To measure growth, Gyre also indexes the first `--growth` documents alone, and then a corpus of ten times
 * as many, made of noisy copies of these. `--growth 0` leaves this out.
 *
 * Ratios are the figure of Gyre divided by the figure of Lucene. `indexRate` is the ratio of indexed documents
 * per second, and `indexRateOverFts5` the same ratio for FTS5; their bars are 4 and 1.5, and the memory for
 * indexing must be at most 512 MB. `growthOr` is the mean time of OR queries in the larger corpus of the growth
 * measurement, divided by the mean time in the smaller corpus. Memory is the peak of the process.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { luceneJars } from '../lucene/lucene.ts';
import { type BenchRow, report } from '../report.ts';
import { mean, quantile } from '../statistics.ts';
import { readCorpus } from './read-corpus.ts';

interface IndexFigures {
  docs: number;
  seconds: number;
  bytes: number;
  peakBytes?: number;
}

type SearchTimes = Record<'or' | 'and' | 'phrase', number[]> & {
  orCounted?: number[];
  peakBytes?: number;
};

interface Figures {
  index: IndexFigures;
  times: SearchTimes;
}

const HERE = import.meta.dirname;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/**
 * The number of documents for MiniSearch. It is small, because MiniSearch keeps them as objects in memory.
 */
const SUBSET = 5000;

function main(): void {
  const { values } = parseArgs({
    options: {
      corpus: { type: 'string' },
      queries: { type: 'string' },
      docs: { type: 'string', default: '100000' },
      work: { type: 'string' },
      growth: { type: 'string', default: '5000' },
      json: { type: 'boolean', default: false },
    },
  });
  const work = values.work ?? mkdtempSync(join(tmpdir(), 'gyre-bench-'));
  const corpus = values.corpus ?? join(work, 'corpus.jsonl');
  const queries = values.queries ?? join(work, 'queries.txt');
  if (!existsSync(corpus)) ours('corpus.ts', '--out', corpus, '--docs', values.docs);
  if (!existsSync(queries)) ours('queries.ts', '--corpus', corpus, '--out', queries);
  const gyre = measure((...args) => ours('gyre.ts', ...args), corpus, queries, join(work, 'gyre'));
  const jars = luceneJars(['core', 'analyzers-common']);
  const lucene = jars && measure((...args) => java(jars, ...args), corpus, queries, join(work, 'lucene'));
  const fts5 = measure((...args) => ours('fts5.ts', ...args), corpus, queries, join(work, 'fts5'));
  const minisearch = measureMiniSearch(corpus, queries, work);
  const growth = Number(values.growth) > 0 ? measureGrowth(corpus, queries, work, Number(values.growth)) : [];
  const rows = [
    rowOf('gyre', gyre),
    ...(lucene ? [rowOf('lucene 8', lucene)] : []),
    rowOf('sqlite fts5', fts5),
    ...(minisearch ? [rowOf(`minisearch, ${SUBSET} docs`, minisearch)] : []),
    ...growth.map((figures) => rowOf(`gyre, ${figures.index.docs} docs`, figures)),
  ];
  const [small, large] = growth;
  const grown = small && large ? { growthOr: mean(large.times.or) / mean(small.times.or) } : {};
  const overFts5 = { indexRateOverFts5: rateOf(gyre.index) / rateOf(fts5.index) };
  report(rows, { ...(lucene ? ratiosOf(gyre, lucene) : {}), ...overFts5, ...grown }, values.json);
  if (!values.work) rmSync(work, { recursive: true, force: true });
}

function measureMiniSearch(corpus: string, queries: string, work: string): Figures | null {
  if (!existsSync(join(HERE, '..', 'node_modules', 'minisearch'))) {
    console.error('minisearch is not installed (npm ci --prefix bench): its row is left out');
    return null;
  }
  const subset = join(work, 'subset.jsonl');
  writeFirst(corpus, subset, SUBSET);
  return measure((...args) => ours('minisearch.ts', ...args), subset, queries, join(work, 'minisearch'));
}

/** Measures Gyre with `docs` documents, and with ten times as many. */
function measureGrowth(corpus: string, queries: string, work: string, docs: number): Figures[] {
  const small = join(work, 'small.jsonl');
  const large = join(work, 'large.jsonl');
  writeFirst(corpus, small, docs);
  ours('replicate.ts', '--corpus', small, '--out', large);
  return [small, large].map((file) =>
    measure((...args) => ours('gyre.ts', ...args), file, queries, join(work, 'growth')),
  );
}

function writeFirst(corpus: string, file: string, count: number): void {
  const lines: string[] = [];
  for (const document of readCorpus(corpus)) {
    if (lines.push(JSON.stringify(document)) === count) break;
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
}

function measure(
  run: (...args: string[]) => string,
  corpus: string,
  queries: string,
  directory: string,
): Figures {
  rmSync(directory, { recursive: true, force: true });
  const index = JSON.parse(run('index', corpus, directory)) as IndexFigures;
  const times = JSON.parse(run('search', queries, directory)) as SearchTimes;
  return { index, times };
}

/** Runs a script with the same Node options as bin/gyre. */
function ours(script: string, ...args: string[]): string {
  const options = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8'];
  return output(process.execPath, [...options, join(HERE, script), ...args]);
}

function java(jars: string, ...args: string[]): string {
  return output('java', ['-Xmx2g', '-cp', jars, join(HERE, 'lucene', 'LuceneBench.java'), ...args]);
}

/** Runs a program and returns the last line that it prints. */
function output(program: string, args: string[]): string {
  const text = execFileSync(program, args, { maxBuffer: MAX_OUTPUT_BYTES, encoding: 'utf8' });
  return text.trimEnd().split('\n').at(-1) ?? '';
}

function rowOf(name: string, { index, times }: Figures): BenchRow {
  const row: BenchRow = {
    name,
    'docs/s': index.docs / index.seconds,
    'index MB': index.bytes / 1e6,
    'index RSS MB': index.peakBytes === undefined ? null : index.peakBytes / 1e6,
  };
  for (const mode of ['or', 'and', 'phrase'] as const) {
    row[`${mode} ms`] = mean(times[mode]);
    row[`${mode} p95`] = quantile(times[mode], 0.95);
    row[`${mode} p99`] = quantile(times[mode], 0.99);
  }
  row['or counted ms'] = times.orCounted ? mean(times.orCounted) : null;
  row['search RSS MB'] = times.peakBytes === undefined ? null : times.peakBytes / 1e6;
  return row;
}

function rateOf({ docs, seconds }: IndexFigures): number {
  return docs / seconds;
}

function ratiosOf(gyre: Figures, lucene: Figures): Record<string, number> {
  return {
    indexRate: rateOf(gyre.index) / rateOf(lucene.index),
    indexSize: gyre.index.bytes / lucene.index.bytes,
    orMean: mean(gyre.times.or) / mean(lucene.times.or),
    orP99: quantile(gyre.times.or, 0.99) / quantile(lucene.times.or, 0.99),
    andMean: mean(gyre.times.and) / mean(lucene.times.and),
    phraseMean: mean(gyre.times.phrase) / mean(lucene.times.phrase),
  };
}

main();
