import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Directory, silentLog, systemClock } from '../base/mod.ts';
import { IndexWriter } from '../index/mod.ts';
import { DEFAULT_PROFILE, featureNames } from '../rank/mod.ts';
import { openSearcher } from './local-searcher.ts';
import { addSegment, makeDocument, temporaryDirectory } from './naive.fixture.ts';

const FEEDBACK = featureNames('linear').indexOf('feedback');
/** The first two are about the query and share "polarography"; of the two that follow, one has it too. */
const TEXTS: Record<string, string> = {
  first: 'oxygen pressure in blood measured by polarography',
  second: 'oxygen pressure in blood, a polarography method',
  akin: 'blood and polarography',
  other: 'blood and sausages',
  away: 'gardens in the sun',
  farther: 'roses want water',
  farthest: 'crawlers wait their turn',
  last: 'a frontier of hosts',
};

async function ranked(index: Directory, query: string, feedback = DEFAULT_PROFILE.feedback) {
  const profile = { ...DEFAULT_PROFILE, feedback };
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock, profile });
  const ranking = searcher.ranking(query, 10);
  searcher.close();
  return new Map(ranking.map(({ url, features }) => [url.split('/').at(-1)!, features[FEEDBACK]!]));
}

test('documents that have the words of the best gain, and only those that match are listed', async (t) => {
  const index = temporaryDirectory(t);
  const writer = new IndexWriter(index, silentLog);
  const documents = Object.entries(TEXTS).map(([name, text]) =>
    makeDocument(`https://a.example/${name}`, text),
  );
  await addSegment(index, writer, documents);
  writer.commit('1');
  writer.close();

  const few = { documents: 2, words: 20, minWords: 3 };
  const values = await ranked(index, 'blood oxygen pressure', few);
  assert.deepEqual([...values.keys()].sort(), ['akin', 'first', 'other', 'second']);
  assert.ok(values.get('akin')! > values.get('other')!, JSON.stringify([...values]));
  assert.ok([...values.keys()].indexOf('akin') < [...values.keys()].indexOf('other'));

  const short = await ranked(index, 'blood oxygen', few);
  assert.ok(
    [...short.values()].every((value) => value === 0),
    'a short query gets no feedback',
  );
  const without = await ranked(index, 'blood oxygen pressure', null);
  assert.ok(
    [...without.values()].every((value) => value === 0),
    'nor does a profile that wants none',
  );
});
