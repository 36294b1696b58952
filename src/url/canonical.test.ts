import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Random } from '../base/mod.ts';
import { canonicalize, MAX_URL_LENGTH } from './canonical.ts';

const lines = readFileSync(new URL('../../test/fixtures/urls.tsv', import.meta.url), 'utf8').split('\n');

for (const line of lines.filter((each) => each !== '' && !each.startsWith('#'))) {
  const [raw, base, expected, clause] = line.split('\t') as [string, string, string, string];
  test(`${clause}: ${raw}`, () => {
    const url = canonicalize(raw.replace('\\n', '\n'), base === '-' ? undefined : base);
    assert.equal(url, expected === '-' ? null : expected);
  });
}

test('the canonical form of a canonical form is itself', () => {
  const seed = Date.now() % 1e9;
  const random = new Random(seed);
  const pieces = [
    'a',
    '%',
    '%2',
    '%41',
    '%zz',
    '/',
    '//',
    '..',
    '.',
    '?',
    '&',
    '=',
    'é',
    '#',
    ' ',
    ';',
    '+',
    '漢',
  ];
  for (let round = 0; round < 2000; round++) {
    const tail = Array.from({ length: random.below(12) }, () => random.pick(pieces)).join('');
    const once = canonicalize(`http://example.org/${tail}`);
    assert.ok(once, `seed ${seed}: ${tail}`);
    assert.equal(canonicalize(once), once, `seed ${seed}: ${tail}`);
  }
});

test('an overlong URL is none', () => {
  assert.equal(canonicalize(`http://example.org/${'a'.repeat(MAX_URL_LENGTH)}`), null);
});
