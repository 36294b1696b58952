import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { tokenize } from '../../text/mod.ts';
import { Field, fieldOf, positionOf } from '../fields.ts';
import { WordGatherer } from './word-gatherer.ts';

const PIECES = [
  'word',
  'Node',
  'C++',
  '.NET',
  '.net',
  'c#',
  'é#',
  "don't",
  'don’t',
  "undici's",
  'undici’S',
  "'s",
  's',
  'Straße',
  'ﬁne',
  'CAFÉ',
  'e\u0301',
  '東京都',
  '東',
  'ｶﾞﾗｽ',
  '한국어',
  '𠮷野家',
  '𐐨𐐨',
  '𝐁𝐨',
  'हिन्दी',
  'مُحَمَّد',
  '\u00ad',
  '\u200d',
  '\ud83d',
  '🙂',
  '№',
  '½',
  'x'.repeat(70),
  'é'.repeat(300),
];
const GAPS = ['', '', ' ', ' ', '\n', '.', '-', '_', "'", '’', '+', '++', '#', '\n\n', '\0'];

test('the kernel splits text exactly as the tokenizer does', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const words = new WordGatherer();
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: 30 }, () => random.pick(PIECES) + random.pick(GAPS)).join('');
    const stretches = [
      { start: 5, end: 30, field: Field.link },
      { start: 20, end: 25, field: Field.heading },
      { start: 60, end: 61, field: Field.emphasis },
    ];
    words.clear();
    words.startDocument();
    const tokensAt = words.tokensEnd;
    const end = words.add(text, 100, Field.body, stretches);
    const texts = words.texts();
    const order = words.inOrder(texts);
    const documents = Uint32Array.of(tokensAt, words.tokensEnd, 0);
    const counts = words.countWords(documents, 1);
    const targets = Uint32Array.from(texts.keys());
    const sorter = words.newSorter(
      { documents, targets, words: texts.length, totals: counts },
      random.between(8, 300),
    );
    const found: [string, number, number][] = [];
    let laidOut = 0;
    for (const [at, number] of order.entries()) {
      if (at === laidOut) laidOut = sorter.layOut(order, at);
      const pairs = sorter.pairsOf(number);
      for (let i = 1; i < pairs.length; i += 2) {
        found.push([texts[number]!, positionOf(pairs[i]!), fieldOf(pairs[i]!)]);
      }
    }
    found.sort((a, b) => a[1] - b[1]);
    const expected = tokensOf(text);
    assert.deepEqual(found, expected, `seed ${seed}: ${JSON.stringify(text)}`);
    assert.equal(end, (expected.at(-1)?.[1] ?? 99) + 1);
    const ascending = Array.from(order, (number) => texts[number]!);
    assert.deepEqual(ascending, [...new Set(expected.map(([word]) => word))].sort(), `seed ${seed}`);
  }
});

test('many terms are sorted', () => {
  const random = new Random(1);
  const text = Array.from({ length: 20_000 }, () => random.below(1e9).toString(random.between(2, 36))).join(
    ' ',
  );
  const words = new WordGatherer();
  words.add(
    `${text} \u{20000}\u{20001} \uffc7x \u{10428}\u{10429} \uff76 \ufb50 z\u{10428} z\ufb50`,
    0,
    Field.body,
    [],
  );
  const texts = words.texts();
  const ascending = Array.from(words.inOrder(texts), (number) => texts[number]!);
  assert.deepEqual(ascending, [...new Set(texts)].sort());
  assert.equal(ascending.length, words.termCount);
});

/** Returns term, position and field of each token. */
function tokensOf(text: string): [string, number, number][] {
  const tokens: [string, number, number][] = [];
  let position = 100;
  let lastEnd = 0;
  tokenize(text, (term, start, end) => {
    if (text.slice(lastEnd, start).includes('\n')) position += 2;
    lastEnd = end;
    const inHeading = start >= 20 && start < 25;
    const inLink = start >= 5 && start < 30;
    const field = inHeading
      ? Field.heading
      : start === 60
        ? Field.emphasis
        : inLink
          ? Field.link
          : Field.body;
    tokens.push([term, position++, field]);
  });
  return tokens;
}
