/** Tests how the relevance desk stores judged queries. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, openDirectory } from '../../base/mod.ts';
import { judgedIn } from './judged-run.ts';
import { addQueries, exportJudgements, importJudgements, judge, readJudgements } from './judgements.ts';

function temporaryRoot(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-judgements-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDirectory(path);
}

const fileOf = (root: Directory, name: string) => join(root.path, 'judgements', name);

test('a judgement adds its query to the list, and the last judgement of a result counts', (t) => {
  const root = temporaryRoot(t);
  assert.equal(addQueries(root, ['tides', ' rowing   boats ', 'tides']), 2);
  judge(root, 'rowing boats', 'https://a.test/', 1);
  judge(root, 'rowing boats', 'https://a.test/', 3);
  judge(root, 'keels', 'b/1', 0);
  const { topics, qrels } = readJudgements(root);
  assert.deepEqual(
    topics.map(({ id, text }) => `${id} ${text}`),
    ['1 tides', '2 rowing boats', '3 keels'],
  );
  assert.deepEqual(qrels.get('2'), new Map([['https://a.test/', 3]]));
  assert.equal(readFileSync(fileOf(root, 'qrels.txt'), 'utf8').split('\n').length, 4, 'lines are appended');
  assert.equal(exportJudgements(root).qrels, '2 0 https://a.test/ 3\n3 0 b/1 0\n');
  assert.deepEqual(
    judgedIn(root).topics.map(({ text }) => text),
    ['rowing boats', 'keels'],
  );
});

test('bad queries, documents and grades are refused', (t) => {
  const root = temporaryRoot(t);
  assert.throws(() => judge(root, '  ', 'a', 1), { code: 'bad-query' });
  assert.throws(() => judge(root, 'x'.repeat(201), 'a', 1), { code: 'bad-query' });
  assert.throws(() => judge(root, 'x', 'a b', 1), { code: 'bad-judgement' });
  for (const grade of [-1, 4, 1.5, Number.NaN])
    assert.throws(() => judge(root, 'x', 'a', grade), { code: 'bad-judgement' });
  assert.deepEqual(readJudgements(root).topics, []);
});

test('a line that a crash cut off is ignored and then removed', (t) => {
  const root = temporaryRoot(t);
  judge(root, 'tides', 'a', 2);
  appendFileSync(fileOf(root, 'qrels.txt'), '1 0 https://cut.te');
  assert.equal(readJudgements(root).qrels.get('1')!.size, 1);
  judge(root, 'tides', 'b', 1);
  assert.equal(readFileSync(fileOf(root, 'qrels.txt'), 'utf8'), '1 0 a 2\n1 0 b 1\n');
});

test('a query may have the tags of a TREC file, and judgements of repeated queries are joined', (t) => {
  const root = temporaryRoot(t);
  judge(root, 'html <top> tag', 'a', 1);
  judge(root, 'tides', 'a', 1);
  assert.deepEqual(
    readJudgements(root).topics.map(({ text }) => text),
    ['html <top> tag', 'tides'],
  );
  const files = { queries: '1\ttides\n2\t tides\n', qrels: '1 0 a 2\n1 0 b 2\n2 0 c 3\n' };
  assert.equal(importJudgements(root, files).judgements, 3);
  assert.deepEqual([...readJudgements(root).qrels.get('2')!.keys()].sort(), ['a', 'b', 'c']);
});

test('imported queries with a known text keep their id, and exported files are imported again unchanged', (t) => {
  const root = temporaryRoot(t);
  judge(root, 'tides', 'a', 1);
  const files = { queries: '1\tkeels\r\n2\ttides\r\n', qrels: '2 0 a 3\r\n1 0 b 2\r\n' };
  assert.deepEqual(importJudgements(root, files), { queries: 1, judgements: 2 });
  const exported = exportJudgements(root);
  assert.deepEqual(exported, { queries: '1\ttides\n2\tkeels\n', qrels: '1 0 a 3\n2 0 b 2\n' });
  const other = temporaryRoot(t);
  importJudgements(other, exported);
  assert.deepEqual(exportJudgements(other), exported);
  assert.throws(() => importJudgements(root, { queries: '1\tx\n', qrels: '7 0 a 1\n' }), {
    code: 'bad-judgements',
  });
});
