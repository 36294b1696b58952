/** The charts of the dashboard. Each shows the last ten minutes of one or two figures that `/metrics` has too. */
import type { LiveSample } from '../mod.ts';
import { Chart, type ChartSeries } from './chart.tsx';
import { bytesText, countText, millisecondsText, rateText } from './texts.ts';

/** Rates are averages over this number of samples, one per second. */
const SMOOTHING = 5;

interface ChartPlan {
  title: string;
  write(value: number): string;
  isBytes?: boolean;
  series(samples: readonly LiveSample[], limitBytes: number): ChartSeries[];
}

const PLANS: readonly ChartPlan[] = [
  {
    title: 'Crawl rate',
    write: rateText,
    series: (samples) => [
      {
        name: 'pages/s',
        colour: '--series-1',
        fill: '--fill-1',
        values: ratesOf(samples, ({ pages }) => pages),
      },
      { name: 'errors/s', colour: '--series-2', values: ratesOf(samples, ({ errors }) => errors) },
    ],
  },
  {
    title: 'Received',
    write: (value) => `${bytesText(value)}/s`,
    isBytes: true,
    series: (samples) => [
      {
        name: 'bytes',
        colour: '--series-1',
        fill: '--fill-1',
        values: ratesOf(samples, ({ bytes }) => bytes),
      },
    ],
  },
  {
    title: 'Queue and index',
    write: countText,
    series: (samples) => [
      { name: 'queued URLs', colour: '--series-3', values: samples.map(({ queued }) => queued) },
      { name: 'documents', colour: '--series-1', values: samples.map(({ docs }) => docs) },
    ],
  },
  {
    title: 'Search rate',
    write: rateText,
    series: (samples) => [
      {
        name: 'searches/s',
        colour: '--series-2',
        fill: '--fill-2',
        values: ratesOf(samples, ({ searches }) => searches),
      },
    ],
  },
  {
    title: 'Search time, last minute',
    write: millisecondsText,
    series: (samples) => [
      { name: 'median', colour: '--series-1', values: samples.map(({ medianMs }) => medianMs) },
      { name: '95 %', colour: '--series-2', values: samples.map(({ p95Ms }) => p95Ms) },
    ],
  },
  {
    title: 'Memory',
    write: bytesText,
    isBytes: true,
    series: (samples, limitBytes) => [
      {
        name: 'used',
        colour: '--series-1',
        fill: '--fill-1',
        values: samples.map(({ usedBytes }) => usedBytes),
      },
      { name: 'limit', colour: '--bad', isDashed: true, values: samples.map(() => limitBytes) },
    ],
  },
];

export function Charts({ samples, limitBytes }: { samples: readonly LiveSample[]; limitBytes: number }) {
  const times = samples.map(({ at }) => at / 1000);
  return PLANS.map(({ title, write, isBytes = false, series }) => (
    <Chart
      key={title}
      title={title}
      write={write}
      isBytes={isBytes}
      times={times}
      series={series(samples, limitBytes)}
    />
  ));
}

/** Returns the growth of a counter per second. A counter that starts again at 0 did not grow. */
export function ratesOf(
  samples: readonly LiveSample[],
  counter: (sample: LiveSample) => number,
): (number | null)[] {
  return samples.map((sample, at) => {
    const before = samples[Math.max(0, at - SMOOTHING)]!;
    const seconds = (sample.at - before.at) / 1000;
    return seconds <= 0 ? null : Math.max(0, counter(sample) - counter(before)) / seconds;
  });
}
