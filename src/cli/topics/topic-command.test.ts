import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gyre } from '../../../test/helpers/gyre.ts';

test('gyre topic trains, lists and tests topics', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'gyre-topic-'));
  t.after(() => rmSync(data, { recursive: true }));
  const topic = (...args: string[]) => gyre(['topic', ...args, '--data', data]);
  assert.match((await topic('list')).stdout, /no topic yet/);
  const trained = await topic('train', 'sailing', '--words', 'keel', 'mast');
  assert.equal(trained.stdout.trim(), 'sailing: the words keel, mast');

  const file = join(data, 'page.html');
  writeFileSync(file, '<!doctype html><title>Boats</title><p>A mast stands on the keel.</p>');
  const tested = await topic('test', 'sailing', file, '--json');
  assert.ok(JSON.parse(tested.stdout).relevance > 0.5);

  const labelled = join(data, 'labelled.tsv');
  writeFileSync(labelled, 'yes\tdough\nno\tkeel\nperhaps\trudder\n');
  const bad = await topic('train', 'baking', '--labelled', labelled);
  assert.match(bad.stderr, /in line 3/);
  writeFileSync(labelled, 'yes\tdough\nno\tkeel\n');
  const few = await topic('train', 'baking', '--labelled', labelled);
  assert.match(few.stderr, /at least 5 texts that are on the topic, and has 1/);
  const lines = ['dough', 'oven', 'yeast', 'flour', 'crust'].map((word) => `yes\t${word}`);
  const others = ['keel', 'mast', 'rudder', 'tiller', 'jib'].map((word) => `no\t${word}`);
  writeFileSync(labelled, [...lines, ...others].join('\n'));
  assert.match((await topic('train', 'baking', '--labelled', labelled)).stdout, /5 texts on the topic/);
  assert.match((await topic('list')).stdout, /^baking: .*\nsailing: /);

  const missing = await topic('test', 'baking', 'https://example.org/');
  assert.match(missing.stderr, /not a page of this data directory/);
  assert.match((await topic('show', 'cooking')).stderr, /the topics are baking, sailing/);
});
