/** Tests bench:relevance on a collection of three documents. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('a small collection is indexed, measured by every profile, and compared with the yardstick', (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-relevance-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  const collection = join(directory, 'tiny');
  mkdirSync(collection);
  const documents = [
    { id: 'a', title: 'Frontier', text: 'Which address of the web is fetched next.' },
    { id: 'b', title: 'Gardens', text: 'Roses want sun.' },
    { id: '<c:1>', title: '', text: 'A crawler waits between requests to the same address.' },
  ];
  writeFileSync(join(collection, 'corpus.jsonl'), documents.map((one) => JSON.stringify(one)).join('\n'));
  writeFileSync(join(collection, 'queries.tsv'), '1\tfrontier\n2\tcrawler requests\n3\tnot judged\n');
  writeFileSync(join(collection, 'qrels.txt'), '1 0 a 1\n2 0 <c:1> 1\n');
  const main = join(import.meta.dirname, 'main.ts');
  const output = execFileSync(process.execPath, [main, '--collections', directory, '--json'], {
    encoding: 'utf8',
  });
  const { rows, ratios } = JSON.parse(output.trim().split('\n').at(-1)!);
  const own = rows.find(({ name }: { name: string }) => name === 'tiny: default');
  assert.equal(own['nDCG@10'], '1.0000');
  assert.equal(ratios.mapMean, 1);
  const profiles = rows.filter(({ name }: { name: string }) => name.startsWith('mean: '));
  assert.equal(profiles.length, 6);
});
