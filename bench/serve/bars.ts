/** The bars of bench:serve: the required value of each, the measured value, and whether the bar is met. */
import type { BenchRow } from '../report.ts';

export interface Bar {
  bar: string;
  figure: number;
  isMet: boolean;
}

/** For each row, the required pages per second. Response times are measured at half of this rate. */
export const PAGES_A_SECOND: Readonly<Record<string, number>> = { 'cache off': 300, cached: 1000 };
/**
 * The maximum ratio of memory at the end of half load to memory in its middle. It is above 1 because caches may still
 * be filling.
 */
const FLAT = 1.05;
/**
 * The maximum ratio of memory after a thousand connections to memory before. It is higher than FLAT because connections
 * need buffers and sockets.
 */
const CROWD_FLAT = 1.25;

/** For each ratio of the comparison with Lucene, its bars. */
const RATIO_BARS: Readonly<Record<string, { most?: number; least?: number }>> = {
  meanOverLucene: { most: 1 },
  p99OverLucene: { most: 1 },
  pagesOverLucene: { least: 1 },
  firstOverMean: { most: 3 },
};

export function ratioBarsOf(ratios: Readonly<Record<string, number>>): Bar[] {
  return Object.entries(ratios).flatMap(([name, figure]) => {
    const { most, least } = RATIO_BARS[name] ?? {};
    if (most !== undefined) return { bar: `${name} ≤ ${most}`, figure, isMet: figure <= most };
    return least === undefined ? [] : { bar: `${name} ≥ ${least}`, figure, isMet: figure >= least };
  });
}

export function barsOf(rows: readonly BenchRow[]): Bar[] {
  return rows.flatMap((row) => {
    const of = (column: string) => Number(row[column]);
    const pages = PAGES_A_SECOND[row.name];
    const atLeast = (what: string, column: string, least: number): Bar => ({
      bar: `${row.name}: ${what} ≥ ${least}`,
      figure: of(column),
      isMet: of(column) >= least,
    });
    const atMost = (what: string, figure: number, most: number): Bar => ({
      bar: `${row.name}: ${what} ≤ ${most}`,
      figure,
      isMet: figure <= most,
    });
    return [
      ...(pages === undefined ? [] : [atLeast('pages a second', 'pages/s', pages)]),
      atMost('first byte p95 (ms)', of('first byte p95 ms'), 20),
      atMost(`p99 (ms) at ${Math.round(of('half load'))} pages a second`, of('half p99 ms'), 50),
      atMost('memory at the end of half load / in its middle', of('after half') / of('mid half'), FLAT),
      atMost(
        'memory after a thousand connections / before',
        of('after crowd') / of('after half'),
        CROWD_FLAT,
      ),
      ...(of('crowd 503/s') > 0 ? [atLeast('share of 503 with Retry-After', 'crowd retry', 1)] : []),
    ];
  });
}

/** Renders one line per bar. */
export function showBars(bars: readonly Bar[]): string {
  return bars
    .map(
      ({ bar, figure, isMet }) => `${isMet ? 'met   ' : 'MISSED'} ${bar}: ${Number(figure.toPrecision(4))}`,
    )
    .join('\n');
}
