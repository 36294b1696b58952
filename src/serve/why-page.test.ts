import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { partName } from './why-page.ts';
import { LANGUAGES, wordsOf } from './words/words.ts';

const PROFILE = join(import.meta.dirname, '..', 'rank', 'profiles', 'default.json');

test('every part of a score has a name in plain words, in every language', () => {
  for (const { tag } of LANGUAGES) {
    for (const feature of Object.keys(JSON.parse(readFileSync(PROFILE, 'utf8')).weights)) {
      const name = partName(wordsOf(tag)!, feature);
      assert.match(name, / /, `${tag} ${feature}: ${name}`);
      assert.notEqual(name, feature);
    }
  }
});

test('a part that nobody has named yet is readable all the same', () => {
  assert.equal(partName(wordsOf('en')!, 'linkAgeInDays'), 'link age in days');
  assert.equal(partName(wordsOf('de')!, 'constructor'), 'constructor');
});
