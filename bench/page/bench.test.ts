import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawBars, drawLines } from './chart.ts';
import { benchmarksPage } from './page.ts';
import type { Output, RawRun } from './raw-data.ts';
import { SECTIONS, type Section } from './sections.ts';

const MACHINE = {
  ...{ cpu: 'Processor', cores: 2, memoryGB: 8, system: 'Linux x64', node: 'v24.0.0', loadBefore: 0.1 },
};
const SERVED: Output = {
  rows: [
    { name: 'gyre', queries: 10, 'mean ms': 5.1234, 'p50 ms': 4, 'p95 ms': 9, 'p99 ms': 12 },
    { name: 'lucene 8', queries: 10, 'mean ms': 10, 'p50 ms': 8, 'p95 ms': 20, 'p99 ms': 30 },
  ],
  kinds: [{ name: '1 word', 'gyre ms': 2, 'lucene 8 ms': 4, ratio: 0.5 }],
  ratios: { meanOverLucene: 0.51234 },
};

function sectionNamed(name: string): Section {
  return SECTIONS.find((section) => section.name === name)!;
}

test('a section has the command, the machine, the tables, the ratios and the charts', () => {
  const run: RawRun = {
    ...{ command: 'npm run bench:serve', measuredOn: '2026-01-02', seconds: 61, machine: MACHINE },
    output: SERVED,
  };
  const page = benchmarksPage([{ section: sectionNamed('serve'), run }]);
  assert.match(page, /`npm run bench:serve`: 2026-01-02, 61 s; Processor, 2 cores, 8 GB/);
  assert.match(page, /\| gyre \| 10 \| 5.12 \| 4 \| 9 \| 12 \|/);
  assert.match(page, /\| 1 word \| 2 \| 4 \| 0.5 \|/);
  assert.match(page, /\| `meanOverLucene` \| 0.512 \|/);
  assert.match(page, /!\[[^\]]+\]\(benchmarks\/query-times\.svg\)/);
  assert.ok(!page.includes('pages/s |'), 'a column without values is left out');
  assert.ok(!page.includes('Other work'));
  const busy = { ...run, machine: { ...MACHINE, loadBefore: 3 } };
  assert.match(
    benchmarksPage([{ section: sectionNamed('serve'), run: busy }]),
    /Other work shared the processors \(load 3 /,
  );
});

test('the longest bar belongs to the largest value, and a missing value has no bar', () => {
  const chart = drawBars({
    ...{ title: 'a < b', unit: 'ms', series: ['ours', 'theirs'] },
    groups: [
      { label: 'mean', values: [1, 4] },
      { label: 'p99', values: [2, null] },
    ],
  });
  const widths = [...chart.matchAll(/<rect class="fill\d" x="170" y="[\d.]+" width="([\d.]+)" height="14"/g)];
  const [one, four, two, ...more] = widths.map(([, width]) => Number(width));
  assert.deepEqual([more.length, four! / one!, two! / one!].map(Math.round), [0, 4, 2]);
  assert.match(chart, /<title>a &lt; b<\/title>/);
  assert.match(chart, /prefers-color-scheme: dark/);
});

test('a logarithmic axis has equal distances for equal ratios', () => {
  const points = [
    [1, 100],
    [2, 10],
    [3, 1],
  ] as const;
  const chart = drawLines({
    ...{ title: 'ranks', unit: 'distance', across: 'iterations', isLogarithmic: true },
    series: [{ name: 'distance', points }],
  });
  const heights = [...chart.matchAll(/<circle [^>]*cy="([\d.]+)"/g)].map(([, y]) => Number(y));
  assert.equal(heights[1]! - heights[0]!, heights[2]! - heights[1]!);
  assert.ok(heights[0]! < heights[2]!);
});
