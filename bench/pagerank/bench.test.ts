import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BenchRow } from '../report.ts';

test('the PageRank benchmark runs on small graphs and reports a ratio for every graph and thread count', () => {
  const main = join(import.meta.dirname, 'main.ts');
  const output = execFileSync(process.execPath, [main, '--tiny', '--rounds', '2', '--json'], {
    stdio: 'pipe',
  });
  const { rows, ratios } = JSON.parse(output.toString().trim().split('\n').at(-1)!) as {
    rows: BenchRow[];
    ratios: Record<string, number>;
  };
  for (const name of ['gyre build', 'gyre rank, whole journal', 'one file more'])
    assert.ok(
      rows.some((row) => row.name === name),
      name,
    );
  for (const graph of ['rmat10', 'rmat12', 'web0M'])
    for (const bar of [' 1 thread', ' 2 threads', ': bytes per edge of 6'])
      assert.ok(ratios[`${graph}${bar}`]! > 0, `${graph}${bar}`);
  const converging = rows.filter(({ name }) => name.startsWith('ranks after '));
  assert.deepEqual(
    converging.map(({ iterations }) => iterations),
    [1, 5, 10, 15, 20],
  );
  const distances = converging.map(({ distance }) => Number(distance));
  assert.deepEqual(
    distances,
    distances.toSorted((a, b) => b - a),
  );
  assert.ok(Number(converging.at(-1)!['top 100 overlap']) > 0.9);
  for (const bar of [
    'build: seconds of 15',
    'build: MB of 300',
    'graphology',
    'one file more, of the whole journal',
  ])
    assert.ok(ratios[bar]! > 0, bar);
});
