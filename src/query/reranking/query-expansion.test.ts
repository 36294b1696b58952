import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { type Directory, Random, silentLog, systemClock } from '../../base/mod.ts';
import { type IndexDocument, IndexWriter } from '../../index/mod.ts';
import { DEFAULT_PROFILE, featureNames } from '../../scoring/mod.ts';
import { openSearcher } from '../local-searcher.ts';
import { addSegment, makeDocument, temporaryDirectory } from '../matching/naive.fixture.ts';

const FEEDBACK = featureNames('linear').indexOf('feedback');
/**
 * Test pages. `first` and `second` are about the query and share the word "polarography". `akin` has this word
 * too, but is less about the query.
 */
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
  const profile = { ...DEFAULT_PROFILE, weights: { ...DEFAULT_PROFILE.weights, feedback: 0.4 }, feedback };
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock, profile });
  const ranking = await searcher.ranking(query, 10);
  searcher.close();
  return new Map(ranking.map(({ url, features }) => [url.split('/').at(-1)!, features[FEEDBACK]!]));
}

test('documents with expansion terms gain, and only matches are listed', async (t) => {
  const index = temporaryDirectory(t);
  const writer = new IndexWriter(index, silentLog);
  const documents = Object.entries(TEXTS).map(([name, text]) =>
    makeDocument(`https://a.example/${name}`, text),
  );
  await addSegment(index, writer, documents);
  writer.commit();
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

test('deleted documents before a merge change neither scores nor order', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  let lent = 0;
  for (let corpus = 0; corpus < 5; corpus++) {
    const documents = Array.from({ length: 60 }, (_, at) =>
      makeDocument(`https://a.example/${at}`, randomText(random)),
    );
    const gone = documents.filter(() => random.chance(0.4));
    const waiting = temporaryDirectory(t);
    const rebuilt = temporaryDirectory(t);
    await build(waiting, [documents.slice(0, 25), documents.slice(25)], gone);
    await build(rebuilt, [documents.filter((document) => !gone.includes(document))], []);
    const queries = Array.from({ length: 20 }, () =>
      Array.from({ length: 5 }, () => `topic${random.below(8)}`).join(' '),
    );
    const expected = await rankings(rebuilt, queries);
    for (const [at, ranking] of (await rankings(waiting, queries)).entries())
      assert.deepEqual(ranking, expected[at], `seed ${seed}: ${queries[at]}`);
    lent += expected.flat().filter(({ feedback }) => feedback > 0).length;
  }
  assert.ok(lent > 0, `seed ${seed}: some words were lent`);
});

/**
 * Returns a random text of a few common words, which the queries use, and many rare words, which can be expansion
 * terms.
 */
function randomText(random: Random): string {
  const words = Array.from({ length: 12 }, () =>
    random.chance(0.4) ? `topic${random.below(8)}` : `word${random.below(1 + random.below(60))}`,
  );
  return words.join(' ');
}

async function build(
  index: Directory,
  segments: readonly IndexDocument[][],
  gone: readonly IndexDocument[],
): Promise<void> {
  const writer = new IndexWriter(index, silentLog);
  for (const documents of segments) await addSegment(index, writer, documents);
  writer.deleteDocuments(gone.map(({ fingerprint }) => fingerprint));
  writer.commit();
  writer.close();
}

async function rankings(index: Directory, queries: readonly string[]) {
  const profile = { ...DEFAULT_PROFILE, feedback: { ...DEFAULT_PROFILE.feedback!, minWords: 3 } };
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock, profile });
  const all: { url: string; score: number; feedback: number }[][] = [];
  for (const query of queries) {
    const ranking = await searcher.ranking(query, 100);
    all.push(ranking.map(({ url, score, features }) => ({ url, score, feedback: features[FEEDBACK]! })));
  }
  searcher.close();
  return all;
}
