/**
 * Defines the sections of docs/benchmarks.md: a text about each benchmark, and the tables and charts that show
 * its figures.
 */
import type { BenchRow } from '../report.ts';
import { drawBars, drawLines } from './chart.ts';
import { cluster } from './cluster-section.ts';
import type { Output } from './raw-data.ts';

/** Rows and the columns to show, with their headings. */
export interface ShownTable {
  rows: readonly BenchRow[];
  columns: Readonly<Record<string, string>>;
}

export interface Section {
  /** The name of the raw data and of the option `--only`. */
  name: string;
  title: string;
  about: string;
  tables(output: Output): ShownTable[];
  /**
   * Returns the charts of the section. The key is the name of the SVG file without extension; `alt` describes
   * the chart for readers who do not see it.
   */
  charts(output: Output): Record<string, { alt: string; svg: string }>;
}

const figure = (row: BenchRow, column: string) => {
  const value = row[column];
  return typeof value === 'number' ? value : null;
};

const names = (rows: readonly BenchRow[]) => rows.map(({ name }) => name);

const serve: Section = {
  name: 'serve',
  title: 'Whole queries over HTTP, beside Lucene',
  about: `Both servers search the same crawled pages and return ten results with URL, title and snippet as JSON. Lucene 8 runs behind the
JDK's HTTP server: BM25 over title and text, stored fields, and snippets of the UnifiedHighlighter, with offsets in the postings.
Lucene's highlighter has its default settings and reads the first 10,000 characters of a page; Gyre reads all of it, corrects spelling, joins
similar pages and ranks with links as well. Gyre's response cache is off. Each query is sent once, one at a time, after the same warm-up; the
servers take turns, and the one that is not measured is stopped. *cpu* is the processor time of the server per query, *pages/s* the rate with
both cores loaded, *first* the first query after a start (median of three starts), *ready* the time from the start until queries are accepted.

Ratios are Gyre's figure over Lucene's. \`firstOverMean\` is a server's first query over its own mean.`,
  tables: ({ rows, kinds = [] }) => [
    {
      rows,
      columns: {
        queries: 'queries',
        'mean ms': 'mean ms',
        'p50 ms': 'p50 ms',
        'p95 ms': 'p95 ms',
        'p99 ms': 'p99 ms',
        'cpu ms': 'cpu ms',
        'pages/s': 'pages/s',
        'first ms': 'first ms',
        'ready ms': 'ready ms',
        'rss MiB': 'memory MiB',
      },
    },
    {
      rows: kinds,
      columns: Object.fromEntries(
        [...new Set(kinds.flatMap(Object.keys))]
          .filter((column) => column !== 'name')
          .map((name) => [name, name]),
      ),
    },
  ],
  charts: ({ rows, kinds = [] }) => ({
    'query-times': {
      alt: 'Mean and quantiles of the time of a query',
      svg: drawBars({
        title: 'Time of a query over HTTP',
        unit: 'ms',
        series: names(rows),
        groups: ['mean', 'p50', 'p95', 'p99'].map((label) => ({
          label,
          values: rows.map((row) => figure(row, `${label} ms`)),
        })),
      }),
    },
    'query-kinds': {
      alt: 'Mean time of a query by the kind of its words',
      svg: drawBars({
        title: 'Mean time of a query by kind',
        unit: 'ms',
        series: names(rows),
        groups: kinds.map((kind) => ({
          label: kind.name,
          values: names(rows).map((name) => figure(kind, `${name} ms`)),
        })),
      }),
    },
  }),
};

const pipeline: Section = {
  name: 'pipeline',
  title: 'Crawl, index, rank and first query',
  about: `Real pages, HTML and PDF as they are, served on loopback without politeness delays. Each size is a crawl of its own. *serve* is the start of a
server until it has answered its first query. *cpu s/1000* is the processor time per 1,000 pages; a stage whose cost is proportional to the
number of pages has the same figure at every size, and its growth factor per page is 1. *build, N cores* indexes the smallest crawl again,
pinned to N processors.`,
  tables: ({ rows }) => [
    {
      rows: rows.filter(({ stage }) => stage !== 'disk'),
      columns: {
        seconds: 'seconds',
        'cpu s': 'cpu s',
        'cpu s/1000': 'cpu s/1000',
        'peak RSS MB': 'peak memory MB',
        'first query ms': 'first query ms',
      },
    },
    {
      rows: rows.filter(({ stage }) => stage === 'disk'),
      columns: {
        'disk MB': 'all MB',
        'disk KB/page': 'KB/page',
        'archive MB': 'archive MB',
        'journal MB': 'journal MB',
        'index MB': 'index MB',
        'graph MB': 'graph MB',
      },
    },
  ],
  charts: ({ rows }) => {
    const sizes = [...new Set(rows.map(({ pages }) => pages))];
    return {
      'pipeline-cost': {
        alt: 'Processor time per 1,000 pages by stage and size',
        svg: drawBars({
          title: 'Processor time by stage and size of the crawl',
          unit: 'CPU-s per 1,000 pages',
          series: sizes.map((pages) => `${pages} pages`),
          groups: ['crawl', 'build', 'rank'].map((stage) => ({
            label: stage,
            values: sizes.map((size) => {
              const row = rows.find((each) => each.pages === size && each.stage === stage);
              return row ? figure(row, 'cpu s/1000') : null;
            }),
          })),
        }),
      },
    };
  },
};

const crawl: Section = {
  name: 'crawl',
  title: 'Crawling',
  about: `*gyre*, *wget2* and *crawlee* crawl the same synthetic web, without politeness delays; Gyre also archives, journals and detects duplicates. The
rows for real pages show what real HTML costs, and whether PDF files slow HTML down: *HTML/s* counts HTML pages until nine tenths of them
have been fetched. The rows with requests in flight crawl a web that answers after 20 ms; those for the DNS cache resolve every name in
20 ms, four at a time. Connections are kept, so even without the cache a name is looked up only for a new connection.

\`realCpuPerMBOverSynthetic\` is the processor time per MB of real HTML over that of the synthetic web, \`htmlRateWithPdf\` the rate of HTML pages
with PDF files over that without.`,
  tables: ({ rows }) => [
    {
      rows,
      columns: {
        pages: 'pages',
        pdfs: 'PDFs',
        pagesPerSecond: 'pages/s',
        htmlPerSecond: 'HTML/s',
        cpuSecondsPer1000: 'cpu s/1000',
        cpuSecondsPerMB: 'cpu s/MB',
        peakRssMB: 'peak memory MB',
        lookups: 'look-ups',
      },
    },
  ],
  charts: ({ rows }) => {
    const inFlight = rows.filter(({ name }) => name.endsWith('in flight'));
    const others = rows.filter(({ name }) => ['gyre', 'wget2', 'crawlee'].includes(name));
    return {
      ...(others.length > 0 && {
        'crawl-cpu': {
          alt: 'Processor time per 1,000 pages of the synthetic web',
          svg: drawBars({
            title: 'Processor time of a crawl of the synthetic web',
            unit: 'CPU-s per 1,000 pages',
            series: ['per 1,000 pages'],
            groups: others.map((row) => ({ label: row.name, values: [figure(row, 'cpuSecondsPer1000')] })),
          }),
        },
      }),
      ...(inFlight.length > 0 && {
        'crawl-in-flight': {
          alt: 'Pages per second by requests in flight',
          svg: drawLines({
            title: 'Rate of a crawl by requests in flight',
            unit: 'pages/s',
            across: 'requests in flight',
            series: [
              {
                name: 'responses after 20 ms',
                points: inFlight.map((row) => [
                  Number.parseInt(row.name, 10),
                  figure(row, 'pagesPerSecond')!,
                ]),
              },
            ],
          }),
        },
      }),
    };
  },
};

const engine: Section = {
  name: 'engine',
  title: 'The index engine alone',
  about: `Indexing and the first stage of a query, on one thread, without HTTP, snippets or the second stage. *docs/s* is by processor time. *or*, *and* and
*phrase* are mean times from the text of a query to the ten best documents. Ratios are Gyre's figure over Lucene's; \`indexRate\` is higher
if Gyre is faster, the others are lower.`,
  tables: ({ rows }) => [
    {
      rows,
      columns: {
        'docs/s': 'docs/s',
        'index MB': 'index MB',
        'index RSS MB': 'peak memory MB',
        'or ms': 'or ms',
        'or p99': 'or p99',
        'and ms': 'and ms',
        'phrase ms': 'phrase ms',
      },
    },
  ],
  charts: ({ rows }) => ({
    'index-rate': {
      alt: 'Documents indexed per CPU-second',
      svg: drawBars({
        title: 'Indexing',
        unit: 'documents/CPU-s',
        series: ['documents per CPU-second'],
        groups: rows.map((row) => ({ label: row.name, values: [figure(row, 'docs/s')] })),
      }),
    },
  }),
};

const ranks: Section = {
  name: 'ranks',
  title: 'Ranks by number of iterations',
  about: `PageRank over the links of the crawled pages. *distance* is the sum of all differences from the fixed point, of ranks that sum to 1; *top 100
overlap* is the share of the hundred best pages that are among the hundred best of the fixed point.`,
  tables: ({ rows }) => [
    {
      rows,
      columns: { edges: 'links', distance: 'distance', 'top 100 overlap': 'top 100 overlap' },
    },
  ],
  charts: ({ rows }) => ({
    ranks: {
      alt: 'Distance of ranks from the fixed point by iteration',
      svg: drawLines({
        title: 'Distance of the ranks from their fixed point',
        unit: 'sum of differences',
        across: 'iterations',
        isLogarithmic: true,
        series: [
          {
            name: 'distance',
            points: rows.map((row) => [figure(row, 'iterations')!, figure(row, 'distance')!]),
          },
        ],
      }),
    },
  }),
};

export const SECTIONS: readonly Section[] = [serve, pipeline, crawl, engine, ranks, cluster];
