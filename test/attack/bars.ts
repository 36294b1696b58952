/** Defines the limits (bars) that every attack must stay within, and renders the table of attacks. */
import type { CrawlReport } from './crawl-witness.ts';
import type { ServeReport } from './search-witness.ts';

export const BARS = {
  /** The minimum crawl rate of the honest host during an attack, as a share of its rate without an attack. */
  rateRatio: 0.8,
  /**
   * The maximum 99th percentile of the response times of the probe, divided by the 99th percentile without an
   * attack.
   */
  p99Ratio: 3,
  /** The maximum share of searches of the probe that are refused. */
  refusedShare: 0.01,
  /** The maximum ratio of peak memory to peak memory without an attack. */
  memoryRatio: 1.3,
  /** The maximum time in seconds from SIGINT to the end of the program. */
  interruptSeconds: 3,
} as const;

/** A row of the table. A value is null if it was not measured. */
export interface Row {
  attack: string;
  rateRatio: number | null;
  p99Ratio: number | null;
  refusedShare: number | null;
  hung: number | null;
  memoryRatio: number | null;
  interruptSeconds: number | null;
  /** The measured numbers, for people to read. */
  detail: string;
  /** A sentence for each bar that was missed. */
  missed: string[];
}

/** Compares a crawl beside an attack with the bars. `memoryMb` is the peak memory without an attack. */
export function judgeCrawl(
  attack: string,
  report: CrawlReport,
  alone: { honestRate: number; memoryMb: number | null },
): Row {
  const { honestRate, hostileRate, peakMb, interruptSeconds, endedWith } = report;
  const row = {
    attack,
    rateRatio: honestRate / alone.honestRate,
    p99Ratio: null,
    refusedShare: null,
    hung: null,
    memoryRatio: ratio(peakMb, alone.memoryMb),
    interruptSeconds,
    detail: `${honestRate.toFixed(1)} honest and ${hostileRate.toFixed(1)} hostile pages/s, ${megabytes(peakMb)}`,
  };
  return { ...row, missed: [...missedBars(row), ...endings(endedWith, interruptSeconds)] };
}

export function judgeServe(attack: string, report: ServeReport, memoryMb: number | null): Row {
  const { alone, attacked, peakMb, interruptSeconds, endedWith, wrong } = report;
  const row = {
    attack,
    rateRatio: null,
    p99Ratio: attacked.p99Ms / alone.p99Ms,
    refusedShare: attacked.refused / attacked.sent,
    hung: attacked.hung,
    memoryRatio: ratio(peakMb, memoryMb),
    interruptSeconds,
    detail: `p99 ${Math.round(alone.p99Ms)} then ${Math.round(attacked.p99Ms)} ms, ${megabytes(peakMb)}`,
  };
  return { ...row, missed: [...missedBars(row), ...endings(endedWith, interruptSeconds), ...wrong] };
}

function missedBars(row: Omit<Row, 'missed' | 'detail'>): string[] {
  const { rateRatio, p99Ratio, refusedShare, hung, memoryRatio, interruptSeconds } = row;
  const missed: string[] = [];
  const expect = (isMet: boolean, sentence: string) => void (isMet || missed.push(sentence));
  expect((rateRatio ?? 1) >= BARS.rateRatio, `expected an honest rate of ${BARS.rateRatio} or more`);
  expect((p99Ratio ?? 0) <= BARS.p99Ratio, `expected a p99 ratio of ${BARS.p99Ratio} or less`);
  expect((refusedShare ?? 0) <= BARS.refusedShare, 'expected at most 1 % of the searches to be refused');
  expect((hung ?? 0) === 0, 'expected every search to be answered');
  expect((memoryRatio ?? 1) <= BARS.memoryRatio, `expected a memory ratio of ${BARS.memoryRatio} or less`);
  const { interruptSeconds: limit } = BARS;
  expect((interruptSeconds ?? 0) <= limit, `expected the program to end within ${limit} s of SIGINT`);
  return missed;
}

/**
 * Returns problems with the end of a crawl. A crawl may end by itself when its frontier is empty; this is not
 * a problem.
 */
function endings(endedWith: number | null, interruptSeconds: number | null): string[] {
  if (interruptSeconds !== null || endedWith === 0) return [];
  return [`the program ended by itself, with ${endedWith ?? 'a signal'}`];
}

function ratio(value: number | null, base: number | null): number | null {
  return value === null || base === null ? null : value / base;
}

function megabytes(value: number | null): string {
  return value === null ? 'memory unknown' : `${Math.round(value)} MB`;
}

/** Renders the table: one line for each attack, then one for each bar that was missed. */
export function tableOf(rows: readonly Row[]): string {
  const head = ['attack', 'rate', 'p99', 'refused', 'hung', 'memory', 'SIGINT s', '', 'detail'];
  const cells = rows.map((row) => [
    row.attack,
    figure(row.rateRatio),
    figure(row.p99Ratio),
    row.refusedShare === null ? '-' : `${(100 * row.refusedShare).toFixed(1)} %`,
    row.hung === null ? '-' : String(row.hung),
    figure(row.memoryRatio),
    figure(row.interruptSeconds),
    row.missed.length === 0 ? 'pass' : 'FAIL',
    row.detail,
  ]);
  const lines = [head, ['bar', '>= 0.8', '<= 3', '<= 1 %', '0', '<= 1.3', '<= 3', '', ''], ...cells];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const text = lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
  const missed = rows.flatMap(({ attack, missed }) => missed.map((sentence) => `${attack}: ${sentence}`));
  return [...text, ...(missed.length > 0 ? [''] : []), ...missed].join('\n');
}

function figure(value: number | null): string {
  if (value === null) return '-';
  return Number.isFinite(value) ? value.toFixed(2) : 'never';
}
