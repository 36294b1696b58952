import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { spreadHosts, waitingAfter } from './result-list.ts';

interface Item {
  host: string;
  score: number;
}

const options = { hostOf: ({ host }: Item) => host, scoreOf: ({ score }: Item) => score };

/** Makes test items from names such as `a10`: the letter is the host, the number is the score. */
function itemsOf(names: string): Item[] {
  return names.split(' ').map((name) => ({ host: name[0]!, score: Number(name.slice(1)) }));
}

function spread(names: string, pageSize: number, perHost = 2): string {
  const items = itemsOf(names);
  const list = spreadHosts(items, items.length, { pageSize, perHost, ...options });
  return list.map(({ host, score }) => host + score).join(' ');
}

test('a further result of a host gives way to one of nearly its score', () => {
  assert.equal(spread('a100 a99 a98 b97 a96 c95', 4), 'a100 a99 b97 a98 a96 c95');
});

test('a further result that is much better than others keeps its place', () => {
  assert.equal(spread('a100 a99 a98 a97 b90 c80', 4), 'a100 a99 a98 a97 b90 c80');
  assert.equal(spread('a100 a99 a98 a97 a96', 4), 'a100 a99 a98 a97 a96');
});

test('each further result needs a larger lead', () => {
  assert.equal(spread('a100 a100 a100 a100 b95', 5), 'a100 a100 a100 b95 a100');
});

test('a result before one of a higher score, such as a pinned one, stays before it', () => {
  assert.equal(spread('p1 a100 a99 a98 b97', 5), 'p1 a100 a99 b97 a98');
});

test('no result is lost or repeated, and every page is the best by a scan of all that are left', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 300; round++) {
    const items = Array.from({ length: random.below(60) }, () => ({
      host: random.pick([...'aaaabbcdefg']),
      score: random.below(100),
    })).sort((a, b) => b.score - a.score);
    const [pageSize, perHost, count] = [random.between(1, 12), random.between(1, 3), random.below(70)];
    const list = spreadHosts(items, count, { pageSize, perHost, ...options });
    assert.deepEqual(new Set(list), new Set(items), `seed ${seed}`);
    assert.equal(list.length, items.length, `seed ${seed}`);
    assert.deepEqual(list, naive(items, count, pageSize, perHost), `seed ${seed}`);
  }
});

/** A simple reference implementation: to fill each place of a page, it scans all remaining items. */
function naive(items: readonly Item[], count: number, pageSize: number, perHost: number): Item[] {
  const list: Item[] = [];
  const rest = [...items];
  while (rest.length > 0 && list.length < count) {
    const page: Item[] = [];
    while (page.length < pageSize && rest.length > 0) {
      const values = rest.map(({ host, score }) => {
        const further = 1 + page.filter((item) => item.host === host).length - perHost;
        return score * 0.97 ** Math.max(0, further);
      });
      page.push(...rest.splice(values.indexOf(Math.max(...values)), 1));
    }
    list.push(...page);
  }
  return [...list, ...rest];
}

test('the last result of a host has the number of further results', () => {
  const list = ['a1', 'a2', 'b1', 'c1', 'a3', 'a4', 'b2', 'd1'];
  const hostOf = (item: string): string => item[0]!;
  assert.deepEqual(
    [...waitingAfter(list, 0, 4, hostOf)],
    [
      ['a2', 2],
      ['b1', 1],
    ],
  );
  assert.deepEqual([...waitingAfter(list, 4, 8, hostOf)], []);
});
