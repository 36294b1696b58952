/** The section of docs/benchmarks.md about crawl nodes. */
import type { BenchRow } from '../report.ts';
import { drawLines } from './chart.ts';
import type { Output } from './raw-data.ts';

const RATE = 'pages/s';

export const cluster = {
  name: 'cluster',
  title: 'Crawl nodes of a cluster',
  about: `*rate* is the rate of several crawl nodes over a synthetic web that answers after 400 ms. Each node has four requests in flight, so a node waits most of
the time, as in a polite crawl, and can fetch ten pages per second at most. All nodes, the three services and the web share the processors of one machine, so
the rates of many nodes show these processors rather than the coordination; eight nodes with the services need more than two. *cost* is the processor time of a crawl node per page, and that of
\`gyre crawl\`, over the same pages in turns, without politeness delays; the services are not counted.

\`rateN\` is the rate of N nodes over that of one; the aim is 3.5 for four nodes. \`cpuOverEmbedded\` is the processor time of a node over that of \`gyre crawl\`; the
aim is at most 1.3.`,
  tables: ({ rows }: Output) => [
    {
      rows: rows.filter(({ nodes }) => nodes !== undefined),
      columns: { [RATE]: 'pages/s', 'of the bound': 'share of the highest possible rate' },
    },
    {
      rows: rows.filter(({ nodes }) => nodes === undefined),
      columns: { pages: 'pages', 'cpu ms/page': 'cpu ms/page' },
    },
  ],
  charts: ({ rows }: Output) => {
    const points = rows.flatMap((row: BenchRow): [number, number][] =>
      typeof row.nodes === 'number' ? [[row.nodes, Number(row[RATE])]] : [],
    );
    return {
      'cluster-rate': {
        alt: 'Pages per second by the number of crawl nodes',
        svg: drawLines({
          title: 'Rate of a crawl by its nodes',
          unit: 'pages/s',
          across: 'nodes',
          series: [{ name: 'four requests in flight per node', points }],
        }),
      },
    };
  },
};
