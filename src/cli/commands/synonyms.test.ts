import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNone } from './synonyms.ts';

test('that there are no synonyms is told with why: none were found, or nobody has looked', () => {
  assert.match(
    whyNone(521, 'data'),
    /no two words for the same of 521 pages; rules of your own go into a file/,
  );
  assert.match(
    whyNone(0, '/srv/gyre'),
    /^no synonyms yet: (?:npx )?gyre rank --data \/srv\/gyre looks for them/,
  );
});
