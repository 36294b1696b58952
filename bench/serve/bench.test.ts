import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../test/helpers/gyre.ts';
import { luceneJars } from '../lucene/lucene.ts';
import type { BenchRow } from '../report.ts';
import type { Bar } from './bars.ts';

test('a little load is answered, measured and reported', () => {
  const { rows, bars } = runBench('--docs', '300', '--seconds', '1');
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['cache off', 'cache on', 'cached'],
  );
  const isBarOf = (what: string) => bars.some(({ bar }) => bar.startsWith(what));
  assert.ok(isBarOf('cache off: pages a second') && isBarOf('cached: pages a second'));
  for (const name of ['cache off', 'cached'])
    for (const what of ['first byte p95', 'p99 (ms) at', 'memory at the end', 'memory after a thousand'])
      assert.ok(isBarOf(`${name}: ${what}`), what);
  for (const row of rows) {
    assert.ok(Number(row['pages/s']) > 1);
    assert.ok(Number(row['first byte p95 ms']) > 0);
    assert.ok(Number(row['half p99 ms']) > 0);
    assert.ok(Number(row['rss MiB']) > 1);
  }
});

test('queries over a data directory are measured, and beside Lucene where it is installed', (context) => {
  const work = temporaryDirectory(context);
  const [pages, data] = [join(work, 'pages.jsonl'), join(work, 'data')];
  const lines = Array.from({ length: 40 }, (_, n) =>
    JSON.stringify({
      url: `http://docs.example/${n}`,
      title: `Chapter ${n} about gardens`,
      text: `Section ${n} explains how roses are pruned in the month ${n % 12} of a year with eight good words.`,
    }),
  );
  writeFileSync(pages, `${lines.join('\n')}\n`);
  const gyre = join(import.meta.dirname, '..', '..', 'bin', 'gyre');
  for (const args of [['import', pages], ['build']])
    execFileSync(process.execPath, [gyre, ...args, '--data', data], { stdio: 'ignore' });
  const { rows, kinds, ratios, bars } = runBench(
    ...['--data', data, '--count', '6', '--seconds', '1', '--starts', '1'],
  );
  const hasLucene = luceneJars() !== null;
  assert.deepEqual(
    rows.map(({ name }) => name),
    hasLucene ? ['gyre', 'lucene 8'] : ['gyre'],
  );
  for (const row of rows) {
    assert.equal(row.queries, 6);
    assert.equal(row.results, 10);
    for (const column of ['first ms', 'mean ms', 'p50 ms', 'p99 ms', 'cpu ms', 'pages/s'])
      assert.ok(Number(row[column]) > 0, column);
  }
  assert.ok(
    kinds!.some(({ name }) => name === 'digits') && kinds!.some(({ name }) => name === 'common words'),
  );
  assert.ok(ratios.firstOverMean! > 0);
  assert.equal(ratios.meanOverLucene !== undefined, hasLucene);
  assert.equal(bars.length, hasLucene ? 4 : 1);
});

interface Output {
  rows: BenchRow[];
  kinds?: BenchRow[];
  ratios: Record<string, number>;
  bars: Bar[];
}

function runBench(...options: string[]): Output {
  const script = join(import.meta.dirname, 'main.ts');
  const args = ['--disable-warning=ExperimentalWarning', script, ...options, '--json'];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
  return JSON.parse(output.trimEnd().split('\n').at(-1)!) as Output;
}
