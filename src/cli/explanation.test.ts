import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScoreBreakdown } from '../scoring/mod.ts';
import { explanationText } from './explanation.ts';

test('features with a share have their own lines, and the others share one line', () => {
  const shares = [
    { feature: 'text', value: 2, weight: 1, share: 2 },
    { feature: 'pairs', value: 0, weight: 0.2, share: 0 },
    { feature: 'title', value: 0.5, weight: 6, share: 3 },
    { feature: 'exact', value: 1, weight: 0, share: 0 },
  ];
  assert.equal(
    explanationText({ total: 5, is: 'sum', shares, terms: [] }),
    [
      '   score 5 is the sum of',
      '              3  title               weight 6 × value 0.5',
      '              2  text                weight 1 × value 2',
      '              0  pairs, exact',
    ].join('\n'),
  );
});

test('a page without any of the words was found by its meaning', () => {
  const shares = [{ feature: 'meaning', value: 0.5, weight: 2, share: 1 }];
  const breakdown = { total: 1, is: 'sum', shares, terms: [] } satisfies ScoreBreakdown;
  assert.match(explanationText({ ...breakdown, byMeaning: true }), /found by its meaning/);
  assert.doesNotMatch(explanationText(breakdown), /found by its meaning/);
});

test('the common factor of all shares is shown', () => {
  const shares = [{ feature: 'text', value: 2, weight: 1, share: 1.6 }];
  assert.match(
    explanationText({ total: 1.6, is: 'sum', shares, terms: [] }),
    /^ {3}score 1\.6 is the sum of, each times 0\.8, the weight of the query\n/,
  );
});

test('a product shows all its factors, and a document without a score says why', () => {
  const shares = [{ feature: 'cosine', value: 0, weight: 1, share: 0 }];
  assert.equal(
    explanationText({ total: 0, is: 'product', shares, terms: [] }),
    '   score 0 is the product of\n              0  cosine',
  );
  assert.match(explanationText(null), /not among the candidates/);
});
