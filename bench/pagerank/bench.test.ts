import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('the PageRank benchmark runs on small graphs and reports a ratio for every graph and thread count', () => {
  const main = join(import.meta.dirname, 'main.ts');
  const output = execFileSync(process.execPath, [main, '--tiny', '--rounds', '2', '--json'], {
    stdio: 'pipe',
  });
  const { rows, ratios } = JSON.parse(output.toString().trim().split('\n').at(-1)!) as {
    rows: { name: string }[];
    ratios: Record<string, number>;
  };
  assert.ok(rows.some(({ name }) => name === 'gyre build'));
  for (const graph of ['rmat10', 'rmat12', 'web0M'])
    for (const threads of ['1 thread', '2 threads']) assert.ok(ratios[`${graph} ${threads}`]! > 0, graph);
});
