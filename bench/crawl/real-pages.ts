/**
 * Measures crawls of real pages, once HTML alone and once HTML with PDF files, in addition to the synthetic
 * web.
 *
 * The same web is crawled twice, first with a rule that ignores PDF files. `htmlPerSecond` is the rate of HTML
 * pages from the first response of the crawl until HTML_SHARE of all of them were fetched. The last pages are
 * not counted, because most of them are on the largest host, which gets one request at a time.
 */
import { join } from 'node:path';
import { type RealWeb, writeWebConfig } from '../real-web.ts';
import type { BenchRow } from '../report.ts';
import { quantile } from '../statistics.ts';
import { type CrawlRun, readCrawlLog, runCrawl } from './gyre-crawl.ts';

const HTML_SHARE = 0.9;
const IGNORE_PDF = [{ verb: 'ignore', extension: 'pdf' }];

export async function realRows(web: RealWeb, scratch: string, maxPages: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [name, rules] of [
    ['real HTML', IGNORE_PDF],
    ['real HTML and PDF', []],
  ] as const) {
    const config = writeWebConfig(web, join(scratch, 'real.json'), { rules, icons: 'off' });
    const data = join(scratch, name.replaceAll(' ', '-'));
    const args = ['--max-pages', String(maxPages)];
    const run = await runCrawl({ data, config, seeds: web.seeds, args });
    rows.push(crawlRow(name, run, data));
  }
  return rows;
}

export function crawlRow(name: string, { cost, pages, bytes }: CrawlRun, data: string): BenchRow {
  return {
    name,
    pages,
    pagesPerSecond: pages / cost.seconds,
    cpuSecondsPer1000: (cost.cpuSeconds / pages) * 1000,
    peakRssMB: cost.peakRssMB,
    MB: bytes / 1e6,
    cpuSecondsPerMB: cost.cpuSeconds / (bytes / 1e6),
    ...responsesByType(data),
  };
}

/** Reads the log of the crawl: the number of PDF files, and the rate of HTML pages. */
function responsesByType(data: string): { pdfs: number; htmlPerSecond: number } {
  const responses = readCrawlLog(data);
  const pages = responses.filter(({ reason }) => reason === 'page');
  const isPdf = ({ url }: { url: string }) => new URL(url).pathname.endsWith('.pdf');
  const start = Math.min(...responses.map(({ time }) => Date.parse(time)));
  const html = pages.filter((page) => !isPdf(page)).map(({ time }) => Date.parse(time) - start);
  const seconds = quantile(html, HTML_SHARE) / 1000;
  return { pdfs: pages.filter(isPdf).length, htmlPerSecond: (HTML_SHARE * html.length) / seconds };
}

/**
 * Returns two ratios: the CPU time per MB of real HTML divided by the CPU time per MB of synthetic HTML, and
 * the rate of HTML pages with PDF files divided by the rate without PDF files.
 */
export function realRatios(rows: readonly BenchRow[]): Record<string, number> {
  const figure = (name: string, column: string) => Number(rows.find((row) => row.name === name)?.[column]);
  const ratios = {
    realCpuPerMBOverSynthetic: figure('real HTML', 'cpuSecondsPerMB') / figure('gyre', 'cpuSecondsPerMB'),
    htmlRateWithPdf: figure('real HTML and PDF', 'htmlPerSecond') / figure('real HTML', 'htmlPerSecond'),
  };
  return Object.fromEntries(Object.entries(ratios).filter(([, value]) => Number.isFinite(value)));
}
