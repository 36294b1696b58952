import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('both engines that need no installation index and search a small corpus', (t) => {
  const work = mkdtempSync(join(tmpdir(), 'gyre-bench-'));
  t.after(() => rmSync(work, { recursive: true, force: true }));
  const corpus = join(work, 'corpus.jsonl');
  const queries = join(work, 'queries.txt');
  const documents = Array.from({ length: 50 }, (_, n) => {
    const url = `http://a.example/${n}`;
    return JSON.stringify({ id: url, url, title: `Page ${n}`, body: `the quick brown fox number ${n}` });
  });
  writeFileSync(corpus, `${documents.join('\n')}\n`);
  run('queries.ts', '--corpus', corpus, '--out', queries);
  for (const harness of ['gyre.ts', 'fts5.ts']) {
    const directory = join(work, harness);
    const indexed = JSON.parse(run(harness, 'index', corpus, directory));
    assert.equal(indexed.docs, 50);
    assert.ok(indexed.bytes > 0 && indexed.seconds > 0);
    const { or, and, phrase } = JSON.parse(run(harness, 'search', queries, directory));
    assert.ok(or.length > 0 && and.length === or.length && phrase.length === or.length);
  }
});

test('the dictionary is measured', () => {
  const last = run('dictionary.bench.ts', '--terms', '5000', '--json').trimEnd().split('\n').at(-1)!;
  const [row] = JSON.parse(last).rows;
  assert.equal(row.name, '5000 terms');
  assert.ok(row['MB on disk'] > 0 && row['look-up µs'] > 0);
});

function run(script: string, ...args: string[]): string {
  const options = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, script), ...args];
  return execFileSync(process.execPath, options, { encoding: 'utf8' });
}
