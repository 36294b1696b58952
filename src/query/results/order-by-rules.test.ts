import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SiteJudge, type SiteRule } from '../../url/mod.ts';
import { orderByRules } from './order-by-rules.ts';

const rules: SiteRule[] = [
  { site: 'example.org', effect: 'block' },
  { site: 'docs.example.org', effect: 'raise' },
  { site: 'wiki.example', effect: 'pin' },
  { site: 'noisy.example', effect: 'lower' },
];

test('pinned results come first, raised ones move up and lowered ones down, for lists of any length', () => {
  const all = Array.from({ length: 30 }, (_, at) => ({
    host: ['noisy.example', 'plain.example', 'docs.example.org', 'wiki.example'][at % 4]!,
    at,
    score: 30 - at,
  }));
  const pinned = all.filter(({ host }) => host === 'wiki.example');
  const order = (count: number) =>
    orderByRules(
      all.slice(0, count),
      pinned,
      8,
      new SiteJudge(rules),
      ({ host }) => host,
      (a, b) => a.at === b.at,
    ).map(({ at }) => at);
  assert.deepEqual(order(8), [3, 7, 11, 15, 19, 23, 27, 2, 6, 1, 5, 0, 4]);
  assert.deepEqual(order(30).slice(0, 13), order(8));
  assert.deepEqual(
    [...order(30)].sort((a, b) => a - b),
    all.map(({ at }) => at),
  );
});
