import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../base/mod.ts';
import { IndexReader } from '../../index/mod.ts';
import { inverseDocumentFrequency } from '../../scoring/mod.ts';
import { makeDocument } from '../matching/naive.fixture.ts';
import { indexOf } from '../searcher.fixture.ts';
import { lookUp } from '../terms/statistics.ts';
import { WholeDocuments } from './whole-document.ts';

test('all words of a document are counted, and weighted on request', async (t) => {
  const texts = ['lamp lamp table', 'table', 'chair chair chair table'];
  const documents = texts.map((text, at) => makeDocument(`https://a.example/${at}`, text, { title: '' }));
  const index = new IndexReader(await indexOf(t, documents), silentLog);
  const searched = lookUp(index.segments, []);
  const [{ segment }] = searched as [(typeof searched)[number]];
  const order = [2, 0, 1];
  const counted = new WholeDocuments(searched, { docCount: 3, maxRank: 0 }, false).of(segment, order);
  assert.deepEqual(
    counted.map(({ length, maxFrequency, norm }) => [length, maxFrequency, norm]),
    [
      [4, 3, 0],
      [3, 2, 0],
      [1, 1, 0],
    ],
  );
  const [rare, common] = [inverseDocumentFrequency(3, 1), inverseDocumentFrequency(3, 3)];
  const weighed = new WholeDocuments(searched, { docCount: 3, maxRank: 0 }, true);
  const norms = [Math.hypot(3 * rare, common), Math.hypot(2 * rare, common), common];
  for (const round of ['examined', 'known'])
    for (const [at, { norm }] of weighed.of(segment, order).entries())
      assert.ok(Math.abs(norm - norms[at]!) < 1e-12, round);
  index.close();
});
