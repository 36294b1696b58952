/**
 * Measures the cost of a suggestion among a million phrases: for prefixes of phrases, from the first letter
 * on, and for prefixes with a simulated typing error after the first letter. Phrases of two to six words are
 * generated from a seed; half of them have a URL. They are divided among segments, as in an index of
 * 100,000 pages.
 *
 *   npm run bench:suggest -- [--phrases 1000000] [--segments 12] [--asked 10000] [--seed 1] [--json]
 *
 * The bar: 99 of 100 suggestions take less than 5 ms.
 */
import { parseArgs } from 'node:util';
import { type BenchRow, report } from '../report.ts';
import { measureSuggestions, type SuggestFigures } from './measure.ts';

const { values } = parseArgs({
  options: {
    phrases: { type: 'string', default: '1000000' },
    segments: { type: 'string', default: '12' },
    asked: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

const [phrases, asked, seed, segments] = [values.phrases, values.asked, values.seed, values.segments].map(
  Number,
);
const figures = measureSuggestions(phrases!, asked!, seed!, segments!);
const rows = (['as written', 'with an error'] as const).map((kind) => rowOf(kind, figures));
report(
  rows,
  {
    'tables in MiB': figures.sizeBytes / 2 ** 20,
    'milliseconds to open them': figures.loadMs,
    'greatest p99 in milliseconds (less than 5)': Math.max(...rows.map(({ p99Ms }) => Number(p99Ms))),
  },
  values.json,
);

function rowOf(name: 'as written' | 'with an error', { times, answered, phrases }: SuggestFigures): BenchRow {
  const sorted = times[name].toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!;
  const answeredShare = answered[name] / sorted.length;
  return {
    name,
    phrases,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    maxMs: sorted.at(-1)!,
    answeredShare,
  };
}
