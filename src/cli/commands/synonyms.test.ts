import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNone } from './synonyms.ts';

test('a message explains why there are no synonyms: none found, or not searched yet', () => {
  assert.match(
    whyNone(521, 'data'),
    /in the titles and links of 521 pages; your own rules belong in the file/,
  );
  assert.match(whyNone(0, '/srv/gyre'), /^no synonyms yet; (?:npx )?gyre rank --data \/srv\/gyre finds them/);
});
