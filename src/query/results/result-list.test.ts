import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { spreadHosts, waitingAfter } from './result-list.ts';

/** The first letter is the host. */
const hostOf = (item: string): string => item[0]!;

function spread(items: string[], pageSize: number, perHost = 2): string[] {
  return spreadHosts(items, items.length, { pageSize, perHost, hostOf });
}

test('results beyond the limit of a host move to the next page', () => {
  const list = spread(['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2', 'a5', 'd1'], 4);
  assert.deepEqual(list.slice(0, 4), ['a1', 'a2', 'b1', 'c1']);
  assert.deepEqual(list.slice(4, 8), ['a3', 'a4', 'b2', 'd1']);
  assert.deepEqual(list.slice(8), ['a5']);
});

test('if no other host has results, a page is filled in the order of the list', () => {
  assert.deepEqual(spread(['a1', 'a2', 'a3', 'a4', 'a5'], 4), ['a1', 'a2', 'a3', 'a4', 'a5']);
  assert.deepEqual(spread(['a1', 'a2', 'a3', 'a4', 'b1'], 4), ['a1', 'a2', 'a3', 'b1', 'a4']);
});

test('no result is lost or repeated, and pages keep the limit per host if possible', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 300; round++) {
    const items = Array.from(
      { length: random.below(60) },
      (_, n) => `${random.pick(['a', 'a', 'b', 'c', 'd'])}${n}`,
    );
    const pageSize = random.between(1, 12);
    const list = spread(items, pageSize);
    assert.deepEqual([...list].sort(), [...items].sort(), `seed ${seed}`);
    for (let from = 0; from < list.length; from += pageSize) {
      const page = list.slice(from, from + pageSize);
      const hosts = new Set(list.slice(from).map(hostOf));
      const most = Math.max(...[...hosts].map((host) => page.filter((item) => hostOf(item) === host).length));
      const possible = [...hosts].reduce(
        (sum, host) => sum + Math.min(2, list.slice(from).filter((item) => hostOf(item) === host).length),
        0,
      );
      assert.ok(most <= 2 || possible < pageSize, `seed ${seed}: ${list}`);
    }
  }
});

test('a page equals that of paging one by one, and reads no more results than needed', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 300; round++) {
    const items = Array.from(
      { length: random.below(60) },
      (_, n) => `${round % 3 === 0 ? String.fromCharCode(200 + n) : random.pick([...'aaaabbcdefg'])}${n}`,
    );
    const [pageSize, perHost] = [random.between(1, 12), random.between(1, 3)];
    const count = random.below(70);
    let looks = 0;
    const counting = (item: string) => {
      looks++;
      return hostOf(item);
    };
    const list = spreadHosts(items, count, { pageSize, perHost, hostOf: counting });
    assert.deepEqual(list, naive(items, count, pageSize, perHost), `seed ${seed}`);
    if (new Set(items.map(hostOf)).size === items.length)
      assert.ok(looks <= count + pageSize, `seed ${seed}: ${looks} of ${items.length}`);
  }
});

/** Builds one page after another, each from a scan of all items that are left. */
function naive(items: readonly string[], count: number, pageSize: number, perHost: number): string[] {
  const list: string[] = [];
  let rest = [...items];
  while (rest.length > 0 && list.length < count) {
    const isWithin = (item: string, at: number) =>
      rest.slice(0, at).filter((other) => hostOf(other) === hostOf(item)).length < perHost;
    const shares = rest.filter(isWithin);
    const page = new Set([...shares, ...rest.filter((item) => !shares.includes(item))].slice(0, pageSize));
    list.push(...rest.filter((item) => page.has(item)));
    rest = rest.filter((item) => !page.has(item));
  }
  return [...list, ...rest];
}

test('the last result of a host has the number of further results', () => {
  const list = ['a1', 'a2', 'b1', 'c1', 'a3', 'a4', 'b2', 'd1'];
  assert.deepEqual(
    [...waitingAfter(list, 0, 4, hostOf)],
    [
      ['a2', 2],
      ['b1', 1],
    ],
  );
  assert.deepEqual([...waitingAfter(list, 4, 8, hostOf)], []);
});
