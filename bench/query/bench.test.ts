import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('every kind of query is measured on a little corpus', (t) => {
  const work = mkdtempSync(join(tmpdir(), 'gyre-bench-'));
  t.after(() => rmSync(work, { recursive: true, force: true }));
  const corpus = join(work, 'corpus.jsonl');
  const documents = Array.from({ length: 60 }, (_, n) => {
    const url = `http://${n % 3}.docs.example/${n}`;
    return JSON.stringify({
      id: url,
      url,
      title: `The page ${n}`,
      body: `the quick brown fox of number ${n}`,
    });
  });
  writeFileSync(corpus, `${documents.join('\n')}\n`);
  const options = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts')];
  const args = ['--corpus', corpus, '--work', work, '--queries', '5', '--json'];
  const output = execFileSync(process.execPath, [...options, ...args], { encoding: 'utf8' });
  const { rows, ratios } = JSON.parse(output.trimEnd().split('\n').at(-1)!);
  assert.equal(rows.length, 10);
  assert.ok(rows.every((row: Record<string, number>) => row['page ms']! > 0));
  assert.deepEqual(Object.keys(ratios), [
    'secondCpu',
    'secondP95',
    'cacheP99',
    'deepPage',
    'termsCpu',
    'firstStageCpu',
    'featuresCpu',
    'expansionCpu',
    'detailsCpu',
    'gatewayCpu',
  ]);
});
