import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseProfile } from './profile.ts';
import { builtInProfile, PROFILE_NAMES } from './profiles.ts';
import { featureNames } from './score.ts';

const parse = (change: object) =>
  parseProfile(JSON.stringify({ ...builtInProfile('default'), ...change }), 'mine.json', featureNames);

test('every shipped profile can be loaded by its name', () => {
  const files = readdirSync(join(import.meta.dirname, 'profiles')).map((file) => file.replace(/\.json$/, ''));
  assert.deepEqual(files.sort(), [...PROFILE_NAMES].sort());
  for (const name of PROFILE_NAMES) assert.equal(builtInProfile(name).name, name);
});

test('a profile that is written and read again is the same', () => {
  assert.deepEqual(parse({}), builtInProfile('default'));
});

test('an old profile without an anchor field gives it no weight', () => {
  const { anchor, ...fields } = builtInProfile('default').fields;
  assert.ok(anchor > 0);
  assert.equal(parse({ fields }).fields.anchor, 0);
});

test('the error for an invalid profile names the problem', () => {
  const cases: [object, RegExp][] = [
    [{ weights: { tilte: 1 } }, /mine\.json: there is no feature "tilte"; there are text, /],
    [{ weights: { text: -1 } }, /"weights\.text" is not a number from 0 up/],
    [{ k1: '1' }, /"k1" is not a number/],
    [{ model: 'neural' }, /"model" is one of linear, compass/],
    [{ candidates: 500_000 }, /"candidates" is from 1 to 100000/],
    [{ feedback: { documents: 3 } }, /"feedback\.words" is not a number/],
    [{ name: '' }, /"name" is missing/],
  ];
  for (const [change, message] of cases) assert.throws(() => parse(change), message);
  assert.throws(() => parseProfile('{', 'mine.json', featureNames), /mine\.json: is not JSON/);
});

test('the published designs have the weights that were published', () => {
  assert.deepEqual(builtInProfile('compass').weights, {
    hit: 0.45,
    logPageRank: 0.2,
    weightedFrequency: 0.35,
  });
  const { k1, b, weights } = builtInProfile('bm25');
  assert.deepEqual({ k1, b, weights }, { k1: 0.9, b: 0.4, weights: { text: 1 } });
});
