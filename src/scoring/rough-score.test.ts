import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELD_WEIGHTS, Field } from '../index/mod.ts';
import { STATISTICS } from './evidence.fixture.ts';
import { DEFAULT_PROFILE } from './profiles.ts';
import { RoughScorer } from './rough-score.ts';

const document = {
  ...{
    length: 100,
    subjectLength: 1,
    urlDepth: 2,
    hostFill: 0,
    isReadable: true,
    isEntry: false,
    standing: 0,
  },
  inHost: STATISTICS.idfs.map(() => false),
};
/** The frequency of a word in the title, in the units of the index. */
const IN_TITLE = FIELD_WEIGHTS[Field.title]!;

test('a document that may have the query as its title comes before one with a longer title', () => {
  const scorer = new RoughScorer(DEFAULT_PROFILE, STATISTICS);
  const frequencies = STATISTICS.idfs.map(() => IN_TITLE);
  const score = (subjectLength: number, counts = frequencies) =>
    scorer.score({ ...document, subjectLength }, counts);
  const longer = score(STATISTICS.idfs.length + 1);
  assert.ok(score(STATISTICS.idfs.length) > longer);
  assert.ok(score(1) > longer, 'also a title of one word, to which a query may add the name of the site');
  assert.equal(score(0), longer, 'a title without words is no match');
  const rare = frequencies.map((frequency) => frequency - 1);
  assert.equal(score(1, rare), score(9, rare), 'words that are too rare to be in the title');
});
