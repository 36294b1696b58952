import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { popCount, Random } from '../base/mod.ts';
import { contentRanges } from './content-ranges.ts';
import { BAND_COUNT, BIN_COUNT, simhashDistance, similarity, similarityError, sketchOf } from './sketch.ts';
import { kernel, PLANES_AT, WORDS, WORDS_AT } from './sketch-kernel.ts';

function words(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => `w${random.below(5000)}`);
}

function shingles(text: string[]): Set<string> {
  return new Set(text.slice(2).map((_, at) => text.slice(at, at + 3).join(' ')));
}

function jaccard(one: string[], other: string[]): number {
  const a = shingles(one);
  const b = shingles(other);
  const common = [...a].filter((each) => b.has(each)).length;
  return common / (a.size + b.size - common);
}

test('bit votes equal a count of each bit', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (const count of [0, 1, 2, 3, 5, 7, 8, 9, 31, 32, 33, 64, 1000, 5003]) {
    const hashes = Int32Array.from({ length: count }, () => random.below(2 ** 32) | 0);
    WORDS.set(hashes);
    kernel.countVotes(WORDS_AT, count, PLANES_AT);
    const majority = kernel.majority(count, PLANES_AT);
    for (let bit = 0; bit < 32; bit++) {
      const expected = hashes.reduce((sum, hash) => sum + ((hash >>> bit) & 1), 0);
      const elected = (majority >>> bit) & 1;
      assert.equal(elected, expected * 2 > count ? 1 : 0, `seed ${seed}, ${count} hashes, bit ${bit}`);
    }
  }
});

test('the number of set bits is correct', () => {
  const random = new Random(5);
  for (let round = 0; round < 500; round++) {
    const word = random.below(2 ** 32) | 0;
    assert.equal(popCount(word), [...(word >>> 0).toString(2)].filter((digit) => digit === '1').length);
  }
});

test('the estimate is within four standard errors of the true coefficient', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 60; round++) {
    const one = words(random, 50 + random.below(6000));
    const rate = random.next() * 0.2;
    const other = one.map((word) => (random.chance(rate) ? `x${random.below(1000)}` : word));
    const truth = jaccard(one, other);
    const estimate = similarity(sketchOf(one.join(' ')).bins, sketchOf(other.join(' ')).bins);
    const tolerance = 4 * similarityError(truth, one.length) + 0.02;
    assert.ok(Math.abs(estimate - truth) < tolerance, `seed ${seed}: ${estimate} for ${truth}`);
  }
});

test('similar texts have near simhashes and mostly share a band; other texts do neither', () => {
  const random = new Random(8);
  let together = 0;
  for (let round = 0; round < 100; round++) {
    const text = words(random, 1200);
    const changed = text.map((word, at) => (at % 60 === 7 ? `changed${at}` : word));
    const [one, other, foreign] = [text, changed, words(random, 1200)].map((each) =>
      sketchOf(each.join(' ')),
    );
    if (one!.bands.some((key, band) => key === other!.bands[band])) together++;
    assert.ok(simhashDistance(one!, other!) <= 16);
    assert.ok(simhashDistance(one!, foreign!) > 12);
    assert.ok(!one!.bands.some((key, band) => key === foreign!.bands[band]));
  }
  assert.ok(together >= 97, `${together} of 100`);
});

test('words and their order change a sketch; case, punctuation and spacing do not', () => {
  const sketch = (text: string) => sketchOf(text);
  assert.deepEqual(sketch('The quick, brown FOX; jumps.'), sketch('the   quick brown\nfox jumps'));
  assert.deepEqual(sketch('Ärger Über Öl'), sketch('ärger über öl'));
  assert.deepEqual(sketch('soft\u00adhyphen and more words'), sketch('softhyphen and more words'));
  assert.equal(similarity(sketch('a b c d e f').bins, sketch('f e d c b a').bins), 0);
});

test('text without spaces is compared by letters', () => {
  const text = '東京都は日本の首都であり、世界最大級の都市圏を形成している。';
  assert.ok(sketchOf(text).shingleCount > 20);
  assert.ok(similarity(sketchOf(text).bins, sketchOf(text.replace('日本', '本邦')).bins) > 0.7);
});

test('a text of fewer than three words has an empty sketch that matches nothing', () => {
  for (const text of ['', 'two words', '— … !']) {
    const sketch = sketchOf(text);
    assert.equal(sketch.shingleCount, 0);
    assert.equal(sketch.bins.length, BIN_COUNT);
    assert.equal(sketch.bands.length, BAND_COUNT);
    assert.equal(similarity(sketch.bins, sketch.bins), 0);
  }
});

test('a sketch does not depend on earlier texts', () => {
  const random = new Random(4);
  const text = words(random, 300).join(' ');
  const first = sketchOf(text);
  sketchOf(words(random, 100_000).join(' '));
  assert.deepEqual(sketchOf(text), first);
});

test('several ranges are sketched as one text', () => {
  const text = 'one two three MENU four five six';
  const menu = text.indexOf('MENU');
  const ranges = [
    [0, menu],
    [menu + 4, text.length],
  ] as const;
  assert.deepEqual(sketchOf(text, ranges), sketchOf('one two three four five six'));
});

test('boilerplate is excluded unless it is the whole page', () => {
  const prose = 'A sentence of the page itself. '.repeat(8).trim();
  const menu = 'Home Products About Contact';
  const text = `${menu}\n${prose}\n${menu}`;
  const contentOf = (boilerplate: [number, number][]) =>
    contentRanges({ text, boilerplate }).map(([from, to]) => text.slice(from, to).trim());
  const end = text.length;
  const menus: [number, number][] = [
    [0, menu.length],
    [end - menu.length, end],
  ];
  assert.deepEqual(contentOf(menus), [prose]);
  assert.deepEqual(contentOf([[0, menu.length]]), [`${prose}\n${menu}`]);
  assert.deepEqual(contentOf([[menu.length, end]]), [menu]);
  assert.deepEqual(contentOf([[0, end]]), [text]);
  assert.deepEqual(contentRanges({ text }), [[0, end]]);
});
