import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JudgedQuery, pageKey, parseJudgedQueries } from './judged-queries.ts';
import { bestBoost } from './lucene.ts';
import { meansByKind, measureResults } from './measures.ts';

const QUERY: JudgedQuery = {
  id: 'q1',
  kind: 'api',
  query: 'sort',
  grades: new Map([
    ['cpp/sort.html', 3],
    ['cpp/', 1],
  ]),
};
/**
 * The DCG of the best order of a page of grade 3 and one of grade 1: (2³ − 1) / log2(2) + (2¹ − 1) / log2(3).
 */
const IDEAL = 7 + 1 / Math.log2(3);

function urls(...paths: string[]): string[] {
  return paths.map((path) => `http://cpp.docs.test:8600/${path}`);
}

test('URLs of the same page have the same key, whatever their port, fragment and index page', () => {
  assert.equal(pageKey('http://cpp.docs.test:8600/a/index.html#top'), 'cpp/a/');
  assert.equal(pageKey('http://cpp.docs.test/a/'), 'cpp/a/');
  assert.equal(pageKey('tqsl/index.htm'), 'tqsl/');
  assert.equal(pageKey('cpp/a/main-index.html'), 'cpp/a/main-index.html');
});

test('a file of judged queries has comments, kinds and grades', () => {
  const text =
    '# id, kind, query\nq1\tapi\tsort\t3:cpp/sort.html\t1:cpp/index.html\n\nq2\thome\tcpp docs\t2:cpp/\n';
  const [first, second, ...others] = parseJudgedQueries(text);
  assert.deepEqual(first, QUERY);
  assert.deepEqual([second!.kind, second!.query, second!.grades.get('cpp/')], ['home', 'cpp docs', 2]);
  assert.equal(others.length, 0);
  assert.throws(() => parseJudgedQueries('q1\tapi\tsort\tcpp/sort.html'), /expected grade:site\/path/);
});

test('the ideal order has every measure 1', () => {
  const measures = measureResults(QUERY, urls('sort.html', 'index.html', 'other.html'));
  for (const value of Object.values(measures)) assert.equal(value, 1);
});

test('an acceptable page before the good one costs success@1 but not acceptable@1', () => {
  const measures = measureResults(QUERY, urls('', 'sort.html'));
  assert.equal(measures['success@1'], 0);
  assert.equal(measures['success@3'], 1);
  assert.equal(measures['acceptable@1'], 1);
  assert.equal(measures['MRR@10'], 0.5);
  assert.ok(Math.abs(measures['nDCG@10'] - (1 + 7 / Math.log2(3)) / IDEAL) < 1e-12);
});

test('a good page at rank four is no success@3, and at rank eleven it counts nothing', () => {
  const fourth = measureResults(QUERY, urls('a', 'b', 'c', 'sort.html'));
  assert.equal(fourth['success@3'], 0);
  assert.equal(fourth['MRR@10'], 0.25);
  const eleventh = measureResults(QUERY, urls(...'abcdefghij', 'sort.html'));
  assert.equal(eleventh['MRR@10'], 0);
  assert.equal(eleventh['nDCG@10'], 0);
});

test('a query without results has every measure 0', () => {
  for (const value of Object.values(measureResults(QUERY, []))) assert.equal(value, 0);
});

test('means are by kind in order of appearance, and over all queries', () => {
  const queries = [QUERY, { ...QUERY, kind: 'home' }, QUERY];
  const means = meansByKind(queries, [urls('sort.html'), urls('sort.html'), []]);
  assert.deepEqual(
    means.map(({ kind, queries, 'success@1': success }) => [kind, queries, success]),
    [
      ['api', 2, 0.5],
      ['home', 1, 1],
      ['all', 3, 2 / 3],
    ],
  );
});

test("Lucene's row has the boost with the best nDCG@10", () => {
  const lines = [urls('a', 'b'), [], urls('a', 'sort.html'), urls('sort.html'), urls('sort.html'), []];
  const joined = lines.map((line) => line.join(' '));
  const { boost, means } = bestBoost(joined, [QUERY, QUERY], [1, 2, 5]);
  assert.equal(boost, 2);
  assert.deepEqual([means.at(-1)!.queries, means.at(-1)!['success@1']], [2, 0.5]);
});
